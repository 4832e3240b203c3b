#include "engine/app/front.h"

#include "engine/http/base_path.h"
#include "engine/http/proxies.h"

namespace callisto::app {

Front::Front(const Settings& settings, const Prepared& prepared)
    : settings_(settings),
      prepared_(prepared),
      cross_origin_(settings.cors_origins, settings.api_root, settings.oauth_root) {}

void Front::hear(http::Request& request) const {
  http::hear_proxies(request, prepared_.proxies);
  http::take_base_path(request, http::path_of_url(settings_.base_url), {settings_.api_root, settings_.oauth_root});
}

bool Front::answer(const http::Request& request, http::Response& response, api::Seen& seen) const {
  if (!cross_origin_.answer_preflight(request, response)) return false;
  seen.route = "preflight";
  return true;
}

void Front::complete(const http::Request& request, http::Response& response) const {
  cross_origin_.complete(request, response);
}

}  // namespace callisto::app
