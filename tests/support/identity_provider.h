// A whole OpenID Connect provider in memory: discovery, keys, authorization, tokens. It keeps the rules unless a test
// turns one of its knobs; JSON members are kept as raw text so that they can be wrong in any way. It is the Fetcher
// itself, and answer() can stand behind a socket too. fetch() may be called from any thread, knobs turned between
// calls.
#pragma once

#include "engine/base/datetime.h"
#include "engine/oidc/fetch.h"
#include "engine/oidc/provider.h"
#include "tests/support/signing_key.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace callisto::testing {

using RawMembers = std::map<std::string, std::string>;  // name to JSON text
std::string quote(const std::string& text);
std::string object(const RawMembers& members, const std::string& tail = {});

// name=value pairs behind '?' of a url, or of a form.
std::map<std::string, std::string> fields_of(const std::string& form);

class IdentityProvider final : public oidc::Fetcher {
 public:
  explicit IdentityProvider(const Clock& clock, std::string issuer = "https://login.example/realm");

  // The browser's visit to the authorization endpoint, where its person signs in: what comes back to the callback.
  oidc::CallbackParameters authorize(const std::string& url);
  Result<oidc::FetchAnswer> fetch(const oidc::FetchRequest& request) override;
  oidc::FetchAnswer answer(const oidc::FetchRequest& request);

  // Knobs.
  RawMembers discovery, header, claims, token_answer;  // claims: beside those that each token has of its own
  RawMembers user_info;                                // what userinfo answers, to who has the access token
  bool signs_user_info = false;
  std::string header_tail, claims_tail;  // raw text before the closing brace: ",\"sub\":\"b\""
  std::string keys;                      // the elements of the key set
  std::function<std::string(const std::string&)> sign;
  std::function<std::string(const std::string&)> alter_token = [](const std::string& token) { return token; };
  // Instead of the proper answer, by the end of the url: "/keys".
  std::map<std::string, oidc::FetchAnswer> instead;
  std::map<std::string, std::string> unreachable;  // end of the url to what failed
  std::string client_id = "desk", client_secret = "s:e cret%";
  oidc::Algorithm algorithm = oidc::Algorithm::RS256;  // of ID tokens; its key is "r1", or "e1" of ES256

  int count(const std::string& end_of_url) const;        // requests so far
  bool secret_in_basic = false, secret_in_form = false;  // how the latest client proved itself
  std::vector<std::string> secrets() const;              // everything no message may hold

 private:
  struct Grant {
    std::string nonce, challenge, redirect_uri;
  };
  std::string id_token(const Grant& grant);
  oidc::FetchAnswer redeem(const oidc::FetchRequest& request);
  oidc::FetchAnswer tell_user(const oidc::FetchRequest& request);
  std::string signed_token(const std::string& payload);
  bool knows_client(const oidc::FetchRequest& request, const std::map<std::string, std::string>& form) const;

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::vector<oidc::FetchRequest> requests_;
  std::map<std::string, Grant> grants_;
  std::vector<std::string> secrets_;
  int codes_ = 0;
};

}  // namespace callisto::testing
