// Hypermedia links: `api:` stands for the api root (API rule 3.1). Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

// api:v1/call/7
inline std::string link(std::string_view version, std::string_view path) {
  std::string text = "api:";
  text += version;
  text += '/';
  text += path;
  return text;
}

// Bytes that stand below their record under the property's name: person/7/image.
inline bool has_url(const catalog::Property& property) {
  return property.type == catalog::DataType::Binary && property.name != catalog::system::file_content &&
         !property.internal;
}

// Stands for a key while a text is made; no name contains it.
constexpr std::string_view key_mark = "\x7f";

// A text in which a key stands at each key_mark.
class KeyedText {
 public:
  explicit KeyedText(std::string_view text);
  void append(std::string& out, std::int64_t key) const;

 private:
  std::vector<std::string> pieces_;  // the key stands between two
};

}  // namespace callisto::api
