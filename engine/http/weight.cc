#include "engine/http/weight.h"

#include "engine/base/text.h"

#include <algorithm>

namespace callisto::http {

namespace {

// RFC 9110 12.4.2: "0" or "1" and up to three digits, here in thousandths. What is no weight weighs nothing.
int weight(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return 0;
  if (text.size() > 1 && text[1] != '.') return 0;
  int thousandths = text[0] == '1' ? 1000 : 0;
  int unit = 100;
  for (const char digit : text.substr(std::min<std::size_t>(2, text.size()))) {
    if (digit < '0' || digit > '9') return 0;
    thousandths += (digit - '0') * unit;
    unit /= 10;
  }
  return thousandths > 1000 ? 0 : thousandths;
}

}  // namespace

int weight_of(std::string_view parameters) {
  for (std::string_view each : text::split(parameters, ';')) {
    each = text::trim(each);
    if (each.size() > 2 && text::equals_ignoring_ascii_case(each.substr(0, 2), "q=")) return weight(each.substr(2));
    if (text::equals_ignoring_ascii_case(each, "q=")) return 0;
  }
  return 1000;
}

}  // namespace callisto::http
