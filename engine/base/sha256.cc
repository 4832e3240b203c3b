#include "engine/base/sha256.h"

#include "engine/base/freed.h"

#include <openssl/evp.h>

#include <memory>
#include <new>

namespace callisto {

namespace {

// Fetching the algorithm and a context for every digest would cost three times the digest itself.
EVP_MD_CTX* context_of_this_thread() {
  thread_local const std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  return context.get();
}

const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return fetched;
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  EVP_MD_CTX* context = context_of_this_thread();
  if (!context || EVP_DigestInit_ex2(context, algorithm(), nullptr) != 1 ||
      EVP_DigestUpdate(context, bytes.data(), bytes.size()) != 1 ||
      EVP_DigestFinal_ex(context, digest.data(), nullptr) != 1)
    throw std::bad_alloc();  // SHA-256 itself cannot fail: OpenSSL found no memory for it
  return digest;
}

}  // namespace callisto
