// Transport: requests in flight to receivers. The dispatcher starts them and takes their outcomes; how bytes travel
// (libcurl, or a simulation in tests) is the transport's own business. It has no queue: a request that waited here
// would be sent with the url, secret and timestamp of when it was built. One thread, except for wake().
#pragma once

#include "engine/base/value.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace callisto::webhooks {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::int64_t delivery = 0;  // its Ref; names the request in the Response
  std::string url;
  Headers headers;                            // all but those that the transport adds: Content-Length, Host, Accept
  std::shared_ptr<const std::string> body;    // byte for byte
  std::chrono::milliseconds timeout{15'000};  // of the whole attempt
};

// Http: an answer came whole; its status says the rest.
enum class Outcome {
  Http,
  ConnectRefused,
  Dns,
  Tls,
  TimeoutConnect,
  TimeoutTotal,
  Reset,
  BlockedAddress,
  TooLarge,
  Redirect,
  Internal
};

struct Response {
  std::int64_t delivery = 0;
  Outcome outcome = Outcome::Internal;
  int status = 0;       // of HTTP; 0 where no status line came
  Headers headers;      // at most 8 KiB of them
  std::string body;     // its first 16 KiB
  std::string address;  // connected to, such as 192.0.2.7:443; empty: none
  std::string error;    // for people: what went wrong and, where there is one, the fix; empty for Http
  DateTime started;
  std::chrono::milliseconds duration{0};
};

class Transport {
 public:
  virtual ~Transport() = default;
  // At once: how many may be on their way is the dispatcher's to know. Never fails: a refusal comes back as a Response.
  virtual void start(Request request) = 0;
  virtual std::size_t in_flight() const = 0;
  // Waits until something ended, wake() was called, or `patience` is over; a wake() between two calls is not lost.
  virtual std::vector<Response> wait(std::chrono::milliseconds patience) = 0;
  virtual void wake() = 0;  // any thread
};

}  // namespace callisto::webhooks
