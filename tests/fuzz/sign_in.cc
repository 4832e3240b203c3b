// Any bytes as the query of an authorization request, as a redirect uri, as a proxy's name and as text of a page. What
// is read is sealed and opened the same; nothing leaves its attribute, its header or its policy.
#include "engine/base/html.h"
#include "engine/sign_in/answer_url.h"
#include "engine/sign_in/parameters.h"
#include "engine/sign_in/pending.h"
#include "engine/sign_in/proxy_header.h"
#include "tests/support/fixed_clock.h"
#include "tests/support/seeded_random.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace callisto::sign_in;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_parameters(std::string_view raw) {
  static const callisto::testing::FixedClock clock;
  static const PendingRequests requests(clock, std::string(32, 'k'));
  const auto read = read_parameters(raw);
  if (!read) return require(read.error().status == 400);
  const std::string sealed = requests.seal(*read, "key");
  const auto opened = requests.open(sealed, "key");
  require(opened && !opened->expired && opened->parameters.values == read->values);
  require(opened->parameters.problem.empty());
  require(!requests.open(sealed, "yek") && !requests.open(raw, "key"));
}

void check_uri(std::string_view uri) {
  const std::string source = policy_source(uri);
  require(source.find_first_of(" ;,'\"*\r\n\t") == source.npos);
  if (!is_redirectable(uri)) return;
  const std::string url = answer_url(uri, {{"code", uri}, {"state", "\r\n&#"}});
  require(url.starts_with(uri));
  require(std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7f && c != '#'; }));
}

void check_text(std::string_view text) {
  const std::string escaped = callisto::Html().text(text).str();
  require(escaped.find_first_of("<>\"'") == escaped.npos);
  const std::string name = login_name_of(text, {"CORP"});
  require(name.size() <= text.size() && name.find(',') == name.npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  check_parameters(input);
  check_uri(input);
  check_text(input);
  return 0;
}
