#include "engine/http/server.h"

#include "engine/base/log.h"
#include "engine/base/process_limits.h"
#include "engine/base/text.h"
#include "engine/base/ticker.h"
#include "engine/http/accepting.h"
#include "engine/http/compress.h"
#include "engine/http/connections/capacity.h"
#include "engine/http/connections/connection.h"
#include "engine/http/connections/connection_watch.h"
#include "engine/http/connections/sockets.h"
#include "engine/http/connections/worker_stack.h"
#include "engine/http/framing/request_target.h"
#include "engine/http/framing/response_text.h"
#include "engine/http/tls.h"
#include "engine/http/tls_library.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

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
      : options_(options),
        queue_(queue),
        handler_(std::move(handler)),
        watch_(limits(options)),
        bodies_(options.all_bodies_bytes),
        spilled_(options.spill_folder, options.spilled_bytes) {}
  ~CivetServer() override { stop(); }

  Result<void> listen();
  bool is_given_up() const { return port_ != 0 && !context_; }  // its threads run on, and it must not be destroyed
  int port() const override { return port_; }
  void stop() override {
    std::call_once(stopped_, [this] { finish(); });
  }

 private:
  static CivetServer& of(const mg_connection* connection) {
    return *static_cast<CivetServer*>(mg_get_user_data(mg_get_context(connection)));
  }
  static Worker& worker() { return *static_cast<Worker*>(mg_get_thread_pointer(nullptr)); }  // of this thread
  Result<void> wait_for_acceptance();
  static mg_callbacks callbacks();
  static int on_request(mg_connection* connection);
  static int on_error(mg_connection* connection, int status, const char* message);
  static int on_log(const mg_connection* connection, const char* message);

  void serve(mg_connection* connection);
  void answer(mg_connection* connection, Response& response, bool close, bool without_body);
  void respond(ReceivedRequest& request, Response& response);
  void run_handler(Request& request, Response& response);
  void render(const Error& error, Response& response);
  bool is_crowded() const { return connections_.load() * 4 > options_.threads * 3; }
  void leave();
  void finish();

  const ServerOptions options_;
  const int queue_;
  const Handler handler_;
  mg_context* context_ = nullptr;
  std::atomic<int> port_ = 0;
  std::atomic<bool> accepts_ = false;  // the thread that does was made
  ConnectionWatch watch_;
  MemoryBudget bodies_;
  SpillArea spilled_;
  std::atomic<int> connections_ = 0;
  std::atomic<int> running_ = 0;
  std::atomic<bool> stopping_ = false;
  std::once_flag stopped_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::optional<Ticker> looks_;
};

bool is_ipv6(const ServerOptions& options) { return options.host.find(':') != std::string::npos; }

std::string authority_of(const std::string& host, int port) {
  return (host.find(':') != host.npos ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string listening_address(const ServerOptions& options) { return authority_of(options.host, options.port); }

// Why the address cannot be listened on, found by trying: CivetWeb does not tell.
std::string reason_not_to_listen(const ServerOptions& options) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int unknown = getaddrinfo(options.host.c_str(), std::to_string(options.port).c_str(), &hints, &found);
  if (unknown != 0)
    return text::quoted(options.host) + " is no address and no name that this machine knows (" + gai_strerror(unknown) +
           "). Write an address of this machine, or 0.0.0.0 for all of them.";
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const int reason = bind(descriptor, found->ai_addr, found->ai_addrlen) == 0 && listen(descriptor, 1) == 0 ? 0 : errno;
  close(descriptor);
  freeaddrinfo(found);
  switch (reason) {
    case EACCES:
    case EPERM:
      return "this user may not listen on ports below 1024. Choose a higher port and let a proxy listen there, or give "
             "the "
             "right (CAP_NET_BIND_SERVICE; net.ipv4.ip_unprivileged_port_start).";
    case EADDRINUSE:
      return "another program uses this port. Stop it, or choose another with the setting 'listen' (port 0 picks a "
             "free one).";
    case EADDRNOTAVAIL:
      return text::quoted(options.host) +
             " is no address of this machine. Write one that is, or 0.0.0.0 for all of them.";
    default:
      return reason == 0 ? std::string() : std::string(std::strerror(reason)) + ".";
  }
}

Error cannot_listen(const ServerOptions& options, const char* reason) {
  const std::string found = reason_not_to_listen(options);
  return bad_format("Cannot listen on " + listening_address(options) + ": " +
                    (found.empty() ? "CivetWeb says: " + std::string(reason) : found));
}

// Debian builds CivetWeb without IPv6.
Error no_ipv6(const ServerOptions& options) {
  return bad_format("Cannot listen on " + listening_address(options) +
                    ": the installed CivetWeb knows IPv4 only. Set 'listen' to an IPv4 address (0.0.0.0 for all of "
                    "them) and let a reverse proxy take IPv6.");
}

Result<void> prepare_library(bool with_tls) {
  [[maybe_unused]] static const unsigned plain = mg_init_library(0);
  if (!with_tls) return {};
  CALLISTO_CHECK(open_tls_library());
  static const unsigned features = mg_init_library(MG_FEATURES_TLS);
  if ((features & MG_FEATURES_TLS) != 0) return {};
  return bad_format(
      "TLS cannot be served: CivetWeb was built without it or does not get on with the installed OpenSSL.");
}

Result<void> CivetServer::listen() {
  CALLISTO_CHECK(prepare_library(options_.tls != nullptr));
  widen_worker_stacks();
  watch_accepting();
  if (is_ipv6(options_) && !mg_check_feature(MG_FEATURES_IPV6)) return no_ipv6(options_);
  const std::string address = listening_address(options_) + (options_.tls ? "s" : "");
  const std::string threads = std::to_string(options_.threads), queue = std::to_string(queue_);
  const std::string keep_alive = std::to_string(options_.keep_alive_ms);
  const std::string timeout = std::to_string(options_.request_timeout_ms);
  const std::string buffer = std::to_string(read_buffer_bytes);
  // Made first, so that nothing can fail once CivetWeb's threads run. A handshake takes a thread before the connection
  // is counted; so over TLS every look is at all of them.
  const bool tls = options_.tls != nullptr;
  looks_.emplace(milliseconds(tls ? 250 : 50), [this, tls] {
    if (port_ != 0) watch_.look(port_, tls || is_crowded());
  });
  const char* settings[] = {"listening_ports",
                            address.c_str(),
                            "num_threads",
                            threads.c_str(),
                            "enable_keep_alive",
                            "yes",
                            "keep_alive_timeout_ms",
                            keep_alive.c_str(),
                            "request_timeout_ms",
                            timeout.c_str(),
                            "tcp_nodelay",
                            "1",
                            "listen_backlog",
                            "4096",
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
  context_ = mg_start2(&start, &fault);
  if (!context_) return cannot_listen(options_, reason);
  mg_server_port ports[1] = {};
  if (mg_get_server_ports(context_, 1, ports) == 1) port_ = ports[0].port;
  defer_accept(port_);
  return wait_for_acceptance();
}

// CivetWeb does not look whether it got the thread that accepts, and mg_stop() goes by that thread: without it the
// others cannot be ended, and what they use has to stay (the caller gives it up).
Result<void> CivetServer::wait_for_acceptance() {
  const auto latest = std::chrono::steady_clock::now() + patience;
  while (!accepts_ && std::chrono::steady_clock::now() < latest) std::this_thread::sleep_for(milliseconds(1));
  if (accepts_) return {};
  context_ = nullptr;
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
    if (kind == acceptor) server.accepts_ = true;
    if (kind == worker) give_way();
    return &server.watch_.add_worker();
  };
  functions.init_connection = [](const mg_connection* connection, void**) {
    ++of(connection).connections_;
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
    if (std::exchange(is_counted, false)) --of(connection).connections_;
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

// CivetWeb reads no request whose method it does not know; its line it has read by then (RFC 9110 9.1, 15.6.2).
constexpr std::string_view allowed_methods = "GET, HEAD, OPTIONS, POST, PUT, DELETE";
constexpr std::string_view methods_of_civet_web[] = {"GET",     "POST",     "PUT",    "DELETE", "HEAD",      "OPTIONS",
                                                     "CONNECT", "PROPFIND", "MKCOL",  "PATCH",  "PROPPATCH", "COPY",
                                                     "MOVE",    "LOCK",     "UNLOCK", "REPORT"};

std::optional<Error> unknown_method(const mg_request_info& info) {
  const std::string_view method = info.request_method ? info.request_method : "";
  const std::string_view version = info.http_version ? info.http_version : "";
  if (!is_token(method) || !info.request_uri || (version != "1.1" && version != "1.0")) return std::nullopt;
  if (std::find(std::begin(methods_of_civet_web), std::end(methods_of_civet_web), method) !=
      std::end(methods_of_civet_web))
    return std::nullopt;
  Error error = method_not_allowed("This server does not support the method " + text::quoted(method) + ".",
                                   std::string(allowed_methods));
  if (method != "TRACE") error.status = 501;
  return error;
}

// CivetWeb could not read a request, or not in time. It closes the connection afterwards.
int CivetServer::on_error(mg_connection* connection, int status, const char*) {
  show_target();
  try {
    // CivetWeb says 400 to a head that does not fit into its buffer, too.
    const mg_request_info& info = *mg_get_request_info(connection);
    const auto unknown = status == 400 ? unknown_method(info) : std::nullopt;
    const Error error = unknown         ? *unknown
                        : status == 505 ? wrong_version(info.http_version)
                                        : bad_format("The request is malformed, incomplete or far too long.");
    Response response;
    of(connection).render(error, response);
    of(connection).answer(connection, response, true, false);
  } catch (...) { log::error("There was no memory for the answer to a malformed request."); }
  return 0;
}

// The outer fence: C code calls this. What is returned must be positive: CivetWeb's own handlers (files, CGI, WebDAV)
// must never see a request.
int CivetServer::on_request(mg_connection* connection) {
  constexpr int answered = 1;
  CivetServer& server = of(connection);
  show_target();
  ++server.running_;
  const mg_request_info& info = *mg_get_request_info(connection);
  worker().begin_request(info.remote_addr, info.remote_port);
  try {
    server.serve(connection);
  } catch (...) {
    mg_disable_connection_keep_alive(connection);  // no memory even for an answer
  }
  worker().end_request();
  server.leave();
  return answered;
}

void CivetServer::serve(mg_connection* connection) {
  const ReceivedHead received(*mg_get_request_info(connection));
  Response response;
  auto framing = received.check();
  if (!framing) {
    render(framing.error(), response);
    if (options_.complete) options_.complete(RefusedRequest(received.head()), response);
    return answer(connection, response, true, false);
  }
  const BodyPace pace{milliseconds(options_.request_timeout_ms), milliseconds(options_.body_grace_ms),
                      options_.body_bytes_per_second};
  // HTTP/1.0 may name no host.
  const std::string own = framing->authority.empty() ? authority_of(options_.host, port_) : std::string();
  ReceivedRequest request(connection, received.head(), *framing, worker(), pace, bodies_, own);
  respond(request, response);
  if (options_.complete) options_.complete(request, response);
  if (options_.gzip) compress(request, response);
  const bool close = response.close || !framing->keep_alive || request.must_close() || stopping_ || is_crowded();
  answer(connection, response, close, request.head);
  if (close && !stopping_) request.drain();
}

void CivetServer::respond(ReceivedRequest& request, Response& response) {
  if (stopping_) return render(unavailable("The server is shutting down.", 1), response);
  if (auto read = request.read_ahead(); !read) return render(read.error(), response);
  run_handler(request, response);
  request.give_back_memory();
}

void CivetServer::run_handler(Request& request, Response& response) {
  try {
    handler_(request, response);
  } catch (const std::exception& thrown) {
    render(internal(std::string("A handler threw: ") + thrown.what()), response);
  } catch (...) { render(internal("A handler threw something that is no std::exception."), response); }
}

void CivetServer::render(const Error& error, Response& response) {
  response = Response();
  response.status = error.status;
  if (!options_.render_error) return log::error(error.message + " " + error.log_detail);
  try {
    options_.render_error(error, response);
  } catch (...) {
    response = Response();
    response.status = 500;
  }
}

void CivetServer::answer(mg_connection* connection, Response& response, bool close, bool without_body) {
  if (!is_sendable(response)) render(internal("A handler set no HTTP status or a header with a line break."), response);
  // Before the write: CivetWeb then neither waits for a rest of the body nor for a next request.
  if (close) mg_disable_connection_keep_alive(connection);
  if (!write_response(connection, response, {close, options_.tls != nullptr}, without_body, spilled_))
    mg_disable_connection_keep_alive(connection);
}

void CivetServer::leave() {
  if (--running_ > 0 || !stopping_) return;
  const std::lock_guard lock(mutex_);
  idle_.notify_all();
}

// mg_stop drops what is being written and takes two seconds where something still waits for input, so: first let the
// running requests finish, then wake all who wait, then stop.
void CivetServer::finish() {
  if (!context_) return;
  stopping_ = true;
  {
    std::unique_lock lock(mutex_);
    idle_.wait_for(lock, patience, [this] { return running_ == 0; });
  }
  looks_.reset();
  end_reading(port_);
  mg_stop(context_);
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, Handler handler) {
  CALLISTO_TRY(const Capacity capacity, capacity_of_process(options.threads));
  ServerOptions possible = options;
  possible.threads = capacity.threads;
  auto server = std::make_unique<CivetServer>(possible, capacity.queue, std::move(handler));
  if (auto listening = server->listen(); !listening) {
    if (server->is_given_up()) (void)server.release();
    return listening.error();
  }
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace callisto::http
