#include "engine/app/signing_in.h"

#include "engine/base/log.h"
#include "engine/sign_in/identity_provider.h"
#include "engine/sign_in/proxy_header.h"

namespace callisto::app {

namespace {

Result<std::unique_ptr<sign_in::Provider>> make_proxy(const Settings& settings, auth::Service& auth, audit::Sink& log) {
  sign_in::ProxyHeaderOptions options{{}, settings.sso_header, settings.sso_secret, settings.sso_realms};
  CALLISTO_TRY(options.proxies, AddressList::parse(settings.sso_trusted_proxies));
  const auto distrusted = [&log](std::string_view reason, std::string_view address) {
    log::warning("an identity header from " + std::string(address) + " was ignored: " + std::string(reason));
    audit::Event event;
    event.kind = audit::Kind::ProxyHeaderRefused;
    event.address = address;
    event.reason = reason;
    log.note(event);
  };
  CALLISTO_TRY(auto proxy, sign_in::ProxyHeader::create(std::move(options), auth, distrusted));
  return std::unique_ptr<sign_in::Provider>(std::move(proxy));
}

std::string host_of(const std::string& url) {
  const std::size_t begin = url.find("://") == url.npos ? 0 : url.find("://") + 3;
  return url.substr(begin, url.find('/', begin) - begin);
}

Result<std::unique_ptr<sign_in::Provider>> make_identity_provider(const Settings& settings, auth::Service& auth,
                                                                  const Sealer& sealer, const Clock& clock,
                                                                  Random& random, oidc::Fetcher& fetcher) {
  if (settings.base_url.empty())
    return bad_format("oidc.issuer needs base_url: the provider sends browsers back to base_url" + settings.oauth_root +
                      "/callback");
  oidc::Options options;
  options.name = settings.oidc_name.empty() ? host_of(settings.oidc_issuer) : settings.oidc_name;
  options.issuer = settings.oidc_issuer;
  options.client_id = settings.oidc_client_id;
  options.client_secret = settings.oidc_client_secret;
  options.scopes = settings.oidc_scopes;
  options.login_claim = settings.oidc_login_claim;
  options.state_key = sealer.key_for("oidc state");
  options.redirect_uri = settings.base_url + settings.oauth_root + "/callback";
  CALLISTO_TRY(auto provider, oidc::Provider::create(std::move(options), clock, random, fetcher));
  return std::unique_ptr<sign_in::Provider>(std::make_unique<sign_in::IdentityProvider>(std::move(provider), auth));
}

}  // namespace

auth::Options auth_options(const Settings& settings) {
  auth::Options options;
  options.access_seconds = settings.access_seconds;
  options.refresh_seconds = settings.refresh_seconds;
  options.session_seconds = settings.session_seconds;
  options.code_seconds = settings.code_seconds;
  options.attempts_per_minute = settings.attempts_per_minute;
  options.licences = settings.licences;
  return options;
}

sign_in::Options sign_in_options(const Settings& settings, const Sealer& sealer) {
  return {settings.base_url, settings.oauth_root, settings.server_name, sealer.key_for("sign-in form")};
}

Result<sign_in::Providers> make_providers(const Settings& settings, auth::Service& auth, audit::Sink& log,
                                          const Sealer& sealer, const Clock& clock, Random& random,
                                          oidc::Fetcher& fetcher) {
  sign_in::Providers providers;
  if (!settings.sso_trusted_proxies.empty() || !settings.sso_secret.empty()) {
    CALLISTO_TRY(auto proxy, make_proxy(settings, auth, log));
    providers.push_back(std::move(proxy));
  }
  if (!settings.oidc_issuer.empty()) {
    CALLISTO_TRY(auto provider, make_identity_provider(settings, auth, sealer, clock, random, fetcher));
    providers.push_back(std::move(provider));
  }
  return providers;
}

}  // namespace callisto::app
