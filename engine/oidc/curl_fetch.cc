#include "engine/base/error.h"
#include "engine/base/freed.h"
#include "engine/oidc/fetch.h"
#include "engine/oidc/url.h"

#include <curl/curl.h>

#include <memory>
#include <utility>

namespace callisto::oidc {

namespace {

using Handle = std::unique_ptr<CURL, Freed<curl_easy_cleanup>>;
using HeaderList = std::unique_ptr<curl_slist, Freed<curl_slist_free_all>>;

struct Received {
  FetchAnswer answer;
  std::size_t left = 0;  // bytes that headers and body may still have
  bool too_long = false;

  bool take(std::size_t count) {
    too_long = too_long || count > left;
    left -= too_long ? 0 : count;
    return !too_long;
  }
};

// A count other than the one given ends the transfer.
std::size_t take_header(char*, std::size_t, std::size_t count, void* target) {
  return static_cast<Received*>(target)->take(count) ? count : 0;
}

std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* target) {
  auto& received = *static_cast<Received*>(target);
  if (!received.take(count)) return 0;
  received.answer.body.append(bytes, count);
  return count;
}

void restrict_transfer(CURL* curl, const FetchOptions& options, bool loopback) {
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, loopback ? "http" : "https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, options.milliseconds);
  curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(options.bytes));
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  if (loopback) {
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
  } else if (!options.proxy.empty()) {
    curl_easy_setopt(curl, CURLOPT_PROXY, options.proxy.c_str());
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "");  // nor does the environment except a host
  }
}

void write_request(CURL* curl, const FetchRequest& request, const curl_slist* headers) {
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "callisto");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  if (request.form) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.form->size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.form->data());
  }
  if (request.user.empty()) return;
  curl_easy_setopt(curl, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
  curl_easy_setopt(curl, CURLOPT_USERNAME, request.user.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, request.password.c_str());
}

// Nothing where there is no memory.
HeaderList headers_of(const FetchRequest& request) {
  const bool is_user_info = !request.bearer.empty();  // which may be signed (Core 5.3.2)
  HeaderList headers(curl_slist_append(
      nullptr, is_user_info ? "Accept: application/json, application/jwt" : "Accept: application/json"));
  if (!headers || !is_user_info) return headers;
  const std::string authorization = "Authorization: Bearer " + request.bearer;
  if (!curl_slist_append(headers.get(), authorization.c_str())) headers.reset();
  return headers;
}

FetchAnswer answer_of(CURL* curl, Received&& received) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  const char* type = nullptr;
  curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
  received.answer.status = static_cast<int>(status);
  received.answer.content_type = type ? type : "";
  return std::move(received.answer);
}

// Names the proxy, where that is what failed.
std::string failure_of(CURL* curl, CURLcode result, bool by_setting) {
  long said = 0;
  curl_easy_getinfo(curl, CURLINFO_HTTP_CONNECTCODE, &said);
  const std::string of_proxy = by_setting ? "the proxy of oidc.proxy" : "the proxy of HTTPS_PROXY";
  if (said >= 300) return of_proxy + " answers " + std::to_string(said);
  if (result == CURLE_COULDNT_RESOLVE_PROXY) return "the name of " + of_proxy + " is not found";
  const std::string failure = curl_easy_strerror(result);
  return by_setting && result == CURLE_COULDNT_CONNECT ? failure + " (" + of_proxy + ")" : failure;
}

class CurlFetcher final : public Fetcher {
 public:
  explicit CurlFetcher(FetchOptions options) : options_(std::move(options)) {}

  Result<FetchAnswer> fetch(const FetchRequest& request) override {
    const Transport transport = transport_of(request.url);
    if (transport == Transport::Refused) return internal("only https is fetched, and http on loopback addresses");
    const Handle curl(curl_easy_init());
    const HeaderList headers = headers_of(request);
    if (!curl || !headers) return internal("libcurl finds no memory");
    Received received;
    received.left = options_.bytes;
    const bool loopback = transport == Transport::Loopback;
    restrict_transfer(curl.get(), options_, loopback);
    write_request(curl.get(), request, headers.get());
    curl_easy_setopt(curl.get(), CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl.get(), CURLOPT_HEADERDATA, &received);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &received);
    const CURLcode result = curl_easy_perform(curl.get());
    if (received.too_long || result == CURLE_FILESIZE_EXCEEDED)
      return internal("the answer is longer than " + std::to_string(options_.bytes) + " bytes");
    if (result != CURLE_OK) return internal(failure_of(curl.get(), result, !loopback && !options_.proxy.empty()));
    return answer_of(curl.get(), std::move(received));
  }

 private:
  const FetchOptions options_;
};

}  // namespace

std::unique_ptr<Fetcher> make_curl_fetcher(FetchOptions options) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);  // once in the program's life
  static_cast<void>(started);                                             // curl_easy_init fails where this did
  return std::make_unique<CurlFetcher>(std::move(options));
}

}  // namespace callisto::oidc
