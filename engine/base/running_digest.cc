#include "engine/base/running_digest.h"

#include "engine/base/sha256.h"

#include <openssl/evp.h>

#include <new>

namespace callisto {

// SHA-256 itself cannot fail: where OpenSSL answers so, it found no memory.
struct RunningDigest::State {
  State() : context(EVP_MD_CTX_new()) {
    if (!context) throw std::bad_alloc();
  }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  EVP_MD_CTX* context;
};

namespace {

void must(int answer) {
  if (answer != 1) throw std::bad_alloc();
}

std::string hex_of(const Sha256& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 0x0F];
  }
  return text;
}

}  // namespace

RunningDigest::RunningDigest() : state_(std::make_unique<State>()) {
  must(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr));
}
RunningDigest::~RunningDigest() = default;
RunningDigest::RunningDigest(RunningDigest&&) noexcept = default;
RunningDigest& RunningDigest::operator=(RunningDigest&&) noexcept = default;

void RunningDigest::add(std::string_view bytes) { must(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size())); }

std::string RunningDigest::hex() const {
  const State copy;
  Sha256 bytes{};
  must(EVP_MD_CTX_copy_ex(copy.context, state_->context));
  must(EVP_DigestFinal_ex(copy.context, bytes.data(), nullptr));
  return hex_of(bytes);
}

std::string sha256_hex(std::string_view bytes) { return hex_of(sha256(bytes)); }

}  // namespace callisto
