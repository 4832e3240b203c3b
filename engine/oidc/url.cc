#include "engine/oidc/url.h"

#include "engine/base/freed.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <memory>
#include <optional>

namespace callisto::oidc {

namespace {

using UrlHandle = std::unique_ptr<CURLU, Freed<curl_url_cleanup>>;
using CurlText = std::unique_ptr<char, Freed<curl_free>>;

std::optional<std::string> part_of(CURLU* url, CURLUPart part) {
  char* found = nullptr;
  if (curl_url_get(url, part, &found, 0) != CURLUE_OK) return std::nullopt;
  const CurlText owner(found);
  return std::string(found);
}

// Nothing unless libcurl can read it. It lets what follows a NUL pass.
UrlHandle parse(const std::string& url) {
  UrlHandle parsed(curl_url());
  const bool good = parsed && url.find('\0') == std::string::npos &&
                    curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK;
  return good ? std::move(parsed) : nullptr;
}

// libcurl has made 127.1 and the like 127.0.0.1 by now, and takes "localhost" for this machine without asking DNS.
bool is_loopback(const std::string& host) {
  if (host == "localhost" || host == "[::1]") return true;
  in_addr address{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

}  // namespace

Transport transport_of(const std::string& url) {
  const bool secure = url.starts_with("https://");
  // libcurl lets more slashes and an empty fragment pass.
  if (!secure && !url.starts_with("http://")) return Transport::Refused;
  const UrlHandle parsed = url.find('#') == std::string::npos ? parse(url) : nullptr;
  if (!parsed) return Transport::Refused;
  if (part_of(parsed.get(), CURLUPART_USER) || part_of(parsed.get(), CURLUPART_PASSWORD)) return Transport::Refused;
  if (secure) return Transport::Https;
  return is_loopback(part_of(parsed.get(), CURLUPART_HOST).value_or("")) ? Transport::Loopback : Transport::Refused;
}

bool names_proxy(const std::string& url) { return url.starts_with("http://") && parse(url); }

}  // namespace callisto::oidc
