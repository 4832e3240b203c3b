// OpenAPI 3.1 -> 3.0.3: JSON Schema of 2020 becomes that version's own dialect.
#include "engine/api/openapi.h"
#include "engine/json/node_text.h"
#include "engine/json/write.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

namespace {

using json::Member;
using json::Node;

constexpr std::string_view texts_as_they_stand[] = {"example", "examples", "default", "enum"};
// Objects whose members have names of their own, and are no words of the dialect.
constexpr std::string_view maps[] = {"properties", "schemas",   "parameters", "responses", "headers",
                                     "paths",      "callbacks", "content",    "scopes",    "securitySchemes"};

bool is_among(std::string_view name, const auto& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

void write_plain(json::Writer& writer, const Node& node) { writer.element().raw() += json::text_of(node); }

bool is_null_type(const Node& node) { return json::string_of(node, "type") == "null"; }

class Rewriter {
 public:
  explicit Rewriter(std::string& out) : writer_(out) {}

  void write(const Node& node) {
    if (node.kind() == Node::Kind::Array) {
      writer_.begin_array();
      for (const Node& item : node.items()) write(item);
      writer_.end_array();
    } else if (node.kind() == Node::Kind::Object) {
      write_object(node);
    } else {
      write_plain(writer_, node);
    }
  }

 private:
  void write_object(const Node& node) {
    writer_.begin_object();
    // What stands beside a reference is passed over there.
    if (const Node* reference = node.find("$ref"); reference && reference->kind() == Node::Kind::String) {
      writer_.key("$ref").string(reference->text());
    } else {
      for (const Member& member : node.members()) write_member(member.name, member.value);
    }
    writer_.end_object();
  }

  void write_map(const Node& map) {
    writer_.begin_object();
    for (const Member& member : map.members()) {
      writer_.key(member.name);
      write(member.value);
    }
    writer_.end_object();
  }

  void write_member(const std::string& name, const Node& value) {
    if (name == "openapi") writer_.key(name).string("3.0.3");
    else if (name == "webhooks") write_named("x-webhooks", value, true);
    else if (name == "identifier") writer_.key("url").string("https://spdx.org/licenses/" + value.text() + ".html");
    else if (name == "const") write_const(value);
    else if (name == "contentEncoding") writer_.key("format").string("byte");
    else if (name == "contentMediaType") return;
    else if (name == "type" && value.kind() == Node::Kind::Array) write_type(value);
    else if (name == "anyOf") write_choice(value);
    else if (name == "examples" && value.kind() == Node::Kind::Array && !value.items().empty()) write_example(value);
    else if (is_among(name, texts_as_they_stand)) write_named(name, value, false);
    else if (is_among(name, maps) && value.kind() == Node::Kind::Object) {
      writer_.key(name);
      write_map(value);
    } else {
      write_named(name, value, true);
    }
  }

  void write_named(std::string_view name, const Node& value, bool rewritten) {
    writer_.key(name);
    if (rewritten) write(value);
    else write_plain(writer_, value);
  }

  void write_const(const Node& value) {
    writer_.key("enum").begin_array();
    write_plain(writer_, value);
    writer_.end_array();
  }

  void write_example(const Node& examples) { write_named("example", examples.items().front(), false); }

  void write_type(const Node& types) {
    for (const Node& type : types.items()) {
      if (type.text() == "null") writer_.key("nullable").boolean(true);
      else writer_.key("type").string(type.text());
    }
  }

  // Null is a choice of the first that says its own type: elsewhere nobody reads it.
  void write_choice(const Node& choices) {
    bool nullable = std::any_of(choices.items().begin(), choices.items().end(), is_null_type);
    writer_.key("anyOf").begin_array();
    for (const Node& choice : choices.items()) {
      if (is_null_type(choice)) continue;
      const bool takes_null = nullable && choice.find("type");
      if (takes_null) nullable = false;
      write_choice(choice, takes_null);
    }
    writer_.end_array();
  }

  void write_choice(const Node& choice, bool nullable) {
    if (!nullable) return write(choice);
    writer_.begin_object().key("nullable").boolean(true);
    for (const Member& member : choice.members()) write_member(member.name, member.value);
    writer_.end_object();
  }

  json::Writer writer_;
};

}  // namespace

Result<std::string> as_openapi_30(const std::string& document) {
  CALLISTO_TRY(const Node root, json::parse(document, {64, 10'000'000}));
  std::string out;
  Rewriter(out).write(root);
  return out;
}

}  // namespace callisto::api
