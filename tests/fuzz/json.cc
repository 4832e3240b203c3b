// The JSON reader: what it accepts, written again, must be accepted again and be the same text.
#include "engine/json/read.h"
#include "engine/json/write.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using callisto::json::Node;
using callisto::json::Writer;

void write(Writer& writer, const Node& node) {
  switch (node.kind()) {
    case Node::Kind::Null:
      writer.null();
      return;
    case Node::Kind::Boolean:
      writer.boolean(node.boolean());
      return;
    case Node::Kind::Number:
      writer.element().raw() += node.text();
      return;
    case Node::Kind::String:
      writer.string(node.text());
      return;
    case Node::Kind::Array:
      writer.begin_array();
      for (const Node& item : node.items()) write(writer, item);
      writer.end_array();
      return;
    case Node::Kind::Object:
      writer.begin_object();
      for (const auto& member : node.members()) write(writer.key(member.name), member.value);
      writer.end_object();
      return;
  }
}

std::string text_of(const Node& node) {
  std::string out;
  Writer writer(out);
  write(writer, node);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = callisto::json::parse(std::string(data, data + size));
  if (!document) return 0;
  const std::string text = text_of(*document);
  const auto again = callisto::json::parse(text);
  if (!again || text_of(*again) != text) std::abort();
  return 0;
}
