// Provider: sign-in through an OpenID Connect identity provider, with this program as the relying party (OpenID Connect
// Core 3.1, Discovery 1.0; code flow with PKCE S256, state and nonce; RFC 7636, 9207, 9700). No HTTP server here: the
// caller sends the browser to begin()'s url and hands finish() what the browser brings back to `redirect_uri`.
//
// `browser` is a secret that the caller keeps in a cookie of the one browser (32 random bytes in base64url, say); the
// provider's answer is accepted only from that browser. Nothing is stored: what begin() has to remember travels sealed
// in `state` and is valid for ten minutes. Both functions may wait for the network, ten seconds for each document;
// callers limit how often one address may call them.
//
// Errors: `message` may be shown to any browser; `log_detail` is for the operator and holds no secret. Safe from any
// thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/oidc/directory.h"
#include "engine/oidc/fetch.h"
#include "engine/oidc/seal.h"
#include "engine/oidc/token_request.h"
#include "engine/oidc/tokens/identity.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::oidc {

struct Options {
  std::string name;           // for people: "Sign in with <name>"
  std::string issuer;         // exactly as the provider's discovery document spells it
  std::string client_id;      // as registered with the provider
  std::string client_secret;  // empty: a public client, PKCE alone
  std::string scopes = "openid profile email";
  std::string redirect_uri;                        // the caller's callback, as registered with the provider
  std::string login_claim = "preferred_username";  // which claim is the login name; empty: none
  std::string state_key;  // 32 bytes, the same on every node of an installation; empty: random, of this Provider alone
};

// The callback's parameters by their exact names, decoded: code, state, iss, error. The caller refuses doubled ones.
using CallbackParameters = std::map<std::string, std::string, std::less<>>;

// What Provider::create would refuse. Errors name the setting that is wrong. Pure.
Result<void> check(const Options& options);

class Provider {
 public:
  // Checks the options; asks nobody yet. Clock, random and fetcher must outlive the Provider.
  static Result<std::unique_ptr<Provider>> create(Options options, const Clock& clock, Random& random,
                                                  Fetcher& fetcher);

  const std::string& name() const { return options_.name; }

  // The url to send the browser to. `context`, at most 4096 bytes, comes back by context_of(). `prompt` (Core 3.1.2.1):
  // "login", "select_account", or empty to leave it to the provider.
  Result<std::string> begin(std::string_view browser, std::string_view context = {}, std::string_view prompt = {});

  // What the caller gave begin(); 400 where the state is not this browser's, or older than ten minutes.
  Result<std::string> context_of(const CallbackParameters& callback, std::string_view browser) const;

  // Whom the provider vouches for. The provider gives each code only once, so finish() succeeds only once. `wanted`:
  // what is to stand in Identity::claims, where the provider tells it, in the ID token or at userinfo.
  Result<Identity> finish(const CallbackParameters& callback, std::string_view browser,
                          const std::vector<std::string>& wanted = {});

 private:
  Provider(Options options, const Clock& clock, Random& random, Fetcher& fetcher);
  std::string bound_to(std::string_view browser) const;
  Result<SignIn> opened(const CallbackParameters& callback, std::string_view browser) const;
  Result<std::string> authorization_url(std::string_view browser, std::string_view context, std::string_view prompt);
  Result<Identity> identify(const CallbackParameters& callback, std::string_view browser,
                            const std::vector<std::string>& wanted);
  Result<Identity> check_token(const Tokens& tokens, const Metadata& metadata, const SignIn& sign_in,
                               const std::vector<std::string>& wanted);
  Result<void> complete(const json::Node& claims, const Result<json::Node>& told, Identity& identity) const;
  Error without_login(Error error) const;
  Error named(Error error) const;  // says in the log whose provider it is about

  const Options options_;
  const Clock& clock_;
  Random& random_;
  Fetcher& fetcher_;
  const Seal seal_;
  Directory directory_;
};

}  // namespace callisto::oidc
