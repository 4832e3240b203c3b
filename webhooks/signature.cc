#include "webhooks/signature.h"

#include "engine/base/base64.h"
#include "engine/base/hex.h"
#include "engine/base/hmac.h"

#include <charconv>

namespace callisto::webhooks {

namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t made_bytes = 32;

}  // namespace

Result<std::string> signing_key(std::string_view secret) {
  if (secret.empty()) return bad_format("Secret is empty, so that anybody could sign; give it 24 random bytes or more");
  if (!secret.starts_with(prefix)) return std::string(secret);
  auto key = decode_base64(secret.substr(prefix.size()), Base64::Padded);
  if (!key || key->empty())
    return bad_format(
        "What follows whsec_ in Secret is no base64 with padding (RFC 4648 section 4); fix it, or leave whsec_ out to "
        "sign with the text as it is");
  return *std::move(key);
}

std::optional<std::string> secret_complaint(std::string_view secret) {
  if (secret.ends_with('\n') || secret.ends_with('\r'))
    return "Secret ends with a line end, which files and pasted texts often have and receivers do not; leave it out";
  auto key = signing_key(secret);
  if (key) return std::nullopt;
  return std::move(key).error().message;
}

std::string make_secret(Random& random) {
  std::string secret(prefix);
  append_base64(secret, random.bytes(made_bytes), Base64::Padded);
  return secret;
}

std::string standard_signature(const std::vector<std::string>& keys, std::string_view id, std::int64_t timestamp,
                               std::string_view body) {
  // Standard Webhooks signs msg_id.timestamp.payload.
  std::string content(id);
  content += '.';
  content += std::to_string(timestamp);
  content += '.';
  content += body;
  std::string value;
  for (const std::string& key : keys) {
    value += value.empty() ? "v1," : " v1,";
    append_base64(value, hmac_sha256(key, content), Base64::Padded);
  }
  return value;
}

std::string hub_signature(std::string_view key, std::string_view body) {
  return "sha256=" + hex(hmac_sha256(key, body));
}

std::string DeliveryProof::of(std::int64_t delivery) const {
  const std::string number = std::to_string(delivery);
  return number + "." + hex(hmac_sha256(key_, number));
}

bool DeliveryProof::holds(std::string_view proof) const {
  const std::string_view number = proof.substr(0, proof.find('.'));
  std::int64_t delivery = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), delivery);
  if (problem != std::errc() || end != number.data() + number.size() || delivery < 1) return false;
  return equal_in_constant_time(proof, of(delivery));
}

}  // namespace callisto::webhooks
