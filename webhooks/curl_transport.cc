#include "webhooks/curl_transport.h"

#include "engine/base/text.h"
#include "webhooks/address_policy.h"
#include "webhooks/curl_handles.h"
#include "webhooks/curl_transfer.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <atomic>
#include <map>

namespace callisto::webhooks {

namespace {

using Milliseconds = std::chrono::milliseconds;

bool is_url(const std::string& url) {
  const UrlHandle parsed(curl_url());
  return parsed && curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK;
}

// A line break would make two headers of one, a NUL would end it.
bool is_plain(const Headers& headers) {
  constexpr std::string_view breaks("\r\n\0", 3);
  return std::none_of(headers.begin(), headers.end(), [&](const auto& header) {
    return header.first.find_first_of(breaks) != std::string::npos ||
           header.second.find_first_of(breaks) != std::string::npos;
  });
}

class CurlTransport final : public Transport {
 public:
  CurlTransport(TransportOptions options, const Clock& clock)
      : options_(std::move(options)), clock_(clock), multi_(curl_multi_init()) {
    if (!multi_) return;
    curl_multi_setopt(multi_.get(), CURLMOPT_MAX_TOTAL_CONNECTIONS, static_cast<long>(options_.connections));
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(options_.connections));
  }

  // What is under way ends without an answer.
  ~CurlTransport() override {
    for (const auto& [handle, transfer] : running_) curl_multi_remove_handle(multi_.get(), handle);
  }

  bool works() const { return multi_ != nullptr; }

  void start(Request request) override {
    if (!is_url(request.url)) return refuse(request, "PayloadUrl is no url; write it as https://host/path");
    if (!is_plain(request.headers)) return refuse(request, "A header holds a line break");
    if (auto refusal = refusal_of(request.url)) return refuse(request, *std::move(refusal), Outcome::BlockedAddress);
    auto transfer = idle_.empty() ? Transfer::make(options_) : std::move(idle_.back());
    if (!idle_.empty()) idle_.pop_back();
    if (!transfer) return refuse(request, "libcurl finds no memory");
    transfer->begin(std::move(request), clock_);
    CURL* handle = transfer->handle();
    running_.emplace(handle, std::move(transfer));
    if (curl_multi_add_handle(multi_.get(), handle) != CURLM_OK) end(handle, CURLE_FAILED_INIT);
  }

  std::size_t in_flight() const override { return running_.size(); }

  std::vector<Response> wait(Milliseconds patience) override {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (true) {
      int running = 0;
      curl_multi_perform(multi_.get(), &running);
      collect();
      if (woken_.exchange(false) || !ended_.empty()) break;
      const auto left = std::chrono::ceil<Milliseconds>(until - std::chrono::steady_clock::now());
      if (left.count() <= 0) break;
      curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)),
                      nullptr);
    }
    return std::exchange(ended_, {});
  }

  void wake() override {
    woken_ = true;
    curl_multi_wakeup(multi_.get());
  }

 private:
  // Of what a proxy would look up for us, since no socket tells where that goes: as when the url was saved.
  std::optional<std::string> refusal_of(const std::string& url) const {
    return goes_by_proxy(options_, url) ? check_url(url, options_.policy) : std::nullopt;
  }

  void refuse(const Request& request, std::string error, Outcome outcome = Outcome::Internal) {
    Response response;
    response.delivery = request.delivery;
    response.outcome = outcome;
    response.error = std::move(error);
    response.started = clock_.now();
    ended_.push_back(std::move(response));
  }

  void collect() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* handle = message->easy_handle;
      const CURLcode code = message->data.result;  // gone with the handle
      end(handle, code);
    }
  }

  void end(CURL* handle, CURLcode code) {
    auto transfer = std::move(running_.extract(handle).mapped());
    ended_.push_back(transfer->end(code, clock_));
    curl_multi_remove_handle(multi_.get(), handle);
    idle_.push_back(std::move(transfer));
  }

  const TransportOptions options_;
  const Clock& clock_;
  const MultiHandle multi_;  // goes after the handles in it
  std::map<CURL*, std::unique_ptr<Transfer>> running_;
  std::vector<std::unique_ptr<Transfer>> idle_;
  std::vector<Response> ended_;
  std::atomic<bool> woken_{false};
};

bool holds_certificates(const std::string& file) {
  const std::unique_ptr<X509_STORE, Freed<X509_STORE_free>> store(X509_STORE_new());
  const bool read = store && X509_STORE_load_file(store.get(), file.c_str()) == 1;
  ERR_clear_error();  // or libcurl would take it for one of its own
  return read;
}

}  // namespace

Result<void> check(const TransportOptions& options) {
  const bool is_proxy = options.proxy.starts_with("http://") && is_url(options.proxy);
  if (!options.proxy.empty() && !is_proxy)
    return internal("webhooks.proxy is no url of an HTTP proxy; write it as http://HOST:PORT");
  if (!options.ca_file.empty() && !holds_certificates(options.ca_file))
    return internal("webhooks.ca_file: " + options.ca_file + " holds no certificates; name a file in PEM form");
  return {};
}

Result<std::unique_ptr<Transport>> make_curl_transport(TransportOptions options, const Clock& clock) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);  // once in the program's life
  if (started != CURLE_OK) return internal("libcurl does not start");
  CALLISTO_CHECK(check(options));
  auto transport = std::make_unique<CurlTransport>(std::move(options), clock);
  if (!transport->works()) return internal("libcurl finds no memory");
  return std::unique_ptr<Transport>(std::move(transport));
}

}  // namespace callisto::webhooks
