#include "engine/auth/token.h"

#include "engine/auth/base64.h"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <new>

namespace callisto::auth {

namespace {

constexpr std::size_t random_bytes = 32;
constexpr std::size_t encoded_length = 43;

constexpr std::string_view prefix_of(TokenKind kind) {
  if (kind == TokenKind::Code) return "cac_";
  return kind == TokenKind::Access ? "cat_" : "crt_";
}

struct ContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// Fetching the algorithm and a context for every digest would cost three times the digest itself.
EVP_MD_CTX* context_of_this_thread() {
  thread_local const std::unique_ptr<EVP_MD_CTX, ContextDeleter> context(EVP_MD_CTX_new());
  return context.get();
}

const EVP_MD* sha256() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm;
}

}  // namespace

std::string make_token(TokenKind kind, Random& random) {
  return std::string(prefix_of(kind)) + encode_base64(random.bytes(random_bytes), Base64::Url);
}

bool looks_like(TokenKind kind, std::string_view text) {
  const std::string_view prefix = prefix_of(kind);
  if (text.size() != prefix.size() + encoded_length || !text.starts_with(prefix)) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

Digest digest_of(std::string_view text) {
  Digest digest{};
  unsigned int size = 0;
  EVP_MD_CTX* context = context_of_this_thread();
  if (!context || EVP_DigestInit_ex2(context, sha256(), nullptr) != 1 ||
      EVP_DigestUpdate(context, text.data(), text.size()) != 1 ||
      EVP_DigestFinal_ex(context, digest.data(), &size) != 1)
    throw std::bad_alloc();  // SHA-256 itself cannot fail: OpenSSL found no memory for it
  return digest;
}

std::string stored(const Digest& digest) {
  return encode_base64({reinterpret_cast<const char*>(digest.data()), digest.size()}, Base64::Url);
}

}  // namespace callisto::auth
