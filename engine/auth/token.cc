#include "engine/auth/token.h"

#include "engine/base/base64.h"

#include <algorithm>

namespace callisto::auth {

namespace {

constexpr std::size_t random_bytes = 32;
constexpr std::size_t encoded_length = 43;

constexpr std::string_view prefix_of(TokenKind kind) {
  if (kind == TokenKind::Code) return "cac_";
  return kind == TokenKind::Access ? "cat_" : "crt_";
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

std::string stored(const Digest& digest) { return encode_base64(view(digest), Base64::Url); }

}  // namespace callisto::auth
