#include "engine/oidc/seal.h"

#include "engine/base/base64.h"
#include "engine/oidc/openssl_handles.h"

#include <cstdint>
#include <new>

namespace callisto::oidc {

namespace {

constexpr std::size_t kIvBytes = 12;
constexpr std::size_t kTagBytes = 16;
constexpr std::size_t kExpiryBytes = 8;
constexpr std::size_t kSecretLength = 43;
constexpr std::size_t kFixedBytes = kExpiryBytes + 2 * kSecretLength;

// expiry, nonce, verifier, context: all but the last have a fixed length.
std::string packed(const SignIn& sign_in) {
  std::string bytes;
  for (std::size_t i = kExpiryBytes; i-- > 0;)
    bytes += static_cast<char>(static_cast<std::uint64_t>(sign_in.expires.ms) >> (8 * i) & 255);
  return bytes + sign_in.nonce + sign_in.verifier + sign_in.context;
}

SignIn unpacked(const std::string& bytes) {
  std::uint64_t expires = 0;
  for (std::size_t i = 0; i < kExpiryBytes; ++i) expires = expires << 8 | static_cast<unsigned char>(bytes[i]);
  return {DateTime{static_cast<std::int64_t>(expires)}, bytes.substr(kExpiryBytes, kSecretLength),
          bytes.substr(kExpiryBytes + kSecretLength, kSecretLength), bytes.substr(kFixedBytes)};
}

// Ready for the text, `bound_to` taken in; null where OpenSSL refuses.
Cipher start(bool sealing, const std::string& key, std::string_view iv, std::string_view bound_to) {
  Cipher cipher(EVP_CIPHER_CTX_new());
  int size = 0;
  if (!cipher ||
      EVP_CipherInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, octets(key.data()), octets(iv.data()), sealing) !=
          1 ||
      EVP_CipherUpdate(cipher.get(), nullptr, &size, octets(bound_to.data()), static_cast<int>(bound_to.size())) != 1)
    return nullptr;
  return cipher;
}

}  // namespace

std::string Seal::close(const SignIn& sign_in, std::string_view bound_to, Random& random) const {
  const std::string plain = packed(sign_in);
  const std::string iv = random.bytes(kIvBytes);
  std::string text(plain.size(), '\0');
  std::string tag(kTagBytes, '\0');
  int size = 0;
  const Cipher cipher = start(true, key_, iv, bound_to);
  if (!cipher ||
      EVP_CipherUpdate(cipher.get(), octets(text.data()), &size, octets(plain.data()),
                       static_cast<int>(plain.size())) != 1 ||
      EVP_CipherFinal_ex(cipher.get(), octets(tag.data()), &size) != 1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_GET_TAG, kTagBytes, tag.data()) != 1)
    throw std::bad_alloc();  // with a key of 32 bytes nothing else can fail
  return encode_base64(iv + text + tag, Base64::Url);
}

std::optional<SignIn> Seal::open(std::string_view sealed, std::string_view bound_to) const {
  const ErrorQueueCleaner cleaner;
  auto bytes = decode_base64(sealed, Base64::Url);
  if (!bytes || bytes->size() < kIvBytes + kFixedBytes + kTagBytes) return std::nullopt;
  const std::string_view all = *bytes;
  const std::string_view text = all.substr(kIvBytes, all.size() - kIvBytes - kTagBytes);
  std::string tag(all.substr(all.size() - kTagBytes));
  std::string plain(text.size(), '\0');
  std::string rest(kTagBytes, '\0');
  int size = 0;
  const Cipher cipher = start(false, key_, all.substr(0, kIvBytes), bound_to);
  if (!cipher ||
      EVP_CipherUpdate(cipher.get(), octets(plain.data()), &size, octets(text.data()), static_cast<int>(text.size())) !=
          1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_SET_TAG, kTagBytes, tag.data()) != 1 ||
      EVP_CipherFinal_ex(cipher.get(), octets(rest.data()), &size) != 1)
    return std::nullopt;
  return unpacked(plain);
}

}  // namespace callisto::oidc
