// bench_webhook_floor: the least that delivering can cost, for ./dev bench to compare webhooks with. A bare libcurl
// multi loop posts the same body again and again over so many connections: no queue, no database, no signatures.
#include <curl/curl.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Options {
  std::string url;
  long count = 10'000, size = 1'000, connections = 16;
};

Options read_options(int count, char** arguments) {
  Options options;
  CLI::App program("The least that delivering can cost.");
  program.add_option("--url", options.url, "where to post")->required();
  program.add_option("--count", options.count, "bodies in all")->check(CLI::Range(1L, 100'000'000L));
  program.add_option("--size", options.size, "bytes of a body")->check(CLI::Range(0L, 100'000'000L));
  program.add_option("--connections", options.connections, "at once")->check(CLI::Range(1L, 1'000L));
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) { std::exit(program.exit(error) == 0 ? 0 : 2); }
  return options;
}

std::size_t ignore(char*, std::size_t, std::size_t count, void*) { return count; }

CURL* make_poster(const Options& options, const std::string& body, const curl_slist* headers) {
  CURL* curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, options.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  return curl;
}

// How many were answered 200.
long post_all(CURLM* multi, const std::vector<CURL*>& posters, long count) {
  long begun = 0, ended = 0, good = 0;
  for (; begun < count && begun < static_cast<long>(posters.size()); ++begun)
    curl_multi_add_handle(multi, posters[static_cast<std::size_t>(begun)]);
  while (ended < count) {
    int left = 0;
    curl_multi_perform(multi, &left);
    while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
      CURL* curl = message->easy_handle;
      long status = 0;
      curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
      good += message->data.result == CURLE_OK && status == 200 ? 1 : 0;
      ++ended;
      curl_multi_remove_handle(multi, curl);
      if (begun < count) curl_multi_add_handle(multi, curl), ++begun;
    }
    if (ended < count) curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
  }
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = read_options(count, arguments);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::string body(static_cast<std::size_t>(options.size), 'x');
  curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Expect:");
  CURLM* multi = curl_multi_init();
  std::vector<CURL*> posters;
  for (long i = 0; i < options.connections; ++i) posters.push_back(make_poster(options, body, headers));
  const auto start = std::chrono::steady_clock::now();
  const long good = post_all(multi, posters, options.count);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::printf("%ld of %ld delivered in %.3f s: %.0f a second\n", good, options.count, taken.count(),
              static_cast<double>(good) / taken.count());
  for (CURL* poster : posters) curl_easy_cleanup(poster);
  curl_multi_cleanup(multi);
  curl_slist_free_all(headers);
  return good == options.count ? 0 : 1;
}
