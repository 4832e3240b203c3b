// One request on one libcurl handle, which the next request reuses: its options, the answer, and the outcome. Belongs
// to curl_transport.cc. One thread.
#pragma once

#include "engine/base/datetime.h"
#include "webhooks/curl_handles.h"
#include "webhooks/curl_transport.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::webhooks {

// Whether a request to it leaves through the proxy of the options.
bool goes_by_proxy(const TransportOptions& options, const std::string& url);

class Transfer {
 public:
  // Nothing where libcurl finds no memory. `options` must outlive it.
  static std::unique_ptr<Transfer> make(const TransportOptions& options);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void begin(Request request, const Clock& clock);
  Response end(CURLcode code, const Clock& clock);  // what became of it; then it may begin another

  CURL* handle() const { return easy_.get(); }

 private:
  struct Received {
    Headers headers;
    std::size_t header_bytes = 0;  // of all answers, interim ones too
    std::size_t kept_bytes = 0;
    std::string body;
    std::size_t body_bytes = 0;
    bool headers_whole = false;  // their blank line came
    bool headers_too_large = false;
    bool body_cut = false;
  };
  struct Sockets {
    int opened = 0;
    std::string last;                    // address tried last
    std::optional<std::string> refusal;  // why one was refused
  };

  explicit Transfer(const TransportOptions& options) : options_(options), easy_(curl_easy_init()) {}
  void restrict();
  void write_request();
  void read_answer(Response& response) const;
  void judge_failure(CURLcode code, Response& response) const;
  void judge_timeout(Response& response) const;

  static std::size_t take_header(char* bytes, std::size_t, std::size_t count, void* self);
  static std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* self);
  static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* address);
  void keep_header(std::string_view line);
  bool connected() const;

  const TransportOptions& options_;
  EasyHandle easy_;
  bool by_proxy_ = false;
  bool is_fresh_ = false;  // its options stand, and its last request met no closed connection
  HeaderList headers_;
  Request request_;
  Received received_;
  Sockets sockets_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  DateTime started_;
  std::int64_t started_ms_ = 0;  // of the steady clock
};

}  // namespace callisto::webhooks
