#include "engine/scim/resources/changes.h"

#include "engine/base/text.h"
#include "engine/scim/protocol/refusal.h"

#include <algorithm>
#include <charconv>

namespace callisto::scim {

namespace {

using json::Node;
using Kind = json::Node::Kind;

bool same(std::string_view a, std::string_view b) { return text::equals_ignoring_ascii_case(a, b); }

Error not_valid(const std::string& what) { return refuse(400, "invalidValue", what); }

// Names in any case (RFC 7643 2.1).
const Node* member_of(const Node& object, std::string_view name) {
  for (const json::Member& each : object.members())
    if (same(each.name, name)) return &each.value;
  return nullptr;
}

class Reader {
 public:
  explicit Reader(const Resource& resource) : resource_(resource) {}

  // An object whose names are attributes, or paths of them.
  Result<void> take(const Node& object, MemberChange::Kind how) {
    for (const json::Member& each : object.members()) {
      CALLISTO_TRY(const Path path, read_path(resource_, each.name));
      CALLISTO_CHECK(put(path, each.value, how));
    }
    return {};
  }

  Result<void> operate(const Node& operation) {
    const Node* op = member_of(operation, "op");
    const Node* named = member_of(operation, "path");
    const Node* value = member_of(operation, "value");
    const std::string word = op ? text::ascii_lower(op->text()) : std::string();
    if (word != "add" && word != "remove" && word != "replace")
      return refuse(400, "invalidSyntax", "An operation's op is add, remove or replace.");
    const bool has_path = named && !named->text().empty();
    if (word == "remove") return has_path ? remove(named->text(), value) : no_target();
    if (!value) return not_valid("The operation " + word + " has no value.");
    const auto how = word == "add" ? MemberChange::Kind::Add : MemberChange::Kind::Replace;
    if (has_path) {
      CALLISTO_TRY(const Path path, read_path(resource_, named->text(), true));
      return put(path, *value, how);
    }
    if (value->kind() != Kind::Object) return not_valid("A value without a path is an object.");
    return take(*value, how);
  }

  Changes changes() && { return std::move(changes_); }

 private:
  static Error no_target() { return refuse(400, "noTarget", "The operation remove needs a path."); }

  Result<void> remove(const std::string& text, const Node* value) {
    CALLISTO_TRY(const Path path, read_path(resource_, text, true));
    if (path.kind == Path::Kind::Members) return remove_members(path, value);
    return put(path, Node(), MemberChange::Kind::Remove);
  }

  // members[value eq "7"], or { "value": [{ "value": "7" }] } beside the path "members", or all of them.
  Result<void> remove_members(const Path& path, const Node* value) {
    MemberChange change{MemberChange::Kind::Remove, {}};
    for (const std::string& each : path.members) CALLISTO_CHECK(add_key(each, change));
    if (!path.has_brackets && value && !value->is_null()) CALLISTO_CHECK(add_keys(*value, change));
    else if (!path.has_brackets) change.kind = MemberChange::Kind::Replace;
    changes_.members.push_back(std::move(change));
    return {};
  }

  Result<void> put(const Path& path, const Node& value, MemberChange::Kind how) {
    switch (path.kind) {
      case Path::Kind::Elsewhere:
        return {};
      case Path::Kind::Resource:
        return take(value, how);
      case Path::Kind::Members: {
        MemberChange change{how, {}};
        if (path.has_brackets) return not_valid("Members are named by their values.");
        if (!value.is_null()) CALLISTO_CHECK(add_keys(value, change));
        changes_.members.push_back(std::move(change));
        return {};
      }
      case Path::Kind::Attribute:
        break;
    }
    if (path.attribute->form == Form::Many) return put_many(path, value);
    if (path.attribute->form == Form::Single || !path.part.empty())
      return put_one(resource_.find(path.attribute->name, path.part), value);
    return put_complex(*path.attribute, value);
  }

  Result<void> put_complex(const Attribute& attribute, const Node& value) {
    if (value.is_null())
      for (const Mapped& each : resource_.mapped)
        if (each.attribute == &attribute) CALLISTO_CHECK(put_one(&each, value));
    if (!value.is_null() && value.kind() != Kind::Object)
      return not_valid(std::string(attribute.name) + " is an object.");
    for (const json::Member& each : value.members())
      CALLISTO_CHECK(put_one(resource_.find(attribute.name, each.name), each.value));
    return {};
  }

  // One value by its type; or a list, of which each type that is kept takes its own, and the first kept one else the
  // primary or the first of them.
  Result<void> put_many(const Path& path, const Node& value) {
    const bool is_list = value.kind() == Kind::Array;
    if (!is_list && (!path.part.empty() || path.has_brackets)) {
      const Mapped* mapped = path.part.empty() ? resource_.find_first(path.attribute->name)
                                               : resource_.find(path.attribute->name, path.part);
      return put_one(mapped, value);
    }
    const std::vector<Node> list = is_list ? value.items() : std::vector<Node>{value};
    for (const Mapped& each : resource_.mapped)
      if (each.attribute == path.attribute) CALLISTO_CHECK(put_one(&each, chosen(list, each)));
    return {};
  }

  const Node& chosen(const std::vector<Node>& list, const Mapped& mapped) const {
    static const Node nothing;
    const Node* primary = nullptr;
    const Node* untyped = nullptr;
    for (const Node& each : list) {
      const Node* type = member_of(each, "type");
      if (type && same(type->text(), mapped.part)) return each;
      const Node* mark = member_of(each, "primary");
      if (!primary && mark && mark->boolean() && !is_of_another(type)) primary = &each;
      if (!untyped && !is_of_another(type)) untyped = &each;
    }
    if (&mapped != resource_.find_first(mapped.attribute->name)) return nothing;
    return primary ? *primary : untyped ? *untyped : nothing;
  }

  // Kept under its own type.
  bool is_of_another(const Node* type) const {
    return type && std::any_of(resource_.mapped.begin(), resource_.mapped.end(),
                               [&](const Mapped& each) { return same(each.part, type->text()); });
  }

  // An object stands for its value.
  static const Node& plain(const Node& value) {
    static const Node nothing;
    if (value.kind() != Kind::Object) return value;
    const Node* found = member_of(value, "value");
    return found ? *found : nothing;
  }

  Result<void> put_one(const Mapped* mapped, const Node& given) {
    if (!mapped) return {};  // nothing here keeps it
    const Node& value = plain(given);
    CALLISTO_TRY(Node fitting, converted(*mapped, value));
    changes_.values.insert_or_assign(mapped, std::move(fitting));
    return {};
  }

  static Result<Node> converted(const Mapped& mapped, const Node& value) {
    const std::string name = std::string(mapped.attribute->name) + (mapped.part.empty() ? "" : "." + mapped.part);
    if (value.is_null()) return Node();
    if (mapped.kind == ValueKind::Boolean) {
      if (value.kind() == Kind::Boolean) return value;
      for (const bool each : {true, false})
        if (value.kind() == Kind::String && same(value.text(), each ? "true" : "false")) return Node(each);
      return not_valid(name + " is true or false.");
    }
    if (value.kind() == Kind::Number) return Node(Kind::String, value.text());
    if (value.kind() != Kind::String) return not_valid(name + " is a text.");
    if (mapped.kind == ValueKind::Reference && value.text().empty()) return Node();
    return value;
  }

  static Result<void> add_keys(const Node& value, MemberChange& change) {
    const std::vector<Node> list = value.kind() == Kind::Array ? value.items() : std::vector<Node>{value};
    for (const Node& each : list) CALLISTO_CHECK(add_key(plain(each).text(), change));
    return {};
  }

  static Result<void> add_key(const std::string& text, MemberChange& change) {
    std::int32_t key = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key);
    if (error != std::errc() || end != text.data() + text.size())
      return not_valid("There is no member " + text::quoted(text, 100) + ".");
    change.keys.push_back(key);
    return {};
  }

  const Resource& resource_;
  Changes changes_;
};

}  // namespace

const Node* Changes::find(const Mapped* mapped) const {
  const auto found = values.find(mapped);
  return found == values.end() ? nullptr : &found->second;
}

Result<Changes> read_whole(const Resource& resource, const Node& body) {
  if (body.kind() != Kind::Object) return refuse(400, "invalidSyntax", "The body is an object.");
  Reader reader(resource);
  CALLISTO_CHECK(reader.take(body, MemberChange::Kind::Replace));
  return std::move(reader).changes();
}

Result<Changes> read_patch(const Resource& resource, const Node& body) {
  const Node* operations = member_of(body, "Operations");
  if (!operations || operations->kind() != Kind::Array || operations->items().empty())
    return refuse(400, "invalidSyntax", "A PATCH has a list of Operations.");
  Reader reader(resource);
  for (const Node& each : operations->items()) CALLISTO_CHECK(reader.operate(each));
  return std::move(reader).changes();
}

}  // namespace callisto::scim
