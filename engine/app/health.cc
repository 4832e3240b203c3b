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

HealthAnswer ask_health(const OwnDoor& door, const std::string& path, std::chrono::milliseconds patience) {
  HealthAnswer answer;
  const std::unique_ptr<CURL, Freed<curl_easy_cleanup>> curl(curl_easy_init());
  if (!curl) return {0, "libcurl finds no memory"};
  curl_easy_setopt(curl.get(), CURLOPT_URL, (door.url + path).c_str());
  if (!door.socket.empty()) curl_easy_setopt(curl.get(), CURLOPT_UNIX_SOCKET_PATH, door.socket.c_str());
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

int health(const Settings& settings, const HealthOptions& options) {
  const auto addresses = where_it_listens(settings);
  if (!addresses) {
    std::fprintf(stderr, "callisto: %s\n", addresses.error().message.c_str());
    return 2;
  }
  const OwnDoor door = own_door(*addresses, !settings.tls_certificate.empty());
  const std::string path = options.alive ? "/healthz" : "/readyz";
  const std::string shown = (door.socket.empty() ? door.url : "unix:" + door.socket) + path;
  const HealthAnswer answer = ask_health(door, path, std::chrono::seconds(options.seconds));
  if (answer.is_well()) {
    std::printf("%s\n", answer.text.c_str());
    return 0;
  }
  std::fprintf(stderr, "callisto: %s: %s%s\n", shown.c_str(),
               answer.status == 0 ? "" : (std::to_string(answer.status) + " ").c_str(), answer.text.c_str());
  return 1;
}

}  // namespace callisto::app
