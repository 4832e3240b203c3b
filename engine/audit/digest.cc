#include "engine/audit/digest.h"

#include "engine/base/sha256.h"

#include <openssl/evp.h>

#include <new>

namespace callisto::audit {

// SHA-256 itself cannot fail: where OpenSSL answers so, it found no memory.
struct Digest::State {
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

Digest::Digest() : state_(std::make_unique<State>()) {
  must(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr));
}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add(std::string_view bytes) { must(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size())); }

std::string Digest::hex() const {
  const State copy;
  Sha256 bytes{};
  must(EVP_MD_CTX_copy_ex(copy.context, state_->context));
  must(EVP_DigestFinal_ex(copy.context, bytes.data(), nullptr));
  return hex_of(bytes);
}

std::string sha256(std::string_view bytes) { return hex_of(callisto::sha256(bytes)); }

}  // namespace callisto::audit
