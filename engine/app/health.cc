#include "engine/app/health.h"

#include "engine/app/commands.h"
#include "engine/base/freed.h"

#include <curl/curl.h>

#include <cstdio>
#include <memory>

namespace callisto::app {

namespace {

constexpr std::size_t most_bytes = 4096;

std::size_t take(char* bytes, std::size_t, std::size_t count, void* target) {
  auto& text = *static_cast<std::string*>(target);
  if (text.size() + count > most_bytes) return 0;
  text.append(bytes, count);
  return count;
}

}  // namespace

HealthAnswer ask_health(const std::string& url, std::chrono::milliseconds patience) {
  HealthAnswer answer;
  const std::unique_ptr<CURL, Freed<curl_easy_cleanup>> curl(curl_easy_init());
  if (!curl) return {0, "libcurl finds no memory"};
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_USERAGENT, "callisto-health");
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYPEER, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYHOST, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(patience.count()));
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &answer.text);
  const CURLcode done = curl_easy_perform(curl.get());
  if (done != CURLE_OK) return {0, curl_easy_strerror(done)};
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return answer;
}

std::string own_url(const Address& address, int port, bool tls) {
  const std::string host = address.host == "0.0.0.0" ? "127.0.0.1" : address.host == "::" ? "::1" : address.host;
  const bool is_v6 = host.find(':') != host.npos;
  return (tls ? "https://" : "http://") + (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

int health(const Settings& settings, const HealthOptions& options) {
  const auto address = parse_address(settings.listen);
  if (!address) {
    std::fprintf(stderr, "callisto: %s\n", address.error().message.c_str());
    return 2;
  }
  if (address->port == 0) {
    std::fprintf(stderr, "callisto: the setting listen has port 0, so that the server's own is not known here\n");
    return 2;
  }
  const std::string url =
      own_url(*address, address->port, !settings.tls_certificate.empty()) + (options.alive ? "/healthz" : "/readyz");
  const HealthAnswer answer = ask_health(url, std::chrono::seconds(options.seconds));
  if (answer.is_well()) {
    std::printf("%s\n", answer.text.c_str());
    return 0;
  }
  std::fprintf(stderr, "callisto: %s: %s%s\n", url.c_str(),
               answer.status == 0 ? "" : (std::to_string(answer.status) + " ").c_str(), answer.text.c_str());
  return 1;
}

}  // namespace callisto::app
