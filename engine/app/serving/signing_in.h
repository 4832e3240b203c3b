// Signing in as the settings define it: its limits, and the ways to learn who is at a browser.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/audit/event.h"
#include "engine/auth/service.h"
#include "engine/base/sealer.h"
#include "engine/oidc/fetch.h"
#include "engine/oidc/provider.h"
#include "engine/sign_in/admission.h"
#include "engine/sign_in/authorization_endpoint.h"
#include "engine/sign_in/proxy_header.h"

#include <optional>

namespace callisto::app {

auth::Options auth_options(const Settings& settings, const Sealer& sealer);
sign_in::Options sign_in_options(const Settings& settings, const Sealer& sealer);

// Those before the login page: a trusted proxy, an identity provider; nothing where the settings name none. Errors name
// the setting.
Result<std::optional<sign_in::ProxyHeaderOptions>> proxy_options(const Settings& settings);
Result<std::optional<oidc::Options>> identity_provider_options(const Settings& settings);  // without the key of states

struct ProviderOptions {
  std::optional<sign_in::ProxyHeaderOptions> proxy;
  std::optional<oidc::Options> identity_provider;
};
// References must outlive them.
Result<sign_in::Providers> make_providers(ProviderOptions options, auth::Service& auth, sign_in::Admissions& admissions,
                                          audit::Sink& log, const Sealer& sealer, const Clock& clock, Random& random,
                                          oidc::Fetcher& fetcher);

}  // namespace callisto::app
