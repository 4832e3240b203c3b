#include "engine/http/bearer.h"

#include "engine/base/text.h"

namespace callisto::http {

// RFC 6750 2.1; the scheme matches ignoring case (RFC 9110 11.1).
std::string_view bearer_of(const Request& request) {
  const std::string_view header = request.header("Authorization");
  constexpr std::string_view scheme = "Bearer ";
  if (header.size() < scheme.size() || !text::equals_ignoring_ascii_case(header.substr(0, scheme.size()), scheme))
    return {};
  return text::trim(header.substr(scheme.size()));
}

}  // namespace callisto::http
