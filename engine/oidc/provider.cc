#include "engine/oidc/provider.h"

#include "engine/base/base64.h"
#include "engine/base/percent.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/oidc/refusal.h"
#include "engine/oidc/token_request.h"
#include "engine/oidc/tokens/claims.h"
#include "engine/oidc/tokens/jws.h"
#include "engine/oidc/url.h"
#include "engine/oidc/user_info.h"

#include <algorithm>

namespace callisto::oidc {

namespace {

constexpr std::int64_t sign_in_ms = 600'000;
constexpr std::size_t secret_bytes = 32;
constexpr std::size_t shortest_browser = 22;  // 128 bits in base64url
constexpr std::size_t longest_context = 4096;
constexpr std::size_t longest_code = 8192;

const std::string* find(const CallbackParameters& callback, std::string_view name) {
  const auto found = callback.find(name);
  return found == callback.end() ? nullptr : &found->second;
}

Options with_key(Options options, Random& random) {
  if (options.state_key.empty()) options.state_key = random.bytes(Seal::key_bytes);
  return options;
}

// RFC 9207 2.4: "Clients that support this specification MUST extract the value of the iss parameter from authorization
// responses they receive if the parameter is present", and compare it; they "MUST reject authorization responses
// without the iss parameter from authorization servers that do support the parameter".
Result<void> check_callback_issuer(const CallbackParameters& callback, const std::string& issuer, bool announced) {
  const std::string* named = find(callback, "iss");
  if (!named && announced) return not_accepted("The callback has no 'iss', which the provider announces (RFC 9207)");
  if (named && *named != issuer)
    return not_accepted("The callback's 'iss' is " + text::quoted(*named, 200) + " instead of the issuer configured");
  return {};
}

Result<std::string> code_of(const CallbackParameters& callback) {
  if (const std::string* error = find(callback, "error")) {
    const std::string detail = "The provider answers the sign-in with the error " + text::quoted(*error);
    // Core 3.1.2.6 and RFC 6749 4.1.2.1: these mean that trying again may help, or that a person refused.
    if (*error == "temporarily_unavailable" || *error == "server_error") return unreachable(detail);
    return denied(detail);
  }
  const std::string* code = find(callback, "code");
  if (!code || code->empty() || code->size() > longest_code)
    return not_accepted("The callback has neither an error nor a code of sensible length");
  return *code;
}

}  // namespace

Result<void> check(const Options& options) {
  CALLISTO_CHECK(check_issuer(options.issuer));
  if (options.client_id.empty())
    return bad_format("setting oidc.client_id is missing: write what the identity provider calls this server");
  if (transport_of(options.redirect_uri) == Transport::Refused)
    return bad_format("setting base_url: the callback " + text::quoted(options.redirect_uri, 200) +
                      " must be an https url (http only on a loopback address)");
  // Core 3.1.2.1: "OpenID Connect requests MUST contain the openid scope value."
  const auto scopes = text::split(options.scopes, ' ');
  if (std::find(scopes.begin(), scopes.end(), "openid") == scopes.end())
    return bad_format("setting oidc.scopes: " + text::quoted(options.scopes, 200) + " does not hold 'openid'");
  if (!options.state_key.empty() && options.state_key.size() != Seal::key_bytes)
    return bad_format("The key of sealed states must have 32 bytes");
  return {};
}

Result<std::unique_ptr<Provider>> Provider::create(Options options, const Clock& clock, Random& random,
                                                   Fetcher& fetcher) {
  CALLISTO_CHECK(check(options));
  return std::unique_ptr<Provider>(new Provider(with_key(std::move(options), random), clock, random, fetcher));
}

Provider::Provider(Options options, const Clock& clock, Random& random, Fetcher& fetcher)
    : options_(std::move(options)),
      clock_(clock),
      random_(random),
      fetcher_(fetcher),
      seal_(options_.state_key),
      directory_(options_.issuer, clock, fetcher) {}

Result<std::string> Provider::begin(std::string_view browser, std::string_view context, std::string_view prompt) {
  auto url = authorization_url(browser, context, prompt);
  if (!url) return named(std::move(url).error());
  return url;
}

Result<std::string> Provider::context_of(const CallbackParameters& callback, std::string_view browser) const {
  auto sign_in = opened(callback, browser);
  if (!sign_in) return named(std::move(sign_in).error());
  return std::move(sign_in->context);
}

Result<Identity> Provider::finish(const CallbackParameters& callback, std::string_view browser,
                                  const std::vector<std::string>& wanted) {
  auto identity = identify(callback, browser, wanted);
  if (!identity) return named(std::move(identity).error());
  return identity;
}

Result<std::string> Provider::authorization_url(std::string_view browser, std::string_view context,
                                                std::string_view prompt) {
  if (browser.size() < shortest_browser) return internal("the browser's secret is shorter than 22 characters");
  if (context.size() > longest_context) return bad_format("This request is too long to sign in with.");
  CALLISTO_TRY(const Metadata metadata, directory_.metadata());
  const SignIn sign_in{DateTime{clock_.now().ms + sign_in_ms}, encode_base64(random_.bytes(secret_bytes), Base64::Url),
                       encode_base64(random_.bytes(secret_bytes), Base64::Url), std::string(context)};
  std::string query;
  append_field(query, "response_type", "code");
  append_field(query, "client_id", options_.client_id);
  append_field(query, "redirect_uri", options_.redirect_uri);
  append_field(query, "scope", options_.scopes);
  append_field(query, "state", seal_.close(sign_in, bound_to(browser), random_));
  append_field(query, "nonce", sign_in.nonce);
  // RFC 7636 4.2: "code_challenge = BASE64URL-ENCODE(SHA256(ASCII(code_verifier)))".
  append_field(query, "code_challenge", encode_base64(view(sha256(sign_in.verifier)), Base64::Url));
  append_field(query, "code_challenge_method", "S256");
  if (!prompt.empty()) append_field(query, "prompt", prompt);
  // RFC 6749 3.1: the endpoint "MAY include an ... query component ... which MUST be retained".
  const bool has_query = metadata.authorization_endpoint.find('?') != std::string::npos;
  return metadata.authorization_endpoint + (has_query ? '&' : '?') + query;
}

// A state is worth nothing to another browser, provider or client.
std::string Provider::bound_to(std::string_view browser) const {
  return options_.issuer + '\n' + options_.client_id + '\n' + std::string(browser);
}

Result<SignIn> Provider::opened(const CallbackParameters& callback, std::string_view browser) const {
  const std::string* state = find(callback, "state");
  if (!state) return stale("The callback has no 'state'");
  auto sign_in = seal_.open(*state, bound_to(browser));
  if (!sign_in) return stale("The callback's 'state' was not made here for this browser");
  const std::int64_t left = sign_in->expires.ms - clock_.now().ms;  // more than ten minutes: a clock that was ahead
  if (left <= 0 || left > sign_in_ms) return stale("The sign-in took longer than ten minutes");
  return *std::move(sign_in);
}

Result<Identity> Provider::identify(const CallbackParameters& callback, std::string_view browser,
                                    const std::vector<std::string>& wanted) {
  CALLISTO_TRY(const SignIn sign_in, opened(callback, browser));
  CALLISTO_TRY(const Metadata metadata, directory_.metadata());
  CALLISTO_CHECK(check_callback_issuer(callback, options_.issuer, metadata.names_issuer));
  CALLISTO_TRY(const std::string code, code_of(callback));
  CALLISTO_TRY(const Tokens tokens,
               redeem(fetcher_, metadata,
                      {options_.client_id, options_.client_secret, options_.redirect_uri, code, sign_in.verifier}));
  return check_token(tokens, metadata, sign_in, wanted);
}

Result<Identity> Provider::check_token(const Tokens& tokens, const Metadata& metadata, const SignIn& sign_in,
                                       const std::vector<std::string>& wanted) {
  CALLISTO_TRY(const Jws token, read_jws(tokens.id_token));
  CALLISTO_TRY(const Key key, directory_.key(token.key_id, token.algorithm));
  CALLISTO_CHECK(verify(token, key));
  CALLISTO_TRY(Identity identity, check_claims(token.claims, {options_.issuer, options_.client_id, sign_in.nonce,
                                                              tokens.access_token, clock_.now(), token.algorithm}));
  const bool lacks_wanted = !metadata.userinfo_endpoint.empty() && lacks_any(token.claims, wanted);
  if (!lacks_wanted && !lacks_login(token.claims, options_.login_claim)) {
    CALLISTO_CHECK(take_claims(token.claims, options_.login_claim, identity));
    CALLISTO_TRY(identity.claims, pick_claims(token.claims, nullptr, wanted));
    return identity;
  }
  const auto told = ask_user_info(fetcher_, directory_, metadata,
                                  {tokens.access_token, identity.subject, options_.issuer, options_.client_id});
  // To go on without a claim that is only not told now would take away what it grants.
  if (!told && lacks_wanted) return told.error();
  CALLISTO_CHECK(complete(token.claims, told, identity));
  CALLISTO_TRY(identity.claims, pick_claims(token.claims, told ? &*told : nullptr, wanted));
  return identity;
}

// With what userinfo told, or not.
Result<void> Provider::complete(const json::Node& claims, const Result<json::Node>& told, Identity& identity) const {
  const std::string& wanted = options_.login_claim;
  if (!told && json::string_of(claims, wanted).empty()) return without_login(told.error());
  if (!told) return take_claims(claims, wanted, identity);
  const bool is_told = !lacks_login(claims, wanted);  // it was asked for another claim
  CALLISTO_CHECK(take_claims(is_told ? *told : claims, {}, identity));
  return take_claims(is_told ? claims : *told, wanted, identity);
}

Error Provider::without_login(Error error) const {
  error.log_detail = "The ID token does not tell " + text::quoted(options_.login_claim) +
                     ", and userinfo does not serve instead: " + error.log_detail +
                     "; let the provider send the claim, or set oidc.login_claim to another one";
  return error;
}

Error Provider::named(Error error) const {
  error.log_detail = "Sign-in by " + text::quoted(options_.issuer, 200) + ": " + error.log_detail;
  return error;
}

}  // namespace callisto::oidc
