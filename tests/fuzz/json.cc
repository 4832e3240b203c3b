// The JSON reader: what it accepts, written again, must be accepted again and be the same text.
#include "engine/json/node_text.h"

#include <cstdint>
#include <cstdlib>
#include <string>

using callisto::json::text_of;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = callisto::json::parse(std::string(data, data + size));
  if (!document) return 0;
  const std::string text = text_of(*document);
  const auto again = callisto::json::parse(text);
  if (!again || text_of(*again) != text) std::abort();
  return 0;
}
