#include "engine/base/html.h"

namespace callisto {

namespace {

std::string_view escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

Html& Html::text(std::string_view text) {
  for (const char c : text) {
    const std::string_view escape = escape_of(c);
    if (escape.empty()) text_ += c;
    else text_ += escape;
  }
  return *this;
}

}  // namespace callisto
