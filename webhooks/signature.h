// How receivers know that a delivery is ours: the signatures of Standard Webhooks 1.0.0 and of X-Hub-Signature-256, and
// the keys for both. No error contains a key or secret. Pure; any thread.
#pragma once

#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/base/sealer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::webhooks {

// The bytes that sign: those that base64 behind "whsec_" stands for, else the secret's own. Errors: bad_format where a
// secret is empty or its base64 is none; signing with something else in silence would fail at every receiver.
Result<std::string> signing_key(std::string_view secret);

// For saving: what is wrong with a secret, for people, and how to mend it; nothing where it will do.
std::optional<std::string> secret_complaint(std::string_view secret);

std::string make_secret(Random& random);  // "whsec_" and 32 random bytes in base64

// The value of webhook-signature: "v1,<base64>" for each key, the newest first, parted by a blank. `timestamp` is in
// seconds since 1970.
std::string standard_signature(const std::vector<std::string>& keys, std::string_view id, std::int64_t timestamp,
                               std::string_view body);

std::string hub_signature(std::string_view key, std::string_view body);  // the value of X-Hub-Signature-256

// Callisto-Delivery-Proof: that somebody was sent a delivery, by its number and an HMAC-SHA256 of that under a key of
// the server. Immutable.
class DeliveryProof {
 public:
  explicit DeliveryProof(const Sealer& sealer) : key_(sealer.key_for("webhook delivery")) {}
  std::string of(std::int64_t delivery) const;  // 1207.<64 hex digits>
  bool holds(std::string_view proof) const;     // of() made it, with this key

 private:
  const std::string key_;
};

}  // namespace callisto::webhooks
