#include "engine/api/answers/file_entries.h"

#include "engine/api/answers/action_entries.h"
#include "engine/api/links.h"
#include "engine/json/write.h"
#include "engine/records/files.h"

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::Entity;

const catalog::SubResource* list_of(const Entity& parent, const Entity& file) {
  for (const catalog::SubResource& list : parent.sub_resources)
    if (file.is_or_extends(*list.entity)) return &list;
  return nullptr;
}

// What the file hangs on; no list where it hangs on nothing.
struct Home {
  const Entity* parent = nullptr;
  const catalog::SubResource* list = nullptr;
  std::int64_t key = 0;
};

Home home_of(const catalog::Catalog& catalog, const records::Record& file) {
  for (const auto& entity : catalog.entities()) {
    const catalog::SubResource* list = list_of(*entity, file.entity());
    if (!list) continue;
    const Value key = file.get(*list->link);
    const Value type = list->type_link ? file.get(*list->type_link) : Value(entity->name);
    const auto* number = std::get_if<std::int64_t>(&key);
    const auto* name = std::get_if<std::string>(&type);
    const Entity* parent = name ? catalog.find(*name) : nullptr;
    const catalog::SubResource* theirs = parent ? list_of(*parent, file.entity()) : nullptr;
    return number && theirs ? Home{parent, theirs, *number} : Home();
  }
  return {};
}

void write_action(json::Writer& writer, const Entity& entity, const Action& action, const std::string& href,
                  std::string_view version) {
  writer.key(action.pascal_name).begin_array().begin_object();
  writer.key("displayName").string(action.title);
  writer.key("_self").string(link(version, entity.name + "/$" + action.name + "?$options"));
  writer.key("href").string(href).key("method").string(method_of(action));
  writer.end_object().end_array();
}

// The members of an object that was begun and ended.
std::string inner(std::string object) { return object.substr(1, object.size() - 2); }

}  // namespace

bool is_file(const Entity& entity) { return records::file_properties(entity).has_value(); }

Result<FileEntries> file_entries(const Call& call, const records::Context& context, const records::Record& file) {
  FileEntries entries;
  const Home home = home_of(call.model.catalog(), file);
  if (!home.list) return entries;
  const std::string href = link(call.version(), home.parent->name + "/" + std::to_string(home.key) + "/" +
                                                    home.list->name + "/" + std::to_string(file.key()));
  json::Writer links(entries.links);
  links.begin_object().key("Content").begin_array().begin_object();
  links.key("_self").string(href + "/content/$options").key("href").string(href + "/content");
  links.key("method").string("GET").end_object().end_array().end_object();
  entries.links = inner(std::move(entries.links));
  CALLISTO_TRY(const auto offered, records::file_actions(context, *home.parent, home.key, file));
  if (offered.empty()) return entries;
  json::Writer actions(entries.actions);
  actions.begin_object();
  for (const Action* action : offered) write_action(actions, file.entity(), *action, href, call.version());
  actions.end_object();
  entries.actions = inner(std::move(entries.actions));
  return entries;
}

std::string file_template(const catalog::Catalog& catalog, const Entity& entity, std::string_view version) {
  if (!is_file(entity)) return {};
  for (const auto& parent : catalog.entities()) {
    const catalog::SubResource* list = list_of(*parent, entity);
    if (!list || !list->type_link) continue;
    return link(version, "{" + list->type_link->name + "}/{" + list->link->name + "}/" + list->name + "/{" +
                             entity.key.front()->name + "}");
  }
  return {};
}

}  // namespace callisto::api
