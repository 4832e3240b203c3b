// Hypermedia links: `api:` stands for the api root (specification, head). Also Values as JSON. Pure; any thread.
#pragma once

#include "engine/base/value.h"

#include <string>
#include <string_view>

namespace callisto::api {

// api:v1/call/7
inline std::string link(std::string_view version, std::string_view path) {
  std::string text = "api:";
  text += version;
  text += '/';
  text += path;
  return text;
}

void append_value(std::string& out, const Value& value);

}  // namespace callisto::api
