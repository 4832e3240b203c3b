// Bytes of a record as a download: ETag, Range, Content-Disposition (API rule 4.6; RFC 9110 14, RFC 6266). Any
// thread.
#pragma once

#include "engine/api/api.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::api {

struct Content {
  std::string bytes;
  std::string type;       // empty: told from the bytes
  std::string file_name;  // empty: shown, not saved
  std::string etag;
};

Result<void> send_content(const Call& call, Content content);

struct ByteRange {
  std::size_t first = 0, size = 0;
};
// The one range of a Range header; nothing where there is none that is understood, size 0 where it lies outside.
std::optional<ByteRange> byte_range(std::string_view header, std::size_t total);

// attachment; filename="ascii"; filename*=UTF-8''percent-encoded
std::string content_disposition(std::string_view file_name);

}  // namespace callisto::api
