#include "engine/base/aes_gcm.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <memory>
#include <new>

namespace callisto {

namespace {

constexpr std::size_t iv_bytes = 12;
constexpr std::size_t tag_bytes = 16;

struct FreeCipher {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, FreeCipher>;

// OpenSSL queues errors for the thread; its TLS code, used by libcurl on the same thread, would take them for its own.
struct ErrorQueueCleaner {
  ~ErrorQueueCleaner() { ERR_clear_error(); }
};

const unsigned char* octets(const char* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }
unsigned char* octets(char* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

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

std::string aes_gcm_seal(const std::string& key, std::string_view plain, std::string_view bound_to, Random& random) {
  const std::string iv = random.bytes(iv_bytes);
  std::string text(plain.size(), '\0');
  std::string tag(tag_bytes, '\0');
  int size = 0;
  const Cipher cipher = start(true, key, iv, bound_to);
  if (!cipher ||
      EVP_CipherUpdate(cipher.get(), octets(text.data()), &size, octets(plain.data()),
                       static_cast<int>(plain.size())) != 1 ||
      EVP_CipherFinal_ex(cipher.get(), octets(tag.data()), &size) != 1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, tag.data()) != 1)
    throw std::bad_alloc();  // with a key of 32 bytes nothing else can fail
  return iv + text + tag;
}

std::optional<std::string> aes_gcm_open(const std::string& key, std::string_view sealed, std::string_view bound_to) {
  const ErrorQueueCleaner cleaner;
  if (sealed.size() < iv_bytes + tag_bytes) return std::nullopt;
  const std::string_view text = sealed.substr(iv_bytes, sealed.size() - iv_bytes - tag_bytes);
  std::string tag(sealed.substr(sealed.size() - tag_bytes));
  std::string plain(text.size(), '\0');
  std::string rest(tag_bytes, '\0');
  int size = 0;
  const Cipher cipher = start(false, key, sealed.substr(0, iv_bytes), bound_to);
  if (!cipher ||
      EVP_CipherUpdate(cipher.get(), octets(plain.data()), &size, octets(text.data()), static_cast<int>(text.size())) !=
          1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag.data()) != 1 ||
      EVP_CipherFinal_ex(cipher.get(), octets(rest.data()), &size) != 1)
    return std::nullopt;
  return plain;
}

}  // namespace callisto
