#include "engine/base/text.h"
#include "webhooks/address_policy.h"
#include "webhooks/curl_handles.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace callisto::webhooks {

namespace {

constexpr std::size_t longest = 2000;

std::optional<std::string> judge_v4(const AddressPolicy& policy, in_addr address) {
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_addr = address;
  return judge(policy, reinterpret_cast<const sockaddr&>(v4));
}

std::optional<std::string> judge_v6(const AddressPolicy& policy, const std::string& text) {
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) != 1) return "[" + text + "] is no IPv6 address";
  return judge(policy, reinterpret_cast<const sockaddr&>(v6));
}

// Whatever the resolver would take for an address without asking anybody: 127.1, 0x7f.1, 0177.0.0.1 and 2130706433 are
// 127.0.0.1, with or without dots behind. RFC 6761 6.3: "Users may assume that IPv4 and IPv6 address queries for
// localhost names will always resolve to the respective IP loopback address."
std::optional<std::string> judge_host(const AddressPolicy& policy, std::string host) {
  if (host.starts_with('[')) return judge_v6(policy, host.substr(1, host.find_first_of("]%") - 1));
  while (host.ends_with('.')) host.pop_back();
  if (host.empty()) return "names no host; write it as https://host/path";
  in_addr address{};
  if (inet_aton(host.c_str(), &address) == 1) return judge_v4(policy, address);
  const std::string name = text::ascii_lower(host);
  if (name != "localhost" && !name.ends_with(".localhost")) return std::nullopt;
  return judge_v4(policy, {htonl(INADDR_LOOPBACK)});
}

bool is_plain(char c) { return c > ' ' && c < '\x7F'; }

}  // namespace

std::optional<std::string> check_url(const std::string& url, const AddressPolicy& policy) {
  if (url.size() > longest) return "is longer than 2000 characters; shorten it";
  if (!std::all_of(url.begin(), url.end(), is_plain))
    return "holds a blank, a control character or one outside ASCII; percent-encode it, and write a host name in "
           "Punycode (xn--...)";
  const std::size_t colon = url.find("://");
  const std::string scheme = text::ascii_lower(url.substr(0, colon));
  if (colon == url.npos || (scheme != "http" && scheme != "https")) return "must begin with http:// or https://";
  // libcurl lets more slashes pass.
  if (url.substr(colon + 3).starts_with('/')) return "names no host; write it as https://host/path";
  const UrlHandle parsed(curl_url());
  if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    return "is no url; write it as https://host/path";
  if (part_of(parsed.get(), CURLUPART_USER) || part_of(parsed.get(), CURLUPART_PASSWORD))
    return "holds a user or a password; leave them out, deliveries are known by their signature";
  return judge_host(policy, part_of(parsed.get(), CURLUPART_HOST).value_or(""));
}

}  // namespace callisto::webhooks
