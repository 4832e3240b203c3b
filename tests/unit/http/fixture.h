// A server on a free port whose handler tells what it saw.
#pragma once

#include "engine/http/server.h"
#include "tests/unit/http/raw_client.h"

#include <atomic>
#include <memory>
#include <string>

namespace callisto::test {

class ServerFixture {
 public:
  explicit ServerFixture(http::Handler handler = {}, http::ServerOptions options = small_options()) {
    options.render_error = [](const Error& error, http::Response& response) {
      response.status = error.status;
      response.headers = error.headers;
      response.body = "{\"Message\":\"" + error.message + "\"}";
    };
    if (!handler) {
      handler = [this](http::Request& request, http::Response& response) { echo(request, response); };
    }
    auto started = http::Server::start(options, std::move(handler));
    REQUIRE(started);
    server_ = std::move(*started);
  }

  static http::ServerOptions small_options() {
    http::ServerOptions options;
    options.listen.front().port = 0;
    options.threads = 128;
    options.keep_alive_ms = 2000;
    options.request_timeout_ms = 2000;
    return options;
  }

  http::Server& server() { return *server_; }
  int calls() const { return calls_; }
  RawClient client() const { return RawClient(server_->port()); }

  Reply ask(std::string_view bytes) const {
    RawClient one = client();
    one.send(bytes);
    return one.read_reply();
  }

 private:
  // POST and PUT read the body; everything else leaves it.
  void echo(http::Request& request, http::Response& response) {
    ++calls_;
    response.body =
        std::string(request.method) + " " + std::string(request.raw_path) + " [" + std::string(request.raw_query) + "]";
    if (request.method != "POST" && request.method != "PUT") return;
    auto body = request.body(1000);
    if (body) {
      response.body += " " + *body;
    } else {
      response.status = body.error().status;
      response.body = body.error().message;
    }
  }

  std::atomic<int> calls_ = 0;
  std::unique_ptr<http::Server> server_;
};

}  // namespace callisto::test
