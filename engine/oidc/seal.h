// The state that a browser carries from the start of a sign-in to its end, sealed with AES-256-GCM: the browser can
// neither read nor change it, and only the browser it was made for can bring it back, because that browser's own secret
// is authenticated with it. Valid until `expires`. Immutable; any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"

#include <optional>
#include <string>
#include <string_view>

namespace callisto::oidc {

struct SignIn {
  DateTime expires;
  std::string nonce, verifier;  // 32 random bytes each, in base64url
  std::string context;          // the caller's own
};

class Seal {
 public:
  static constexpr std::size_t key_bytes = 32;
  explicit Seal(std::string key) : key_(std::move(key)) {}

  // `bound_to` must be the same at both ends; base64url.
  std::string close(const SignIn& sign_in, std::string_view bound_to, Random& random) const;
  // Nothing unless close() made it with this key and for `bound_to`. The caller looks at `expires`.
  std::optional<SignIn> open(std::string_view sealed, std::string_view bound_to) const;

 private:
  const std::string key_;
};

}  // namespace callisto::oidc
