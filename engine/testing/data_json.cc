#include "engine/testing/data_json.h"

#include "engine/json/write.h"

namespace callisto::testing {

namespace {

using script::Data;

void write(json::Writer& writer, const Data& data) {
  switch (data.kind) {
    case Data::Kind::Value:
      json::append_value(writer.raw(), data.value);
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
      return json::value_of_number(node.text());
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
