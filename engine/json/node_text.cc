#include "engine/json/node_text.h"

#include "engine/json/write.h"

namespace callisto::json {

namespace {

void append(Writer& writer, const Node& node) {
  switch (node.kind()) {
    case Node::Kind::Null:
      writer.null();
      return;
    case Node::Kind::Boolean:
      writer.boolean(node.boolean());
      return;
    case Node::Kind::String:
      writer.string(node.text());
      return;
    case Node::Kind::Number:
      writer.element().raw() += node.text();
      return;
    case Node::Kind::Array:
      writer.begin_array();
      for (const Node& item : node.items()) append(writer, item);
      writer.end_array();
      return;
    case Node::Kind::Object:
      break;
  }
  writer.begin_object();
  for (const Member& member : node.members()) append(writer.key(member.name), member.value);
  writer.end_object();
}

}  // namespace

std::string text_of(const Node& node) {
  std::string text;
  Writer writer(text);
  append(writer, node);
  return text;
}

}  // namespace callisto::json
