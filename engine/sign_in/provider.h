// Provider: one way to learn who is at the browser. The authorization endpoint asks the providers in the given order;
// the first that does not answer NotMine decides, and after the last comes the login page. Called from many threads at
// once.
#pragma once

#include "engine/auth/authorize.h"
#include "engine/base/result.h"
#include "engine/http/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace callisto::sign_in {

// What a provider is asked about: a request for a code that is in order. Lives as long as the call.
struct Attempt {
  http::Request& request;
  const auth::Authorization& authorization;
  const std::string& issuer;       // this server's url, as the browser knows it
  const std::string& browser_key;  // of the cookie: what begins here goes on in this browser alone
  const std::string& pending;      // the sealed request; see Returned
  std::string chosen;              // the provider that the person picked on the login page (Offer::id), or empty
  bool fresh = false;              // prompt=login or select_account: whoever is signed in already does not count
  bool silent = false;             // prompt=none: nobody may be asked anything
};

struct NotMine {};
struct SignedIn {
  std::int64_t person = 0;
};
// Where the browser goes to sign in; it returns to {oauth}/callback.
struct SendTo {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  // such as Set-Cookie
};
// The client is told so (RFC 6749 4.1.2.1). Names nothing that the request held.
struct Refused {
  std::string error, description;
  // For the audit log alone: the way ("proxy"), whom it vouched for, and why nobody is signed in.
  std::string way = {}, login = {}, reason = {};
};
using Verdict = std::variant<NotMine, SignedIn, SendTo, Refused>;

// What came back to {oauth}/callback. The endpoint opens `pending` (Attempt::pending of that time) with the browser's
// cookie, checks the request anew and goes on with the verdict.
struct Returned {
  std::string pending;
  Verdict verdict;
};

// A button of the login page: "Continue with <label>".
struct Offer {
  std::string id;  // of the parameter idp
  std::string label;
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual Result<Verdict> ask(const Attempt& attempt) = 0;
  // Nothing: this callback belongs to another provider. `browser_key` is the cookie's.
  virtual Result<std::optional<Returned>> resume(http::Request& request, const std::string& browser_key);
  virtual std::optional<Offer> offer() const { return std::nullopt; }
};

inline Result<std::optional<Returned>> Provider::resume(http::Request&, const std::string&) {
  return std::optional<Returned>();
}

}  // namespace callisto::sign_in
