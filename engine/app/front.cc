#include "engine/app/front.h"

#include "engine/http/base_path.h"
#include "engine/http/proxies.h"

namespace callisto::app {

Front::Front(const Settings& settings, const Prepared& prepared)
    : settings_(settings),
      prepared_(prepared) {}

void Front::hear(http::Request& request) const {
  http::hear_proxies(request, prepared_.proxies);
  http::take_base_path(request, http::path_of_url(settings_.base_url), {settings_.api_root, settings_.oauth_root});
}


}  // namespace callisto::app
