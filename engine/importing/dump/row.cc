#include "engine/importing/dump/row.h"

#include "engine/base/base64.h"
#include "engine/base/text.h"
#include "engine/json/write.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace callisto::importing {

namespace {

void append_object(std::string& out, const char* kind, const std::string& text) {
  out += "{\"" + std::string(kind) + "\":\"" + text + "\"}";
}

void append_real(std::string& out, double number) {
  if (!std::isfinite(number)) return append_object(out, "real", number > 0 ? "inf" : "-inf");
  const std::size_t start = out.size();
  json::append_double(out, number);
  if (out.find_first_of(".eE", start) == out.npos) out += ".0";
}

Error misfit(const json::Node& node) {
  return bad_format("no value of an export can be " + std::string(json::name(node.kind())) + " such as this one");
}

Result<Value> read_number(const json::Node& node) {
  const std::string& text = node.text();
  const char* end = text.data() + text.size();
  if (text.find_first_of(".eE") == text.npos) {
    std::int64_t number = 0;
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    if (problem != std::errc() || stop != end) return bad_format("the number " + text + " has more than 64 bits");
    return Value(number);
  }
  double number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end) return bad_format("the number " + text + " is too large");
  return Value(number);
}

Result<Value> read_object(const json::Node& node) {
  if (node.members().size() != 1) return misfit(node);
  const json::Member& member = node.members().front();
  if (member.value.kind() != json::Node::Kind::String) return misfit(node);
  const std::string& text = member.value.text();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (member.name == "real" && (text == "inf" || text == "-inf")) return Value(text == "inf" ? infinity : -infinity);
  auto bytes = decode_base64(text, Base64::Padded);
  if (!bytes) return misfit(node);
  if (member.name == "bytes") return Value(Binary{*std::move(bytes)});
  if (member.name == "text") return Value(*std::move(bytes));
  return misfit(node);
}

}  // namespace

void append_stored(std::string& out, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return json::append_integer(out, *number);
  if (const auto* real = std::get_if<double>(&value)) return append_real(out, *real);
  if (const auto* binary = std::get_if<Binary>(&value))
    return append_object(out, "bytes", encode_base64(binary->bytes, Base64::Padded));
  const auto& text = std::get<std::string>(value);
  if (text::is_utf8(text)) json::append_string(out, text);
  else append_object(out, "text", encode_base64(text, Base64::Padded));
}

Result<Value> read_stored(const json::Node& node) {
  switch (node.kind()) {
    case json::Node::Kind::Number:
      return read_number(node);
    case json::Node::Kind::String:
      return Value(node.text());
    case json::Node::Kind::Object:
      return read_object(node);
    default:
      return misfit(node);
  }
}

}  // namespace callisto::importing
