// The methods that a url supports, as an Allow header lists them (RFC 9110 10.2.1). Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

struct Methods {
  bool get = true;  // and HEAD; OPTIONS is always understood
  bool post = false;
  bool also_post = false;  // understood where PUT means the same, and told nowhere
  bool put = false;
  bool del = false;

  bool has(std::string_view method) const;
  std::vector<std::string_view> names() const;
  std::string text() const;  // "GET, HEAD, OPTIONS"
};

}  // namespace callisto::api
