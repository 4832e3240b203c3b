// Any text as a PayloadUrl. What a stricter policy lets pass the looser one does; what passes has a host and is no
// address that may not be connected to, whatever its spelling.
#include "engine/base/text.h"
#include "tests/fuzz/require.h"
#include "webhooks/address_policy.h"
#include "webhooks/inline_images.h"

#include <netdb.h>
#include <netinet/in.h>

#include <curl/curl.h>
#include <cstdint>
#include <memory>
#include <string>

namespace {

using namespace callisto::webhooks;

std::string host_of(const std::string& url) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(curl_url(), curl_url_cleanup);
  char* host = nullptr;
  require(curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK);
  require(curl_url_get(parsed.get(), CURLUPART_HOST, &host, 0) == CURLUE_OK);
  const std::string text(host);
  curl_free(host);
  return text.starts_with('[') ? text.substr(1, text.find_first_of("]%") - 1) : text;
}

// What the resolver makes of a host without asking anybody.
void check_address(const std::string& host, const AddressPolicy& policy) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return;
  for (const addrinfo* each = found; each; each = each->ai_next) require(!judge(policy, *each->ai_addr));
  freeaddrinfo(found);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string url(reinterpret_cast<const char*>(data), size);
  bool passed = false;
  for (const Networks networks : {Networks::Internet, Networks::Intranet, Networks::Open}) {
    const auto reason = check_url(url, {networks, false});
    require(!passed || !reason);
    require(!reason || !reason->empty());
    passed = !reason;
    if (!passed) continue;
    require(!check_url(url, {networks, true}));
    check_address(host_of(url), {networks, false});
  }
  if (const auto address = file_address(url)) {
    require(address->key > 0 && address->attachment > 0);
    require(address->entity.find('/') == std::string_view::npos);
  }
  return 0;
}
