// Opaque tokens (API rule 6.1): a prefix for their kind and 256 random bits in base64url. Only a token's SHA-256 digest
// is ever kept, so neither the database nor a memory dump of the cache yields a usable token. Any thread.
#pragma once

#include "engine/base/random.h"
#include "engine/base/sha256.h"

#include <string>
#include <string_view>

namespace callisto::auth {

enum class TokenKind { Access, Refresh, Code };

using Digest = Sha256;

std::string make_token(TokenKind kind, Random& random);
// Whether the text could be a token of that kind; nothing else is worth a digest or a look into the database.
bool looks_like(TokenKind kind, std::string_view text);

inline Digest digest_of(std::string_view text) { return sha256(text); }
std::string stored(const Digest& digest);  // base64url: as the tables keep it

}  // namespace callisto::auth
