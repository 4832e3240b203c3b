// Any text as the value of a header that this server understands: a range lies within its file, a file's name stays
// within its header, a cookie is a key or nothing, a list of ETags has ours where it stands in it, hops are a number,
// a trace is forwarded as it came.
#include "engine/api/api.h"
#include "engine/api/requests/content.h"
#include "engine/api/requests/etags.h"
#include "engine/base/text.h"
#include "engine/base/trace_context.h"
#include "engine/http/framing/response_text.h"
#include "engine/http/media_type.h"
#include "engine/http/url.h"
#include "engine/sign_in/cookie.h"
#include "engine/testing/local_request.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace callisto;

void check_range(std::string_view text) {
  for (const std::size_t total : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{1} << 40,
                                  std::numeric_limits<std::size_t>::max()}) {
    const auto range = api::byte_range(text, total);
    if (!range || range->size == 0) continue;
    require(range->first < total && range->size <= total - range->first);
  }
}

void check_name(std::string_view name) {
  const std::string header = api::content_disposition(name);
  require(std::count(header.begin(), header.end(), '"') == 2);
  require(std::all_of(header.begin(), header.end(), [](char c) { return c >= 0x20 && c < 0x7F; }));
  require(header.find_first_of("/\\") == header.npos);
  require(header.size() <= 60 + 4 * name.size());
}

void check_cookie(const std::string& text) {
  for (const bool https : {false, true}) {
    const testing::LocalRequest request("GET", "/", {{"Cookie", text}}, "");
    const std::string key = sign_in::read_cookie(request, sign_in::sign_in_cookie, https);
    if (key.empty()) continue;
    require(key.size() == 43 && text.find(key) != text.npos);
    const std::string set = sign_in::set_cookie(sign_in::sign_in_cookie, key, https);
    const testing::LocalRequest again("GET", "/", {{"Cookie", set.substr(0, set.find(';'))}}, "");
    require(sign_in::read_cookie(again, sign_in::sign_in_cookie, https) == key);
  }
}

// RFC 9110 13.1.2: 304 where the list names the tag, and where it is a star.
void check_tags(const std::string& text) {
  const std::string tag = api::etag_of(text);
  const auto answer_to = [&](const testing::Headers& headers) {
    http::Response response;
    const bool is_same = api::not_modified(testing::LocalRequest("GET", "/", headers, ""), response, tag);
    require(is_same == (response.status == 304));
    return is_same;
  };
  require(answer_to({{"If-None-Match", text + ", W/" + tag}}));
  require(answer_to({{"If-None-Match", text}}) == (text == "*" || text.find(tag) != text.npos));
}

void check_hops(const std::string& text) {
  api::Options options;
  const testing::LocalRequest request("GET", "/", {{"Callisto-Hop", text}}, "");
  require(api::hops_of(options, request) == 0);  // nothing proves it
  options.proves_delivery = [](std::string_view) { return true; };
  const int hops = api::hops_of(options, request);
  require(hops >= 0 && (hops == 0 || text.find(std::to_string(hops)) != text.npos));
}

// What is forwarded reads back as the same, and can stand in a header.
void check_trace(const std::string& text) {
  constexpr std::size_t parent_size = 55, most_state = 512;
  const TraceContext sent = read_trace_context({text}, {"a=1"});
  require(sent.parent.empty() ? sent.state.empty() : sent.parent.size() == parent_size && sent.state == "a=1");
  require(sent.parent.empty() || read_trace_context({sent.parent}, {}).parent == sent.parent);
  const std::string parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const std::string state = read_trace_context({parent}, {text}).state;
  require(state.size() <= most_state && state.find_first_of("\r\n") == state.npos);
  require(read_trace_context({parent}, {state}).state == state);
}

void check_own_header(const std::string& text) {
  http::Response response;
  response.headers = {{"X-A", text}};
  std::string head;
  http::append_head(head, response, {.close = true, .secure = true});
  const auto lines = std::count(head.begin(), head.end(), '\n') + std::count(head.begin(), head.end(), '\r');
  require(!http::is_sendable(response) || lines == 2 * 11);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  check_range(input);
  check_range("bytes=" + input);
  check_name(input);
  check_cookie(input);
  check_cookie("callisto-sign-in=" + input);
  check_tags(input);
  check_hops(input);
  check_trace(input);
  check_own_header(input);
  require(!http::has_media_type(input, http::form_media_type) ||
          text::ascii_lower(input).find("x-www-form-urlencoded") != input.npos);
  return 0;
}
