#include "engine/base/hmac.h"

#include "engine/base/freed.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <memory>
#include <new>
#include <utility>

namespace callisto {

namespace {

using Context = std::unique_ptr<EVP_MAC_CTX, Freed<EVP_MAC_CTX_free>>;

// Null: OpenSSL found no memory for it.
Context context_of_sha256() {
  static EVP_MAC* const algorithm = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  Context context(algorithm ? EVP_MAC_CTX_new(algorithm) : nullptr);
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                                   OSSL_PARAM_construct_end()};
  return context && EVP_MAC_CTX_set_params(context.get(), parameters) == 1 ? std::move(context) : nullptr;
}

// Fetching the algorithm and a context for every signature would cost several times the signature itself.
EVP_MAC_CTX* context_of_this_thread() {
  thread_local Context context;
  if (!context) context = context_of_sha256();
  return context.get();
}

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view message) {
  std::string digest(32, '\0');
  std::size_t size = 0;
  EVP_MAC_CTX* const context = context_of_this_thread();
  // Without a key a context would go on with the last one.
  const std::string_view given = key.data() ? key : "";
  if (!context || EVP_MAC_init(context, bytes_of(given), given.size(), nullptr) != 1 ||
      EVP_MAC_update(context, bytes_of(message), message.size()) != 1 ||
      EVP_MAC_final(context, reinterpret_cast<unsigned char*>(digest.data()), &size, digest.size()) != 1)
    throw std::bad_alloc();  // the algorithm cannot fail: OpenSSL found no memory for it
  return digest;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace callisto
