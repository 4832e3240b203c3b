// The weights in a client's Accept headers (RFC 9110 12.4.2). Pure; any thread.
#pragma once

#include <string_view>

namespace callisto::http {

// In thousandths, of the parameters behind a coding or a media type: "q=0.5" is 500, none is 1000, what is no weight 0.
int weight_of(std::string_view parameters);

}  // namespace callisto::http
