#include "engine/scim/resources/resource_node.h"

#include "engine/base/datetime.h"
#include "engine/base/hex.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/json/node_text.h"

#include <algorithm>

namespace callisto::scim {

namespace {

using json::Member;
using json::Node;
using Kind = json::Node::Kind;

constexpr std::size_t most_members = 100'000;
constexpr std::size_t version_digits = 16;

Node text_node(std::string text) { return {Kind::String, std::move(text)}; }

Node moment_node(const records::Record& record, std::string_view name) {
  const catalog::Property* property = record.entity().find_property(name);
  const Value value = property ? record.get(*property) : Value(Null{});
  const auto* moment = std::get_if<DateTime>(&value);
  return moment ? text_node(to_iso8601(*moment)) : Node();
}

class Composer {
 public:
  Composer(const records::Context& context, const Mapping& mapping, const Resource& resource,
           const records::Record& record, const std::string& root)
      : context_(context),
        mapping_(mapping),
        resource_(resource),
        record_(record),
        root_(root),
        id_(std::to_string(record.key())) {}

  Result<std::vector<Member>> run() {
    std::vector<Node> schemas{text_node(std::string(resource_.schema()))};
    if (resource_.find_first("enterprise")) schemas.push_back(text_node(std::string(enterprise_user)));
    members_.push_back({"schemas", Node(std::move(schemas))});
    members_.push_back({"id", text_node(id_)});
    for (const Attribute& each : attributes_of(resource_.name)) add(each);
    CALLISTO_CHECK(add_links());
    std::vector<Member> meta{{"resourceType", text_node(resource_.name)},
                             {"created", moment_node(record_, catalog::system::created_date)},
                             {"lastModified", moment_node(record_, catalog::system::updated_date)},
                             {"location", text_node(root_ + "/" + resource_.endpoint + "/" + id_)}};
    meta.push_back({"version", text_node(version_of(Node(members_)))});
    members_.push_back({"meta", Node(std::move(meta))});
    return std::move(members_);
  }

 private:
  // Null where it is empty: that is not told (RFC 7643 2.5).
  Node value_of(const Mapped& mapped) const {
    const Value value = record_.get(*mapped.property);
    if (const auto* text = std::get_if<std::string>(&value)) return text_node(*text);
    if (const auto* flag = std::get_if<bool>(&value)) return Node(*flag);
    const auto* key = std::get_if<std::int64_t>(&value);
    if (!key) return mapped.kind == ValueKind::Boolean ? Node(false) : Node();
    if (mapped.kind == ValueKind::Boolean) return Node(*key != 0);
    const std::string id = std::to_string(*key);
    std::vector<Member> reference{{"value", text_node(id)}, {"$ref", text_node(root_ + "/Users/" + id)}};
    return Node(std::move(reference));
  }

  void add(const Attribute& attribute) {
    std::vector<Member> parts;
    std::vector<Node> list;
    for (const Mapped& each : resource_.mapped) {
      if (each.attribute != &attribute) continue;
      Node value = value_of(each);
      if (value.is_null()) continue;
      if (attribute.form == Form::Single) return members_.push_back({std::string(attribute.name), std::move(value)});
      if (attribute.form == Form::Complex) {
        parts.push_back({each.part, std::move(value)});
        continue;
      }
      const bool is_primary = list.empty() && resource_.find_first(attribute.name) == &each;
      list.emplace_back(std::vector<Member>{
          {"value", std::move(value)}, {"type", text_node(each.part)}, {"primary", Node(is_primary)}});
    }
    const bool is_extension = attribute.name == "enterprise";
    std::string name(is_extension ? enterprise_user : attribute.name);
    if (!parts.empty()) members_.push_back({std::move(name), Node(std::move(parts))});
    else if (!list.empty()) members_.push_back({std::move(name), Node(std::move(list))});
  }

  Result<void> add_links() {
    const Resource* groups = mapping_.named("Group");
    if (!groups || !groups->members) return {};
    const bool is_group = resource_.name == "Group";
    const catalog::Property& by = is_group ? *groups->group : *groups->member;
    const catalog::Property& to = is_group ? *groups->member : *groups->group;
    CALLISTO_TRY(const auto keys, linked(context_, *groups, by, to, record_.key()));
    std::vector<Node> list;
    for (const std::int64_t key : keys) {
      const std::string id = std::to_string(key);
      std::vector<Member> link{{"value", text_node(id)},
                               {"$ref", text_node(root_ + (is_group ? "/Users/" : "/Groups/") + id)}};
      if (!is_group) link.push_back({"type", text_node("direct")});
      list.emplace_back(std::move(link));
    }
    if (!list.empty()) members_.push_back({is_group ? "members" : "groups", Node(std::move(list))});
    return {};
  }

  const records::Context& context_;
  const Mapping& mapping_;
  const Resource& resource_;
  const records::Record& record_;
  const std::string& root_;
  const std::string id_;
  std::vector<Member> members_;
};

bool lists(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& each) {
    // "name.familyName" asks for name, and a URN with or without what follows it for its extension.
    const bool is_within = each.size() > name.size() && (each[name.size()] == '.' || each[name.size()] == ':');
    return text::equals_ignoring_ascii_case(is_within ? std::string_view(each).substr(0, name.size()) : each, name);
  });
}

}  // namespace

// RFC 7643 7: `id` and `schemas` are always told.
bool Selection::has(std::string_view name) const {
  if (name == "id" || name == "schemas") return true;
  if (!only.empty()) return lists(only, name);
  return !lists(without, name);
}

Result<Node> resource_node(const records::Context& context, const Mapping& mapping, const Resource& resource,
                           const records::Record& record, const std::string& root) {
  CALLISTO_TRY(std::vector<Member> members, Composer(context, mapping, resource, record, root).run());
  return Node(std::move(members));
}

Node selected(const Node& whole, const Selection& selection) {
  std::vector<Member> members;
  for (const Member& each : whole.members())
    if (selection.has(each.name)) members.push_back(each);
  return Node(std::move(members));
}

std::string version_of(const Node& node) {
  if (const Node* meta = node.find("meta")) return json::string_of(*meta, "version");
  return "W/\"" + hex(view(sha256(json::text_of(node)))).substr(0, version_digits) + "\"";
}

Result<std::vector<std::int64_t>> linked(const records::Context& context, const Resource& groups,
                                         const catalog::Property& by, const catalog::Property& to, std::int64_t key) {
  const records::Store& store = context.model.store;
  CALLISTO_TRY(const auto rows, store.find(context.connection, *groups.members, {{&by, {Value(key)}}}, most_members));
  std::vector<std::int64_t> keys;
  for (const records::Store::Key& each : rows) {
    CALLISTO_TRY(const auto row, store.load(context.connection, *groups.members, each));
    const Value value = row ? row->get(to) : Value(Null{});
    if (const auto* number = std::get_if<std::int64_t>(&value)) keys.push_back(*number);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace callisto::scim
