#include "engine/testing/data_json.h"

#include "engine/base/datetime.h"
#include "engine/json/write.h"

#include <charconv>

namespace callisto::testing {

namespace {

using script::Data;

struct ValueWriter {
  json::Writer& writer;

  void operator()(Null) const { writer.null(); }
  void operator()(bool flag) const { writer.boolean(flag); }
  void operator()(std::int64_t number) const { writer.integer(number); }
  void operator()(double number) const { writer.real(number); }
  void operator()(const std::string& text) const { writer.string(text); }
  void operator()(DateTime date) const { writer.string(to_iso8601(date)); }
  void operator()(const Decimal& number) const { json::append_decimal(writer.raw(), number); }
  void operator()(const Binary& binary) const { json::append_base64(writer.raw(), binary.bytes); }
};

void write(json::Writer& writer, const Data& data) {
  switch (data.kind) {
    case Data::Kind::Value:
      std::visit(ValueWriter{writer}, data.value);
      return;
    case Data::Kind::List:
      writer.begin_array();
      for (const Data& item : data.items) write(writer.element(), item);
      writer.end_array();
      return;
    case Data::Kind::Map:
      writer.begin_object();
      for (const script::DataMember& member : data.members) write(writer.key(member.name), member.value);
      writer.end_object();
  }
}

Value number_of(const std::string& digits) {
  const char* end = digits.data() + digits.size();
  std::int64_t whole = 0;
  if (const auto [stop, problem] = std::from_chars(digits.data(), end, whole); problem == std::errc() && stop == end)
    return whole;
  double real = 0;
  std::from_chars(digits.data(), end, real);
  return real;
}

}  // namespace

std::string to_json(const Data& data) {
  std::string text;
  json::Writer writer(text);
  write(writer, data);
  return text;
}

Data from_json(const json::Node& node) {
  switch (node.kind()) {
    case json::Node::Kind::Null:
      return {};
    case json::Node::Kind::Boolean:
      return Value(node.boolean());
    case json::Node::Kind::Number:
      return number_of(node.text());
    case json::Node::Kind::String:
      return Value(node.text());
    case json::Node::Kind::Array: {
      std::vector<Data> items;
      for (const json::Node& item : node.items()) items.push_back(from_json(item));
      return Data::list(std::move(items));
    }
    case json::Node::Kind::Object:
      break;
  }
  std::vector<script::DataMember> members;
  for (const json::Member& member : node.members()) members.push_back({member.name, from_json(member.value)});
  return Data::map(std::move(members));
}

}  // namespace callisto::testing
