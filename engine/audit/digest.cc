#include "engine/audit/digest.h"

#include <openssl/evp.h>

#include <array>
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

}  // namespace

Digest::Digest() : state_(std::make_unique<State>()) {
  must(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr));
}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add(std::string_view bytes) { must(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size())); }

std::string Digest::hex() const {
  constexpr std::string_view digits = "0123456789abcdef";
  const State copy;
  std::array<unsigned char, 32> bytes{};
  must(EVP_MD_CTX_copy_ex(copy.context, state_->context));
  must(EVP_DigestFinal_ex(copy.context, bytes.data(), nullptr));
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 0x0F];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.hex();
}

}  // namespace callisto::audit
