#include "webhooks/curl_transfer.h"

#include "engine/base/text.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace callisto::webhooks {

namespace {

constexpr std::size_t read_headers = 64 * 1024;
constexpr std::size_t read_body = 64 * 1024;
constexpr std::size_t kept_headers = 8 * 1024;
constexpr std::size_t kept_body = 16 * 1024;

// Text that any database holds: UTF-8 without NUL.
std::string storable(std::string_view bytes) {
  std::string text(bytes);
  std::replace(text.begin(), text.end(), '\0', '\xFF');
  return text::well_formed(text);
}

template <typename Number>
Number info(CURL* easy, CURLINFO what) {
  Number number{};
  curl_easy_getinfo(easy, what, &number);
  return number;
}

HeaderList list_of(const Headers& headers) {
  // RFC 9110 10.1.1: "A client that will wait for a 100 (Continue) response before sending the request content MUST
  // send an Expect header field". Ours does not wait.
  HeaderList list(curl_slist_append(nullptr, "Expect:"));
  for (const auto& [name, value] : headers) {
    std::string line = name;
    line += value.empty() ? ";" : ": ";  // libcurl's way to say an empty one
    line += value;
    curl_slist* longer = list ? curl_slist_append(list.get(), line.c_str()) : nullptr;
    if (!longer) return nullptr;
    static_cast<void>(list.release());
    list.reset(longer);
  }
  return list;
}

bool is_tls(CURLcode code) {
  switch (code) {
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_SHUTDOWN_FAILED:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT:
    case CURLE_SSL_CACERT_BADFILE:
      return true;
    default:
      return false;
  }
}

void fail(Response& response, Outcome outcome, std::string error) {
  response.outcome = outcome;
  response.error = std::move(error);
}

}  // namespace

bool goes_by_proxy(const TransportOptions& options, const std::string& url) {
  const UrlHandle parsed(curl_url());
  if (options.proxy.empty() || !parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    return false;
  const std::string host = text::ascii_lower(part_of(parsed.get(), CURLUPART_HOST).value_or(""));
  return std::none_of(options.no_proxy.begin(), options.no_proxy.end(), [&](const std::string& each) {
    const std::string name = text::ascii_lower(each);
    return name.starts_with('.') ? host.ends_with(name) : host == name;
  });
}

std::unique_ptr<Transfer> Transfer::make(const TransportOptions& options) {
  std::unique_ptr<Transfer> transfer(new Transfer(options));
  return transfer->easy_ ? std::move(transfer) : nullptr;
}

// What holds for every request.
void Transfer::restrict() {
  CURL* curl = easy_.get();
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error_.data());
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);  // or a name server that hangs would hold up this thread
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "");  // what the environment says means nothing
  curl_easy_setopt(curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (options_.ca_file.empty())
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);  // libcurl keeps certificates read only where a file is all
  else curl_easy_setopt(curl, CURLOPT_CAINFO, options_.ca_file.c_str());  // the system's are in its CAPATH
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, this);
}

void Transfer::begin(Request request, const Clock& clock) {
  request_ = std::move(request);
  received_ = {};
  sockets_ = {};
  error_[0] = '\0';
  if (!std::exchange(is_fresh_, false)) {
    curl_easy_reset(easy_.get());  // libcurl counts how often a handle met a closed connection, and gives up at 5
    restrict();
  }
  started_ = clock.now();
  started_ms_ = clock.steady_ms();
  by_proxy_ = goes_by_proxy(options_, request_.url);
  write_request();
}

void Transfer::write_request() {
  CURL* curl = easy_.get();
  static const std::string empty;
  const std::string& body = request_.body ? *request_.body : empty;
  headers_ = list_of(request_.headers);
  curl_easy_setopt(curl, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROXY, by_proxy_ ? options_.proxy.c_str() : "");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers_.get());
  curl_easy_setopt(curl, CURLOPT_POST, 1L);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
  // 0 would mean no limit at all.
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, std::max(1L, static_cast<long>(request_.timeout.count())));
}

// A count other than the one given ends the transfer.
std::size_t Transfer::take_header(char* bytes, std::size_t, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.received_.header_bytes += count;
  if (transfer.received_.header_bytes > read_headers) {
    transfer.received_.headers_too_large = true;
    return 0;
  }
  transfer.keep_header({bytes, count});
  return count;
}

void Transfer::keep_header(std::string_view line) {
  if (line.starts_with("HTTP/")) {  // another answer: what came before was an interim one
    received_.headers.clear();
    received_.kept_bytes = 0;
    received_.headers_whole = false;
    return;
  }
  if (line == "\r\n" || line == "\n") received_.headers_whole = true;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  std::string name = storable(line.substr(0, colon));
  std::string value = storable(text::trim(line.substr(colon + 1)));
  received_.kept_bytes += name.size() + value.size();
  if (received_.kept_bytes <= kept_headers) received_.headers.emplace_back(std::move(name), std::move(value));
}

std::size_t Transfer::take_body(char* bytes, std::size_t, std::size_t count, void* self) {
  Received& received = static_cast<Transfer*>(self)->received_;
  received.body.append(bytes, std::min(count, kept_body - received.body.size()));
  received.body_bytes += count;
  received.body_cut = received.body_bytes > read_body;
  return received.body_cut ? 0 : count;
}

// The address that is really connected to is the one that is judged.
curl_socket_t Transfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  auto& transfer = *static_cast<Transfer*>(self);
  // Behind a proxy no socket tells where a request goes; the transport has judged what the url says.
  if (auto refusal = transfer.by_proxy_ ? std::nullopt : judge(transfer.options_.policy, address->addr)) {
    transfer.sockets_.refusal = std::move(refusal);
    return CURL_SOCKET_BAD;
  }
  ++transfer.sockets_.opened;
  transfer.sockets_.last = text_of(address->addr);
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

bool Transfer::connected() const {
  return info<curl_off_t>(easy_.get(), CURLINFO_PRETRANSFER_TIME_T) > 0 ||
         info<curl_off_t>(easy_.get(), CURLINFO_CONNECT_TIME_T) > 0;
}

Response Transfer::end(CURLcode code, const Clock& clock) {
  Response response;
  response.delivery = request_.delivery;
  response.started = started_;
  response.duration = std::chrono::milliseconds(clock.steady_ms() - started_ms_);
  read_answer(response);
  if (received_.headers_too_large) {
    fail(response, Outcome::TooLarge, "The answer has over 64 KiB of headers; make the receiver answer with fewer");
  } else if (code != CURLE_OK && !received_.body_cut) {
    judge_failure(code, response);
  } else if (!received_.headers_whole) {  // libcurl makes do with half of them
    judge_failure(CURLE_PARTIAL_FILE, response);
  } else if (response.status >= 300 && response.status < 400) {
    fail(response, Outcome::Redirect,
         "The receiver redirects, and redirects are not followed; set PayloadUrl to the address that it names in "
         "Location");
  } else {
    response.outcome = Outcome::Http;
  }
  is_fresh_ = code == CURLE_OK && info<long>(easy_.get(), CURLINFO_NUM_CONNECTS) == 0;
  request_ = {};
  received_ = {};
  return response;
}

void Transfer::read_answer(Response& response) const {
  CURL* curl = easy_.get();
  response.status = static_cast<int>(info<long>(curl, CURLINFO_RESPONSE_CODE));
  response.headers = received_.headers;
  response.body = storable(received_.body);
  if (response.body.size() > kept_body) response.body.resize(kept_body);
  response.body.resize(text::valid_prefix(response.body));
  const char* ip = info<const char*>(curl, CURLINFO_PRIMARY_IP);
  if (!connected() || !ip || !*ip) return;
  const std::string host = std::string_view(ip).find(':') == std::string_view::npos ? ip : "[" + std::string(ip) + "]";
  response.address = host + ":" + std::to_string(info<long>(curl, CURLINFO_PRIMARY_PORT));
}

void Transfer::judge_failure(CURLcode code, Response& response) const {
  const std::string detail = error_[0] ? storable(error_.data()) : curl_easy_strerror(code);
  if (is_tls(code))
    return fail(response, Outcome::Tls,
                detail + "; fix the receiver's certificate, or name the authority that signed it in webhooks.ca_file");
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
      return fail(response, Outcome::Dns, detail + "; check webhooks.proxy");
    case CURLE_COULDNT_RESOLVE_HOST:
      return fail(response, Outcome::Dns, detail + "; check the host in PayloadUrl, and the name server");
    case CURLE_COULDNT_CONNECT: {
      if (sockets_.refusal && sockets_.opened == 0) return fail(response, Outcome::BlockedAddress, *sockets_.refusal);
      const auto reason = static_cast<int>(info<long>(easy_.get(), CURLINFO_OS_ERRNO));
      return fail(
          response, Outcome::ConnectRefused,
          sockets_.last + " cannot be connected to" +
              (reason ? ": " + std::generic_category().message(reason) : std::string()) +
              (by_proxy_ ? "; it is the proxy of webhooks.proxy" : "; start the receiver, or open the way to it"));
    }
    case CURLE_OPERATION_TIMEDOUT:
      return judge_timeout(response);
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
      if (const long said = info<long>(easy_.get(), CURLINFO_HTTP_CONNECTCODE); by_proxy_ && said >= 300)
        return fail(response, Outcome::ConnectRefused,
                    "The proxy of webhooks.proxy answers " + std::to_string(said) +
                        " to the way to the receiver; have it let deliveries pass");
      return fail(response, Outcome::Reset, "The receiver closed the connection before its answer was whole");
    case CURLE_UNSUPPORTED_PROTOCOL:
      if (!connected()) return fail(response, Outcome::Internal, "PayloadUrl must begin with http:// or https://");
      [[fallthrough]];
    case CURLE_WEIRD_SERVER_REPLY:
      return fail(response, Outcome::Reset, "The receiver does not answer in HTTP; check the port in PayloadUrl");
    case CURLE_OUT_OF_MEMORY:  // what libcurl says of one header over 100 KiB
      return fail(response, Outcome::TooLarge, "A header of the answer is too long; make the receiver shorten it");
    default:
      return fail(response, Outcome::Internal, detail);
  }
}

void Transfer::judge_timeout(Response& response) const {
  if (info<curl_off_t>(easy_.get(), CURLINFO_PRETRANSFER_TIME_T) > 0)
    return fail(response, Outcome::TimeoutTotal,
                "No whole answer within " + std::to_string(request_.timeout.count()) +
                    " ms; make the receiver answer first and work afterwards");
  if (sockets_.opened == 0) return fail(response, Outcome::Dns, "The name server did not answer in time; check it");
  fail(response, Outcome::TimeoutConnect,
       "No connection to " + sockets_.last + " in time; open the way to the receiver");
}

}  // namespace callisto::webhooks
