#include "engine/api/openapi/groups.h"

#include "engine/api/openapi.h"
#include "engine/api/openapi/notices.h"
#include "engine/api/openapi/paths.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::Entity;

constexpr std::string_view first_tags[] = {"Discovery", "Sign in", webhooks_tag, "Administration"};

bool is_for_all(const Action& action) {
  return std::any_of(action.allowed.begin(), action.allowed.end(), [](const auto& each) {
    const bool is_right = each.first == "Administration" || each.first == "Integration";
    return !is_right && each.second.kind != catalog::Grant::Kind::Never;
  });
}

// By who sees and who makes its records.
std::string_view group_of(const Entity& entity) {
  const auto create =
      std::find_if(entity.actions.begin(), entity.actions.end(), [](const Action* each) { return each->creates(); });
  const bool is_made = create != entity.actions.end() && is_usable(**create);
  if (!entity.read || !is_for_all(*entity.read)) return "Administration";
  if (!entity.core_type.empty()) return "Records";
  if (!is_made) return "Kept by the server";
  return is_for_all(**create) ? "Other records" : "Lists";
}

}  // namespace

void write_tags(json::Writer& writer, const catalog::Catalog& catalog) {
  const auto write = [&](std::string_view name, std::string_view description) {
    writer.begin_object().key("name").string(name).key("description").string(description).end_object();
  };
  std::map<std::string_view, std::vector<std::string_view>> groups;
  writer.key("tags").begin_array();
  write(first_tags[0], "What there is.");
  write(first_tags[1], "OAuth 2.0.");
  write(first_tags[2], "What receivers are told of.");
  write(first_tags[3],
        "What the server tells whoever has the right Administration. With the header Callisto-View-As: login=NAME "
        "a GET is answered as that person would see it; with Callisto-Sandbox: login=NAME any request is answered by "
        "the sandbox, as that person.");
  for (const auto& entity : catalog.entities()) {
    if (!is_readable(*entity)) continue;
    write(entity->name, entity->description.empty() ? entity->display_name : entity->description);
    groups[group_of(*entity)].push_back(entity->name);
  }
  writer.end_array();
  groups["First"].assign(std::begin(first_tags), std::end(first_tags));
  writer.key("x-tagGroups").begin_array();
  for (const std::string_view name :
       {"First", "Records", "Other records", "Lists", "Kept by the server", "Administration"}) {
    if (groups[name].empty()) continue;
    writer.begin_object().key("name").string(name).key("tags").begin_array();
    for (const std::string_view tag : groups[name]) writer.string(tag);
    writer.end_array().end_object();
  }
  writer.end_array();
}

}  // namespace callisto::api
