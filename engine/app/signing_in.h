// What the settings make of signing in: its limits, and the ways to learn who sits at a browser.
#pragma once

#include "engine/app/settings.h"
#include "engine/audit/event.h"
#include "engine/auth/service.h"
#include "engine/base/sealer.h"
#include "engine/oidc/fetch.h"
#include "engine/sign_in/authorization_endpoint.h"

namespace callisto::app {

auth::Options auth_options(const Settings& settings);
sign_in::Options sign_in_options(const Settings& settings, const Sealer& sealer);

// Those before the login page: a trusted proxy, an identity provider. Errors name the setting. References must outlive
// them.
Result<sign_in::Providers> make_providers(const Settings& settings, auth::Service& auth, audit::Sink& log,
                                          const Sealer& sealer, const Clock& clock, Random& random,
                                          oidc::Fetcher& fetcher);

}  // namespace callisto::app
