#include "engine/oidc/seal.h"

#include "engine/base/aes_gcm.h"
#include "engine/base/base64.h"

#include <cstdint>

namespace callisto::oidc {

namespace {

constexpr std::size_t expiry_bytes = 8;
constexpr std::size_t secret_length = 43;
constexpr std::size_t fixed_bytes = expiry_bytes + 2 * secret_length;

// expiry, nonce, verifier, context: all but the last have a fixed length.
std::string packed(const SignIn& sign_in) {
  std::string bytes;
  for (std::size_t i = expiry_bytes; i-- > 0;)
    bytes += static_cast<char>(static_cast<std::uint64_t>(sign_in.expires.ms) >> (8 * i) & 255);
  return bytes + sign_in.nonce + sign_in.verifier + sign_in.context;
}

SignIn unpacked(const std::string& bytes) {
  std::uint64_t expires = 0;
  for (std::size_t i = 0; i < expiry_bytes; ++i) expires = expires << 8 | static_cast<unsigned char>(bytes[i]);
  return {DateTime{static_cast<std::int64_t>(expires)}, bytes.substr(expiry_bytes, secret_length),
          bytes.substr(expiry_bytes + secret_length, secret_length), bytes.substr(fixed_bytes)};
}

}  // namespace

std::string Seal::close(const SignIn& sign_in, std::string_view bound_to, Random& random) const {
  return encode_base64(aes_gcm_seal(key_, packed(sign_in), bound_to, random), Base64::Url);
}

std::optional<SignIn> Seal::open(std::string_view sealed, std::string_view bound_to) const {
  const auto bytes = decode_base64(sealed, Base64::Url);
  if (!bytes || bytes->size() < fixed_bytes + aes_gcm_extra_bytes) return std::nullopt;
  const auto plain = aes_gcm_open(key_, *bytes, bound_to);
  if (!plain) return std::nullopt;
  return unpacked(*plain);
}

}  // namespace callisto::oidc
