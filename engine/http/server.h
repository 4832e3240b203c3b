// The HTTP front: CivetWeb behind the request validator of API rule 5.3. One handler serves everything. start() returns
// once it listens; stop() lets running requests finish. The handler is called on many threads at once, and no
// exception leaves the server.
//
// Requires: a handler that may be called on many threads at once. Invariants: none of its exceptions passes.
#pragma once

#include "engine/base/result.h"
#include "engine/http/listen_address.h"
#include "engine/http/message.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace callisto::http {

class Tls;

struct ServerOptions {
  std::vector<ListenAddress> listen = {{}};  // one at least
  SocketRights socket_rights;                // of unix sockets that are made
  int threads = 512;                         // = most connections held at once
  int keep_alive_ms = 5000;
  int request_timeout_ms = 10000;  // for a whole head, and for the next byte of a body
  // How long a head, or a next request, is waited for instead once three quarters of the threads are taken, and all.
  int crowded_patience_ms = 1000;
  int full_patience_ms = 100;
  // How long a body may be waited for: so long, and longer by what came of it at this rate.
  int body_grace_ms = 30000;
  int full_body_grace_ms = 2000;  // once all threads are taken
  int body_bytes_per_second = 4096;
  std::uint64_t all_bodies_bytes = std::uint64_t{320} * 1024 * 1024;  // of large bodies at once; beyond it is 503
  // Where large answers wait for their readers, and how many bytes of them; beyond it they wait in memory.
  std::string spill_folder;  // empty: nowhere
  std::uint64_t spilled_bytes = std::uint64_t{1} << 30;
  std::shared_ptr<Tls> tls;  // null: plain http
  bool gzip = true;          // compresses answers that may be, for clients that take it
  // Sees every answer to a request that could be read, before it is sent; may add headers. Null: nothing is added.
  std::function<void(const Request&, Response&)> complete;
  // The body of an error that the front itself answers (bad framing): status and message to JSON.
  std::function<void(const Error&, Response&)> render_error;
};

class Server {
 public:
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options, Handler handler);
  virtual ~Server() = default;                                      // stops
  virtual int port() const = 0;                                     // of the first address that has one; else 0
  virtual const std::vector<ListenAddress>& addresses() const = 0;  // with the ports that they have
  virtual void stop() = 0;                                          // idempotent
};

}  // namespace callisto::http
