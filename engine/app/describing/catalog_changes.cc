#include "engine/app/describing/catalog_changes.h"

#include "engine/json/write.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace callisto::app {

namespace {

using json::Node;

constexpr json::Limits description_limits{32, 10'000'000};
constexpr std::size_t most_named = 4;  // entities in one line

// Members that are lists of parts, and what one of them is called.
constexpr std::pair<std::string_view, std::string_view> parts[] = {
    {"properties", "property"}, {"augmenters", "augmenter"}, {"states", "state"},         {"actions", "action"},
    {"hooks", "hook"},          {"sub_resources", "list"},   {"parameters", "parameter"}, {"additions", "addition"}};

std::string_view part_of(std::string_view member) {
  const auto found =
      std::find_if(std::begin(parts), std::end(parts), [&](const auto& each) { return each.first == member; });
  return found == std::end(parts) ? std::string_view() : found->second;
}

std::string text_of(const Node* node) {
  if (!node) return "(none)";
  std::string text;
  switch (node->kind()) {
    case Node::Kind::Null:
      return "null";
    case Node::Kind::Boolean:
      return node->boolean() ? "true" : "false";
    case Node::Kind::Number:
      return node->text();
    case Node::Kind::String:
      json::append_string(text, node->text());
      return text;
    case Node::Kind::Array:
      for (const Node& item : node->items()) text += (text.empty() ? "" : ", ") + text_of(&item);
      return "[" + text + "]";
    case Node::Kind::Object:
      for (const json::Member& each : node->members())
        text += (text.empty() ? "" : ", ") + each.name + " = " + text_of(&each.value);
      return "{" + text + "}";
  }
  return text;
}

// The `number`-th of that name, from 0: hooks of several files have one.
const Node* named(const Node& list, const std::string& name, std::size_t number = 0) {
  for (const Node& item : list.items())
    if (json::string_of(item, "name") == name && number-- == 0) return &item;
  return nullptr;
}

// What of `list` took the name's place: it is called otherwise now.
const Node* renamed(const Node& list, const std::string& name) {
  for (const Node& item : list.items())
    if (const Node* formerly = item.find("formerly"); formerly && !item.find("query_alias"))
      for (const Node& each : formerly->items())
        if (each.text() == name) return &item;
  return nullptr;
}

// The one of `before` that `item` is now, by another name.
const Node* former(const Node& before, const Node& item) {
  if (const Node* formerly = item.find("formerly"); formerly && !item.find("query_alias"))
    for (const Node& each : formerly->items())
      if (const Node* old = named(before, each.text())) return old;
  return nullptr;
}

bool is_alias_of_renamed(const Node& list, const Node& item) {
  return item.find("query_alias") && renamed(list, json::string_of(item, "name"));
}

// The changes of one entity, in order.
class Comparison {
 public:
  std::vector<std::string> found;

  void compare(const std::string& prefix, const Node& before, const Node& after) {
    for (const json::Member& each : after.members())
      compare_member(prefix, each.name, before.find(each.name), &each.value);
    for (const json::Member& each : before.members())
      if (!after.find(each.name)) compare_member(prefix, each.name, &each.value, nullptr);
  }

 private:
  void compare_member(const std::string& prefix, const std::string& name, const Node* before, const Node* after) {
    if (name == "file" || name == "line" || name == "name" || name == "formerly") return;
    static const Node none;
    if (const std::string_view part = part_of(name); !part.empty())
      return compare_parts(prefix + std::string(part) + " ", before ? *before : none, after ? *after : none);
    const std::string old = text_of(before), now = text_of(after);
    if (old != now) found.push_back(prefix + name + ": " + old + " -> " + now);
  }

  void compare_parts(const std::string& prefix, const Node& before, const Node& after) {
    std::map<std::string, std::size_t> met;
    for (const Node& item : after.items()) {
      const std::string& name = json::string_of(item, "name");
      if (is_alias_of_renamed(after, item)) continue;
      if (const Node* old = named(before, name, met[name]++)) {
        compare(prefix + name + ": ", *old, item);
      } else if (const Node* by_another_name = former(before, item)) {
        found.push_back(prefix + json::string_of(*by_another_name, "name") + " renamed to " + name);
        compare(prefix + name + ": ", *by_another_name, item);
      } else {
        found.push_back(prefix + name + " added");
      }
    }
    met.clear();
    for (const Node& item : before.items())
      if (const std::string& name = json::string_of(item, "name");
          !named(after, name, met[name]++) && !renamed(after, name) && !is_alias_of_renamed(before, item))
        found.push_back(prefix + name + " removed");
  }
};

std::string together(const std::vector<std::string>& entities) {
  std::string all;
  for (std::size_t i = 0; i < std::min(entities.size(), most_named); ++i) all += (i == 0 ? "" : ", ") + entities[i];
  if (entities.size() > most_named) all += " and " + std::to_string(entities.size() - most_named) + " more";
  return all;
}

const Node& list_in(const Node& description, const char* name) {
  static const Node none;
  const Node* list = description.find(name);
  return list ? *list : none;
}

// Additions and removals as lines; what is in both is handed on.
template <typename Both>
void compare_lists(const char* what, const Node& before, const Node& after, std::vector<std::string>& lines,
                   const Both& both) {
  for (const Node& item : before.items())
    if (const std::string& name = json::string_of(item, "name"); !named(after, name) && !renamed(after, name))
      lines.push_back(what + name + " removed");
  for (const Node& item : after.items()) {
    const std::string& name = json::string_of(item, "name");
    if (const Node* old = named(before, name)) {
      both(name, *old, item);
    } else if (const Node* by_another_name = former(before, item)) {
      lines.push_back(what + json::string_of(*by_another_name, "name") + " renamed to " + name);
      both(name, *by_another_name, item);
    } else {
      lines.push_back(what + name + " added");
    }
  }
}

}  // namespace

Result<json::Node> read_description(const std::string& text) { return json::parse(text, description_limits); }

std::vector<std::string> catalog_changes(const Node& before, const Node& after) {
  std::vector<std::string> lines, order;
  std::map<std::string, std::vector<std::string>> entities;  // by the change
  const auto note = [&](const std::string& name, const Node& old, const Node& now) {
    Comparison comparison;
    comparison.compare({}, old, now);
    for (const std::string& change : comparison.found) {
      if (entities[change].empty()) order.push_back(change);
      entities[change].push_back(name);
    }
  };
  compare_lists("entity ", list_in(before, "entities"), list_in(after, "entities"), lines, note);
  for (const std::string& change : order) lines.push_back(together(entities[change]) + ": " + change);
  compare_lists("session list ", list_in(before, "session_lists"), list_in(after, "session_lists"), lines,
                [&](const std::string& name, const Node& old, const Node& now) {
                  Comparison comparison;
                  comparison.compare("session list " + name + ": ", old, now);
                  lines.insert(lines.end(), comparison.found.begin(), comparison.found.end());
                });
  // Files that came or went show above, by what they define.
  const Node& files = list_in(before, "code");
  for (const Node& file : list_in(after, "code").items()) {
    const std::string& name = json::string_of(file, "name");
    const Node* old = named(files, name);
    if (old && json::string_of(*old, "sha256") != json::string_of(file, "sha256"))
      lines.push_back(name + ": its text has changed");
  }
  return lines;
}

}  // namespace callisto::app
