// Owners of OpenSSL's handles. OpenSSL queues errors for each thread; they must not stay there, or its TLS code, used
// by libcurl on the same thread, would take them for its own. Any thread.
#pragma once

#include "engine/base/freed.h"

#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <memory>

namespace callisto::oidc {

using Digester = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using ParameterBuilder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using EcdsaSignature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

struct ErrorQueueCleaner {
  ~ErrorQueueCleaner() { ERR_clear_error(); }
};

inline const unsigned char* octets(const char* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }
inline unsigned char* octets(char* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

}  // namespace callisto::oidc
