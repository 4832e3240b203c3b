#include "engine/base/running_digest.h"

#include "engine/base/freed.h"
#include "engine/base/hex.h"
#include "engine/base/sha256.h"

#include <openssl/evp.h>

#include <new>

namespace callisto {

// SHA-256 itself cannot fail: where OpenSSL answers so, it found no memory.
struct RunningDigest::State {
  State() : context(EVP_MD_CTX_new()) {
    if (!context) throw std::bad_alloc();
  }
  std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>> context;
};

namespace {

void must(int answer) {
  if (answer != 1) throw std::bad_alloc();
}

}  // namespace

RunningDigest::RunningDigest() : state_(std::make_unique<State>()) {
  must(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr));
}
RunningDigest::~RunningDigest() = default;
RunningDigest::RunningDigest(RunningDigest&&) noexcept = default;
RunningDigest& RunningDigest::operator=(RunningDigest&&) noexcept = default;

void RunningDigest::add(std::string_view bytes) {
  must(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

std::string RunningDigest::hex() const {
  const State copy;
  Sha256 bytes{};
  must(EVP_MD_CTX_copy_ex(copy.context.get(), state_->context.get()));
  must(EVP_DigestFinal_ex(copy.context.get(), bytes.data(), nullptr));
  return callisto::hex(view(bytes));
}

std::string sha256_hex(std::string_view bytes) { return hex(view(sha256(bytes))); }

}  // namespace callisto
