#include "engine/http/server.h"

#include "engine/base/log.h"
#include "engine/base/process_limits.h"
#include "engine/base/ticker.h"
#include "engine/http/connections/capacity.h"
#include "engine/http/connections/connection_watch.h"
#include "engine/http/connections/handed_sockets.h"
#include "engine/http/connections/request_server.h"
#include "engine/http/connections/worker_stack.h"
#include "engine/http/framing/request_target.h"
#include "engine/http/listening/listener.h"
#include "engine/http/tls.h"
#include "engine/http/tls_library.h"

#include <civetweb.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace callisto::http {
namespace {

using std::chrono::milliseconds;

// For what runs when stop() is called: with what else ends, less than the 10 s after which Docker kills.
constexpr std::chrono::seconds patience(4);

// The many threads that serve give way to the few that others wait for, above all the one that writes: at equal rank it
// gets no more of the processors than each of those that read (decision 0023). On Linux this is of one thread.
constexpr int gives_way_by = 4;
void give_way() { [[maybe_unused]] const int now = nice(gives_way_by); }

thread_local bool is_counted = false;  // the connection that this worker has

// A head comes whole as a rule, but the way to the first one over TLS is two round trips.
ConnectionWatch::Limits limits(const ServerOptions& options) {
  const milliseconds crowded(options.crowded_patience_ms);
  return {options.threads, crowded, options.tls ? crowded : milliseconds(options.full_patience_ms),
          milliseconds(std::max(options.body_grace_ms - options.full_body_grace_ms, 0))};
}

class CivetServer final : public Server {
 public:
  CivetServer(const ServerOptions& options, int queue, Handler handler)
      : options_(options), queue_(queue), watch_(limits(options_)), requests_(options_, std::move(handler)) {}
  ~CivetServer() override { stop(); }

  Result<void> listen(std::vector<Listener> listeners);
  bool is_given_up() const { return is_given_up_; }  // its threads run on, and it must not be destroyed
  int port() const override;
  const std::vector<ListenAddress>& addresses() const override { return addresses_; }
  void stop() override {
    std::call_once(stopped_, [this] { finish(); });
  }

 private:
  static CivetServer& of(const mg_connection* connection) {
    return *static_cast<CivetServer*>(mg_get_user_data(mg_get_context(connection)));
  }
  static Worker& worker() { return *static_cast<Worker*>(mg_get_thread_pointer(nullptr)); }  // of this thread
  Result<void> begin();
  Result<void> wait_for_acceptance();
  std::string ports() const;
  static mg_callbacks callbacks();
  static int on_request(mg_connection* connection);
  static int on_error(mg_connection* connection, int status, const char* message);
  static int on_log(const mg_connection* connection, const char* message);
  void finish();

  const ServerOptions options_;
  const int queue_;
  ConnectionWatch watch_;
  RequestServer requests_;
  std::vector<ListenAddress> addresses_;
  std::string authority_;
  std::optional<HandedSockets> sockets_;
  mg_context* context_ = nullptr;
  bool is_given_up_ = false;
  std::atomic<bool> accepts_ = false;  // the thread that does was made
  std::once_flag stopped_;
  std::optional<Ticker> looks_;
};

Result<void> prepare_library(bool with_tls) {
  [[maybe_unused]] static const unsigned plain = mg_init_library(0);
  if (!with_tls) return {};
  CALLISTO_CHECK(open_tls_library());
  static const unsigned features = mg_init_library(MG_FEATURES_TLS);
  if ((features & MG_FEATURES_TLS) != 0) return {};
  return bad_format(
      "TLS cannot be served: CivetWeb was built without it or does not get on with the installed OpenSSL.");
}

// For each listener one port of any number: HandedSockets gives CivetWeb its socket. A unix socket is this machine's
// own, and its proxy has spoken TLS already.
std::string CivetServer::ports() const {
  std::string ports;
  for (const ListenAddress& each : addresses_)
    ports += std::string(ports.empty() ? "" : ",") + "127.0.0.1:0" + (options_.tls && !each.is_unix() ? "s" : "");
  return ports;
}

Result<void> CivetServer::listen(std::vector<Listener> listeners) {
  CALLISTO_CHECK(prepare_library(options_.tls != nullptr));
  widen_worker_stacks();
  sockets_.emplace(std::move(listeners),
                   [this](int descriptor, std::string client) { watch_.accepted(descriptor, std::move(client)); });
  addresses_ = sockets_->addresses();
  authority_ = authority_of(addresses_.front());
  // Made first, so that nothing can fail once CivetWeb's threads run. A handshake takes a thread before the connection
  // is counted; so over TLS every look is at all of them.
  const bool tls = options_.tls != nullptr;
  looks_.emplace(milliseconds(tls ? 250 : 50), [this, tls] { watch_.look(tls || requests_.is_crowded()); });
  CALLISTO_CHECK(begin());
  return wait_for_acceptance();
}

Result<void> CivetServer::begin() {
  const std::string listening = ports();
  const std::string threads = std::to_string(options_.threads), queue = std::to_string(queue_);
  const std::string keep_alive = std::to_string(options_.keep_alive_ms);
  const std::string timeout = std::to_string(options_.request_timeout_ms);
  const std::string buffer = std::to_string(read_buffer_bytes);
  const std::string backlog = std::to_string(listen_backlog);
  const char* settings[] = {"listening_ports",
                            listening.c_str(),
                            "num_threads",
                            threads.c_str(),
                            "enable_keep_alive",
                            "yes",
                            "keep_alive_timeout_ms",
                            keep_alive.c_str(),
                            "request_timeout_ms",
                            timeout.c_str(),
                            "listen_backlog",
                            backlog.c_str(),
                            "connection_queue",
                            queue.c_str(),
                            "decode_url",
                            "no",
                            "decode_query_string",
                            "no",
                            "max_request_size",
                            buffer.c_str(),
                            "enable_auth_domain_check",
                            "no",
                            nullptr};
  const mg_callbacks functions = callbacks();
  unsigned code = 0;
  char reason[256] = "";
  mg_error_data fault{&code, reason, sizeof reason};
  mg_init_data start{&functions, this, settings};
  sockets_->begin();
  context_ = mg_start2(&start, &fault);
  sockets_->end();
  if (context_) return {};
  sockets_->forget();
  return bad_format("Cannot serve: CivetWeb says: " + std::string(reason));
}

int CivetServer::port() const {
  for (const ListenAddress& each : addresses_)
    if (!each.is_unix()) return each.port;
  return 0;
}

// CivetWeb does not look whether it got the thread that accepts, and mg_stop() goes by that thread: without it the
// others cannot be ended, and what they use has to stay (the caller gives it up).
Result<void> CivetServer::wait_for_acceptance() {
  const auto latest = std::chrono::steady_clock::now() + patience;
  while (!accepts_ && std::chrono::steady_clock::now() < latest) std::this_thread::sleep_for(milliseconds(1));
  if (accepts_) return {};
  context_ = nullptr;
  is_given_up_ = true;
  sockets_->stop();
  return bad_format("no thread could be made that accepts connections; the limits are: " +
                    process_limits::of_threads());
}

mg_callbacks CivetServer::callbacks() {
  mg_callbacks functions{};
  functions.begin_request = on_request;
  functions.http_error = on_error;
  functions.log_message = on_log;
  functions.init_thread = [](const mg_context* context, int kind) -> void* {
    constexpr int acceptor = 0, worker = 1;
    auto& server = *static_cast<CivetServer*>(mg_get_user_data(context));
    if (kind == acceptor) {
      server.sockets_->wait_here();
      server.accepts_ = true;
    }
    if (kind == worker) give_way();
    return &server.watch_.add_worker();
  };
  functions.init_connection = [](const mg_connection* connection, void**) {
    of(connection).requests_.begin_connection();
    worker().begin_connection();
    watch_targets(connection);
    is_counted = true;
    return 0;
  };
  // A request of HTTP/1.0 without headers whose target is no path: request_target.h.
  functions.connection_close = [](const mg_connection* connection) {
    constexpr int bad_request = 400;
    if (was_dropped()) on_error(const_cast<mg_connection*>(connection), bad_request, "");
  };
  // Of a handshake that failed the end is told, but not the beginning.
  functions.connection_closed = [](const mg_connection* connection) {
    if (std::exchange(is_counted, false)) of(connection).requests_.end_connection();
    watch_targets(nullptr);
    worker().end_connection();
  };
  functions.external_ssl_ctx = [](void** context, void* server) {
    const auto& tls = static_cast<CivetServer*>(server)->options_.tls;
    if (!tls) return 0;
    *context = tls->context();
    return 1;  // nothing is left for CivetWeb to set, nor to free when it stops
  };
  return functions;
}

int CivetServer::on_log(const mg_connection*, const char* message) {
  if (std::string_view(message).starts_with("Cannot start worker thread"))  // it goes on with those it has
    log::warning("There are fewer threads that serve than were asked for; the limits are: " +
                 process_limits::of_threads() + ".");
  log::debug(std::string("CivetWeb: ") + message);
  return 1;  // not to be written elsewhere
}

// CivetWeb could not read a request, or not in time. It closes the connection afterwards.
int CivetServer::on_error(mg_connection* connection, int status, const char*) {
  show_target();
  of(connection).requests_.refuse(connection, status);
  return 0;
}

// What is returned must be positive: CivetWeb's own handlers (files, CGI, WebDAV) must never see a request.
int CivetServer::on_request(mg_connection* connection) {
  constexpr int answered = 1;
  CivetServer& server = of(connection);
  show_target();
  server.watch_.begin_request(worker(), descriptor_in(mg_get_request_info(connection)->remote_addr));
  server.requests_.serve(connection, worker(), server.authority_);
  return answered;
}

// mg_stop drops what is being written and takes two seconds where something still waits for input, so: first let the
// running requests finish, then wake all who wait, for input or for connections, then stop.
void CivetServer::finish() {
  if (!context_) return;
  requests_.stop(patience);
  looks_.reset();
  sockets_->stop();
  watch_.end_reading();
  mg_stop(context_);
  watch_.close_left();
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, Handler handler) {
  CALLISTO_TRY(const Capacity capacity, capacity_of_process(options.threads));
  CALLISTO_TRY(auto listeners, listen_on(options.listen, options.socket_rights));
  ServerOptions possible = options;
  possible.threads = capacity.threads;
  auto server = std::make_unique<CivetServer>(possible, capacity.queue, std::move(handler));
  if (auto listening = server->listen(std::move(listeners)); !listening) {
    if (server->is_given_up()) (void)server.release();
    return listening.error();
  }
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace callisto::http
