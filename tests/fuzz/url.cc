// Any bytes as a path and as a query: decoding never fails otherwise than by its Error, and what it yields encodes to a
// text that decodes to the same.
#include "engine/http/url.h"
#include "engine/base/percent.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_path(std::string_view raw) {
  const auto segments = callisto::http::decode_path(raw);
  if (!segments) return require(segments.error().status == 400);
  std::string encoded;
  for (const std::string& segment : *segments) {
    require(!segment.empty());
    require(segment.find('\\') == std::string::npos);
    for (char c : segment) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
    encoded += '/';
    callisto::append_encoded(encoded, segment);
  }
  const auto again = callisto::http::decode_path(encoded);
  require(again && *again == *segments);
}

void check_query(std::string_view raw) {
  const auto pairs = callisto::http::decode_query(raw);
  if (!pairs) return require(pairs.error().status == 400);
  std::string encoded;
  for (const auto& [name, value] : *pairs) {
    require(value.find('\0') == std::string::npos);
    if (!encoded.empty()) encoded += '&';
    callisto::append_encoded(encoded, name);
    encoded += '=';
    callisto::append_encoded(encoded, value);
  }
  const auto again = callisto::http::decode_query(encoded);
  require(again && *again == *pairs);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view raw(reinterpret_cast<const char*>(data), size);
  check_path(raw);
  check_query(raw);
  return 0;
}
