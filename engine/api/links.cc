#include "engine/api/links.h"

#include "engine/json/write.h"

namespace callisto::api {

KeyedText::KeyedText(std::string_view text) {
  for (std::size_t at; (at = text.find(key_mark)) != text.npos; text.remove_prefix(at + key_mark.size()))
    pieces_.emplace_back(text.substr(0, at));
  pieces_.emplace_back(text);
}

void KeyedText::append(std::string& out, std::int64_t key) const {
  out += pieces_.front();
  for (auto piece = pieces_.begin() + 1; piece != pieces_.end(); ++piece) {
    json::append_integer(out, key);
    out += *piece;
  }
}

}  // namespace callisto::api
