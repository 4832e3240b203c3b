// A request for a code while its person signs in. It travels in the login form, or with the browser to an identity
// provider, sealed with an HMAC over the request, its expiry and the browser's cookie. So the server keeps nothing, a
// flood of requests costs no memory, and the seal is also the form's CSRF token (OWASP's signed double submit): no
// other site knows the cookie, and no other browser's form fits it. Any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/sign_in/parameters.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace callisto::sign_in {

class PendingRequests {
 public:
  // `key`: secret, and the same at all servers of a desk, so that one takes the form that another showed. `clock`
  // outlives this.
  PendingRequests(const Clock& clock, std::string key) : clock_(clock), key_(std::move(key)) {}

  std::string seal(const Parameters& parameters, std::string_view browser_key) const;

  struct Opened {
    Parameters parameters;
    bool expired = false;  // the seal is right, but an hour old
  };
  // Nothing: not sealed with this key for this browser.
  std::optional<Opened> open(std::string_view sealed, std::string_view browser_key) const;

 private:
  std::string seal_of(std::string_view payload, std::string_view browser_key) const;

  const Clock& clock_;
  const std::string key_;
};

}  // namespace callisto::sign_in
