// How receivers know that a delivery is ours: the signatures of Standard Webhooks 1.0.0 and of X-Hub-Signature-256, and
// the keys behind both. Keys and secrets never stand in an error. Pure; any thread.
#pragma once

#include "engine/base/random.h"
#include "engine/base/result.h"

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

}  // namespace callisto::webhooks
