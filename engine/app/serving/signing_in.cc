#include "engine/app/serving/signing_in.h"

#include "engine/base/log.h"
#include "engine/oidc/url.h"
#include "engine/sign_in/identity_provider.h"

namespace callisto::app {

namespace {

Result<std::unique_ptr<sign_in::Provider>> make_proxy(sign_in::ProxyHeaderOptions options, auth::Service& auth,
                                                      audit::Sink& log) {
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

}  // namespace

auth::Options auth_options(const Settings& settings, const Sealer& sealer) {
  auth::Options options;
  options.access_seconds = settings.access_seconds;
  options.refresh_seconds = settings.refresh_seconds;
  options.session_seconds = settings.session_seconds;
  options.code_seconds = settings.code_seconds;
  options.caches = settings.caches;
  options.attempts_per_minute = settings.attempts_per_minute;
  const auto or_attempts = [](int rate) { return rate == 0 ? -1 : rate; };
  options.refreshes_per_minute = or_attempts(settings.refreshes_per_minute);
  options.client_sign_ins_per_minute = or_attempts(settings.client_sign_ins_per_minute);
  options.licences = settings.licences;
  options.licences_per_person = settings.licences_per_person;
  options.network_key = sealer.key_for("sign-in networks");
  return options;
}

sign_in::Options sign_in_options(const Settings& settings, const Sealer& sealer) {
  return {settings.base_url, settings.oauth_root, settings.server_name, sealer.key_for("sign-in form")};
}

Result<std::optional<sign_in::ProxyHeaderOptions>> proxy_options(const Settings& settings) {
  if (settings.sso_trusted_proxies.empty() && settings.sso_secret.empty())
    return std::optional<sign_in::ProxyHeaderOptions>();
  sign_in::ProxyHeaderOptions options{{}, settings.sso_header, settings.sso_secret, settings.sso_realms};
  CALLISTO_TRY(options.proxies, parse_addresses("sso.trusted_proxies", settings.sso_trusted_proxies));
  CALLISTO_CHECK(sign_in::check(options));
  return std::optional(std::move(options));
}

Result<std::optional<oidc::Options>> identity_provider_options(const Settings& settings) {
  if (settings.oidc_issuer.empty()) return std::optional<oidc::Options>();
  const std::string callback = settings.oauth_root + "/callback";
  if (settings.base_url.empty())
    return bad_format("oidc.issuer needs base_url: the provider sends browsers back to base_url" + callback);
  oidc::Options options;
  options.name = settings.oidc_name.empty() ? host_of(settings.oidc_issuer) : settings.oidc_name;
  options.issuer = settings.oidc_issuer;
  options.client_id = settings.oidc_client_id;
  options.client_secret = settings.oidc_client_secret;
  options.scopes = settings.oidc_scopes;
  options.login_claim = settings.oidc_login_claim;
  options.redirect_uri = settings.base_url + callback;
  if (!settings.oidc_proxy.empty() && !oidc::names_proxy(settings.oidc_proxy))
    return bad_format("oidc.proxy is no url of an HTTP proxy; write it as http://HOST:PORT");
  CALLISTO_CHECK(oidc::check(options));
  return std::optional(std::move(options));
}

Result<sign_in::Providers> make_providers(ProviderOptions options, auth::Service& auth, sign_in::Admissions& admissions,
                                          audit::Sink& log, const Sealer& sealer, const Clock& clock, Random& random,
                                          oidc::Fetcher& fetcher) {
  sign_in::Providers providers;
  if (options.proxy) {
    CALLISTO_TRY(auto proxy, make_proxy(*std::move(options.proxy), auth, log));
    providers.push_back(std::move(proxy));
  }
  if (options.identity_provider) {
    options.identity_provider->state_key = sealer.key_for("oidc state");
    CALLISTO_TRY(auto provider, oidc::Provider::create(*std::move(options.identity_provider), clock, random, fetcher));
    providers.push_back(std::make_unique<sign_in::IdentityProvider>(std::move(provider), auth, admissions));
  }
  return providers;
}

}  // namespace callisto::app
