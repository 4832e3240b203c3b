#include "engine/api/links.h"

#include "engine/base/datetime.h"
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

void append_value(std::string& out, const Value& value) {
  struct Visitor {
    std::string& out;
    void operator()(Null) const { out += "null"; }
    void operator()(bool flag) const { out += flag ? "true" : "false"; }
    void operator()(std::int64_t number) const { json::append_integer(out, number); }
    void operator()(double number) const { json::append_double(out, number); }
    void operator()(const std::string& text) const { json::append_string(out, text); }
    void operator()(DateTime moment) const {
      out += '"';
      append_iso8601(out, moment);
      out += '"';
    }
    void operator()(const Decimal& decimal) const { json::append_decimal(out, decimal); }
    void operator()(const Binary& binary) const { json::append_base64(out, binary.bytes); }
  };
  std::visit(Visitor{out}, value);
}

}  // namespace callisto::api
