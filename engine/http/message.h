// One request and its answer, free of CivetWeb. A Request's views live as long as the handler's call; the handler runs
// on a thread of the server. A Response is filled by the handler and written once, headers and body together.
#pragma once

#include "engine/base/memory_budget.h"
#include "engine/base/result.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::http {

// Takes the next bytes of a body; an error ends the reading.
using BodySink = std::function<Result<void>(std::string_view)>;

class Request {
 public:
  virtual ~Request() = default;
  std::string_view method;          // "GET"; upper case as sent
  std::string_view raw_path;        // as sent, undecoded, without the query
  std::string_view raw_query;       // as sent, without '?'
  std::string_view authority;       // host and port that the client asked for, or the server's own where it names none
  std::string_view remote_address;  // the client's
  std::string_view proxy_address;   // of the trusted proxy that told it; empty: none
  bool secure = false;              // came over TLS, to the trusted proxy where there is one
  bool head = false;                // a HEAD request: handled as GET, the body is not written
  virtual std::string_view header(std::string_view any_case_name) const = 0;  // the first, trimmed; empty: absent
  bool reads() const { return method == "GET" || method == "HEAD"; }
  // Where the client sees this server, unless a setting says otherwise.
  std::string origin() const {
    return (secure ? "https://" : "http://") + std::string(authority.empty() ? header("Host") : authority);
  }
  // How often it stands there; whoever decides by a header that lists nothing refuses more than one.
  virtual std::size_t header_count(std::string_view any_case_name) const = 0;
  // Each time it stands there, in order.
  virtual std::vector<std::string_view> all_headers(std::string_view any_case_name) const {
    return header_count(any_case_name) == 0 ? std::vector<std::string_view>() : std::vector{header(any_case_name)};
  }
  // Who holds the other end of the connection: the client, or the trusted proxy that spoke for it (proxies.h).
  std::string_view peer_address() const { return proxy_address.empty() ? remote_address : proxy_address; }
  // The whole body, at most `limit` bytes: 413 beyond, 400 when it is cut short. Answers Expect: 100-continue. Once.
  virtual Result<std::string> body(std::size_t limit) = 0;
  // The same by pieces, never more than one of them in memory. Instead of body(), once.
  virtual Result<void> read_body(std::size_t limit, const BodySink& sink) = 0;
};

struct Response {
  int status = 200;
  std::string_view content_type = "application/json; charset=utf-8";  // a literal, or own_content_type
  std::string own_content_type;
  std::vector<std::pair<std::string, std::string>> headers;  // beside the standing ones
  std::string body;
  std::shared_ptr<const std::string> kept;  // sent instead of `body`: what many answers share
  MemoryBudget::Share memory;               // what `body` takes of the budget of all answers
  const std::string& content() const { return kept ? *kept : body; }
  bool close = false;  // end the connection afterwards
  // It may be sent compressed. Never where a secret of the server's stands beside what a stranger wrote: the length
  // would tell of it.
  bool compressible = false;
};

using Handler = std::function<void(Request&, Response&)>;

}  // namespace callisto::http
