#include "engine/http/connections/request_server.h"

#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/http/compress.h"
#include "engine/http/framing/response_text.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace callisto::http {

namespace {

using std::chrono::milliseconds;

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

}  // namespace

RequestServer::RequestServer(const ServerOptions& options, Handler handler)
    : options_(options),
      handler_(std::move(handler)),
      bodies_(options.all_bodies_bytes),
      spilled_(options.spill_folder, options.spilled_bytes) {}

void RequestServer::refuse(mg_connection* connection, int status) {
  try {
    // CivetWeb says 400 to a head that does not fit into its buffer, too.
    const mg_request_info& info = *mg_get_request_info(connection);
    const auto unknown = status == 400 ? unknown_method(info) : std::nullopt;
    const Error error = unknown         ? *unknown
                        : status == 505 ? wrong_version(info.http_version)
                                        : bad_format("The request is malformed, incomplete or far too long.");
    Response response;
    render(error, response);
    answer(connection, response, true, false);
  } catch (...) { log::error("There was no memory for the answer to a malformed request."); }
}

void RequestServer::serve(mg_connection* connection, Worker& worker, const std::string& authority) {
  ++running_;
  try {
    answer_one(connection, worker, authority);
  } catch (...) {
    mg_disable_connection_keep_alive(connection);  // no memory even for an answer
  }
  worker.end_request();
  leave();
}

void RequestServer::answer_one(mg_connection* connection, Worker& worker, const std::string& authority) {
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
  ReceivedRequest request(connection, received.head(), *framing, worker, pace, bodies_, authority);
  respond(request, response);
  if (options_.complete) options_.complete(request, response);
  if (options_.gzip) compress(request, response);
  const bool close = response.close || !framing->keep_alive || request.must_close() || stopping_ || is_crowded();
  answer(connection, response, close, request.head);
  if (close && !stopping_) request.drain();
}

void RequestServer::respond(ReceivedRequest& request, Response& response) {
  if (stopping_) return render(unavailable("The server is shutting down.", 1), response);
  if (auto read = request.read_ahead(); !read) return render(read.error(), response);
  run_handler(request, response);
  request.give_back_memory();
}

void RequestServer::run_handler(Request& request, Response& response) {
  try {
    handler_(request, response);
  } catch (const std::exception& thrown) {
    render(internal(std::string("A handler threw: ") + thrown.what()), response);
  } catch (...) { render(internal("A handler threw something that is no std::exception."), response); }
}

void RequestServer::render(const Error& error, Response& response) {
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

void RequestServer::answer(mg_connection* connection, Response& response, bool close, bool without_body) {
  if (!is_sendable(response)) render(internal("A handler set no HTTP status or a header with a line break."), response);
  // Before the write: CivetWeb then neither waits for a rest of the body nor for a next request.
  if (close) mg_disable_connection_keep_alive(connection);
  if (!write_response(connection, response, {close, options_.tls != nullptr}, without_body, spilled_))
    mg_disable_connection_keep_alive(connection);
}

void RequestServer::leave() {
  if (--running_ > 0 || !stopping_) return;
  const std::lock_guard lock(mutex_);
  idle_.notify_all();
}

void RequestServer::stop(std::chrono::seconds patience) {
  stopping_ = true;
  std::unique_lock lock(mutex_);
  idle_.wait_for(lock, patience, [this] { return running_ == 0; });
}

}  // namespace callisto::http
