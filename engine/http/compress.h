// gzip of answers (RFC 9110 8.4.1.3 and 12.5.3). A compressed answer is another representation than the plain one, and
// has another ETag: "12.abc" becomes "12.abc-gzip". Any thread.
#pragma once

#include "engine/http/message.h"

#include <string>
#include <string_view>

namespace callisto::http {

inline constexpr std::size_t least_compressed = 1024;         // bytes; what is shorter travels in one packet anyway
inline constexpr std::string_view compressed_etag = "-gzip";  // before the closing quote

// Whether a client that sends this Accept-Encoding would rather have gzip than the plain bytes.
bool prefers_gzip(std::string_view accept_encoding);

// Replaces the body where the answer may be compressed and the client takes it; sets Vary where the client's word
// decides. Where there is no memory for it the answer stays as it is.
void compress(const Request& request, Response& response);

}  // namespace callisto::http
