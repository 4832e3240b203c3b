// Foreign bytes made UTF-8: each byte that fits nowhere becomes U+FFFD. Pure; any thread.
#pragma once

#include "engine/base/text.h"

#include <string>
#include <string_view>

namespace callisto::webhooks {

inline std::string made_utf8(std::string_view bytes) {
  std::string out;
  while (true) {
    const std::size_t valid = text::valid_prefix(bytes);
    out += bytes.substr(0, valid);
    if (valid == bytes.size()) return out;
    out += "\xEF\xBF\xBD";
    bytes.remove_prefix(valid + 1);
  }
}

}  // namespace callisto::webhooks
