#include "engine/app/serving/front.h"

#include "engine/api/render_error.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/http/base_path.h"
#include "engine/http/proxies.h"

namespace callisto::app {

namespace {

// Nothing where base_url says how the server is called, or where others than this machine reach it, by names that it
// cannot know: so do those for whom a proxy asks by a unix socket.
std::optional<http::OwnHosts> own_hosts(const Settings& settings, const Prepared& prepared) {
  if (!settings.base_url.empty()) return std::nullopt;
  if (http::are_on_loopback(prepared.listen)) return http::OwnHosts(settings.http_hosts);
  log::warning("base_url is not set, so links have whatever host a client names. Set it to the url of this server.");
  return std::nullopt;
}

// Whoever is inside a range may say that he speaks for another.
void warn_of_ranges(const std::vector<std::string>& proxies) {
  for (const std::string& each : proxies)
    if (each.find('/') != each.npos && !each.ends_with("/32") && !each.ends_with("/128"))
      log::warning("http.trusted_proxies names the range " + each +
                   ": every client inside it can choose its own address. Name only the proxies.");
}

// RFC 9110 15.5.20
Error misdirected(std::string_view authority) {
  constexpr int status = 421;
  Error error = bad_format("This server listens on loopback and does not have the name " + text::quoted(authority) +
                           ". Set base_url, or name it in http.hosts.");
  error.status = status;
  return error;
}

}  // namespace

Front::Front(const Settings& settings, const Prepared& prepared)
    : settings_(settings),
      prepared_(prepared),
      cross_origin_(settings.cors_origins, settings.api_root, settings.oauth_root),
      hosts_(own_hosts(settings, prepared)) {
  warn_of_ranges(settings.http_trusted_proxies);
}

void Front::hear(http::Request& request) const {
  http::hear_proxies(request, prepared_.proxies);
  http::take_base_path(request, http::path_of_url(settings_.base_url),
                       {settings_.api_root, settings_.oauth_root, "/workbench"});
}

// Probes may name what they like: their answers hold no link and no secret.
bool Front::is_misdirected(const http::Request& request) const {
  if (request.peer_address() == http::unix_client) return false;  // no browser gets there by itself
  const bool is_probe = request.raw_path == "/healthz" || request.raw_path == "/readyz";
  return hosts_ && !is_probe && !hosts_->has(request.authority);
}

bool Front::answer(const http::Request& request, http::Response& response, api::RequestTrace& trace) const {
  if (is_misdirected(request)) {
    trace.route = "misdirected";
    api::render_error(misdirected(request.authority), response);
    return true;
  }
  if (!cross_origin_.answer_preflight(request, response)) return false;
  trace.route = "preflight";
  return true;
}

void Front::complete(const http::Request& request, http::Response& response) const {
  cross_origin_.complete(request, response);
}

}  // namespace callisto::app
