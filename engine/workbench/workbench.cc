#include "engine/workbench/workbench.h"

#include "engine/http/proxies.h"

#include <algorithm>
#include <utility>

namespace callisto::workbench {

namespace {

constexpr std::string_view root = "/workbench";

bool wants_page(const http::Request& request) {
  return request.reads() && request.header("Accept").find("text/html") != std::string_view::npos;
}

}  // namespace

Workbench::Workbench(Options options, std::optional<AddressList> readers, auth::Service& auth, Store store)
    : options_(std::move(options)),
      readers_(std::move(readers)),
      pages_(options_),
      signing_in_(options_, pages_, auth, store) {}

bool Workbench::handle(http::Request& request, http::Response& response) const {
  const std::string_view path = request.raw_path;
  if (path == "/" && wants_page(request)) {
    response.status = 303;
    response.headers.emplace_back("Location", base_path(options_) + std::string(root));
    response.headers.emplace_back("Vary", "Accept");
    return true;
  }
  if (path != root && !path.starts_with("/workbench/")) return false;
  if (is_welcome(request)) serve(request, response);
  else pages_.answer_problem(403, "The workbench is not open to this address", response);
  return true;
}

bool Workbench::is_welcome(const http::Request& request) const {
  return !readers_ || (!http::is_nobody(request) && readers_->contains(request.remote_address));
}

void Workbench::serve(http::Request& request, http::Response& response) const {
  const std::string_view place = request.raw_path.substr(root.size());
  if (place == "/token") return signing_in_.token(request, response);
  if (place == "/sign-out") return signing_in_.sign_out(request, response);
  if (!request.reads()) {
    response.headers.emplace_back("Allow", "GET, HEAD");
    return pages_.answer_problem(405, "This address is read, nothing else", response);
  }
  if (place == "/sign-in") return signing_in_.begin(request, response);
  if (place == "/callback") return signing_in_.finish(request, response);
  if (place.starts_with("/files/"))
    return pages_.answer_file(place.substr(std::string_view("/files/").size()), response);
  pages_.answer_shell(place.substr(std::min<std::size_t>(place.size(), 1)), response);
}

}  // namespace callisto::workbench
