#include "engine/api/openapi/paths.h"

#include "engine/api/links.h"
#include "engine/api/openapi.h"
#include "engine/api/openapi/files.h"
#include "engine/api/openapi/inputs.h"
#include "engine/api/openapi/schemas.h"
#include "engine/api/requests/router.h"
#include "engine/base/text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::Entity;
using Members = ParameterNames;

const Members search_options = {"QueryTop",    "QuerySkip",   "QueryAfter",    "QueryOrderby",   "QueryInlinecount",
                                "QuerySelect", "QueryFilter", "QueryLeftJoin", "QueryInnerJoin", "QueryPartition"};
const Members group_options = {"QueryGroupby",   "QueryAggregate",   "QueryTop",    "QuerySkip",
                               "QueryOrderby",   "QueryInlinecount", "QueryFilter", "QueryLeftJoin",
                               "QueryInnerJoin", "QueryPartition"};
const Members count_options = {"QueryFilter", "QueryLeftJoin", "QueryInnerJoin", "QueryPartition"};

Members joined(Members first, const Members& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// `owner` has the url, whose keys are `keys`; `what`: "" of the entity's own, "History" of a list below it.
void write_search(const OpenApiWriter& out, const Entity& owner, const Entity& listed, const std::string& what,
                  const Members& keys) {
  json::Writer& writer = out.json;
  const std::string where = keys.empty() ? "Search " + listed.name : "Rows of " + listed.name + " below a record";
  begin_operation(out, owner, {"get", "Search" + what, where, listed.description, joined(keys, search_options)});
  begin_responses(writer, out.names.page(listed), "The rows that match");
  writer.end_object().key("text/csv").begin_object().key("schema").begin_object().key("type").string("string");
  writer.key("description").string("A line of names, then one for each row (RFC 4180).").end_object();
  end_operation(writer, keys.empty() ? Kind::ReadsList : Kind::ReadsRecord);
}

void write_count(const OpenApiWriter& out, const Entity& owner, const std::string& path, const std::string& what,
                 const Members& keys) {
  json::Writer& writer = out.json;
  writer.key(path + "/$count").begin_object();
  begin_operation(
      out, owner,
      {"get", "Count" + what, "How many rows match",
       "The number alone, as JSON; $count=true of a search answers it as text/plain.", joined(keys, count_options)});
  begin_content(writer, "The number");
  writer.key("schema").begin_object().key("type").string("integer").key("format").string("int64");
  writer.key("minimum").integer(0).end_object();
  end_operation(writer, keys.empty() ? Kind::ReadsList : Kind::ReadsRecord);
  writer.end_object();
}

void write_groups(const OpenApiWriter& out, const Entity& owner, const std::string& path, const std::string& what,
                  const Members& keys) {
  json::Writer& writer = out.json;
  writer.key(path + "/$groups").begin_object();
  begin_operation(out, owner,
                  {"get", "Group" + what, "Groups of rows, and what they come to",
                   "The same as a search with $groupby or $aggregate.", joined(keys, group_options)});
  begin_responses(writer, "ApiGroups", "A row for each group");
  end_operation(writer, keys.empty() ? Kind::ReadsList : Kind::ReadsRecord);
  writer.end_object();
}

void write_batch(const OpenApiWriter& out, const Entity& entity) {
  json::Writer& writer = out.json;
  writer.key("/" + entity.name + "/$batch").begin_object();
  begin_operation(out, entity,
                  {"post",
                   "Batch",
                   "Make and change many records",
                   "Each by its own rules; up to 1,000.",
                   {"HeaderIdempotencyKey"}});
  writer.key("requestBody").begin_object().key("required").boolean(true);
  writer.key("content").begin_object().key("application/json").begin_object();
  write_schema(writer, "ApiBatch");
  writer.end_object().end_object().end_object();
  begin_responses(writer, "ApiBatchAnswer", "What became of each");
  end_operation(writer, Kind::WritesList);
  writer.end_object();
}

void write_rules(const OpenApiWriter& out, const Entity& entity) {
  json::Writer& writer = out.json;
  writer.key("/" + entity.name + "/$rules").begin_object();
  begin_operation(out, entity,
                  {"get",
                   "Rules",
                   "Which state offers which action to whom",
                   "Where each rule stands, and where a picture of the states has its boxes and lines. For the right "
                   "Administration.",
                   {"QueryInlinecount"}});
  begin_responses(writer, "ApiRules", "The rules");
  end_operation(writer, Kind::ReadsList);
  writer.end_object();
}

void write_json_body(const OpenApiWriter& out, const Entity& entity, const Action& action) {
  const bool demands = std::any_of(action.parameters.begin(), action.parameters.end(),
                                   [](const auto& each) { return each.required || !each.group.empty(); });
  json::Writer& writer = out.json;
  writer.key("requestBody").begin_object();
  writer.key("required").boolean(demands || !action.is_own());
  writer.key("content").begin_object().key("application/json").begin_object();
  write_schema(writer, out.names.input(entity, action));
  writer.key("example");
  write_example(out, entity, action);
  writer.end_object().end_object().end_object();
}

std::string details_of(const Action& action) {
  std::string text = action.description;
  if (!action.is_own()) return text;
  return text + (text.empty() ? "" : " ") + "POST means the same. Refused while the record's _actions do not list it.";
}

void write_answer(const OpenApiWriter& out, const Entity& entity, const Action& action) {
  if (action.removes()) return begin_responses(out.json, "ApiReference", "What went");
  if (!action.answers.properties.empty())
    return begin_responses(out.json, out.names.answer(entity, action), "What came of it");
  if (action.answers.entity)
    return begin_responses(out.json, out.names.record(*action.answers.entity),
                           "A record of " + action.answers.entity->name);
  begin_responses(out.json, out.names.record(entity), "The record as it is then");
}

// `owner` has the url. `id`: its name below the owner's.
void write_action(const OpenApiWriter& out, const Entity& owner, const Entity& entity, const Action& action,
                  const std::string& id, Members parameters) {
  const bool creates = action.creates(), removes = action.removes();
  parameters.emplace_back(creates ? "HeaderIdempotencyKey" : "HeaderIfMatch");
  if (action.is_own()) parameters.emplace_back("HeaderIdempotencyKey");
  begin_operation(out, owner,
                  {creates   ? "post"
                   : removes ? "delete"
                             : "put",
                   id, action.title, details_of(action), parameters});
  if (!removes) write_json_body(out, entity, action);
  write_answer(out, entity, action);
  end_operation(out.json, creates ? Kind::WritesList : Kind::WritesRecord);
}

// A list or bytes of its name have the url.
bool is_hidden(const Entity& entity, const Action& action) {
  if (entity.find_sub_resource(action.name)) return true;
  return std::any_of(entity.properties.begin(), entity.properties.end(), [&](const catalog::Property* each) {
    return has_url(*each) && text::ascii_lower(each->name) == action.name;
  });
}

void write_own_actions(const OpenApiWriter& out, const Entity& owner, const Entity& entity, const std::string& path,
                       const std::string& what, const Members& keys) {
  const bool is_below = keys.size() > 1;
  for (const Action* action : entity.actions) {
    if (!action->is_own() || !is_usable(*action) || (!is_below && is_hidden(entity, *action))) continue;
    out.json.key(path + "/" + action->name).begin_object();
    write_action(out, owner, entity, *action, action->pascal_name + what, keys);
    out.json.end_object();
  }
}

const Action* usable(const Entity& entity, Action::Kind kind) {
  for (const Action* action : entity.actions)
    if (action->kind == kind && is_usable(*action)) return action;
  return nullptr;
}

void write_get(const OpenApiWriter& out, const Entity& owner, const Entity& entity, const Operation& operation) {
  begin_operation(out, owner, operation);
  begin_responses(out.json, out.names.record(entity), "The record");
  end_operation(out.json, Kind::ReadsRecord);
}

void write_row_below(const OpenApiWriter& out, const Entity& entity, const catalog::SubResource& list, Route route,
                     const std::string& path) {
  route.sub_key = 0;
  const std::string what = text::pascal_case(list.name);
  const Members keys{"PathId", "PathRef"};
  out.json.key(path).begin_object();
  write_get(out, entity, *list.entity,
            {"get", "Get" + what, "One of the list", {}, joined(keys, {"QuerySelect", "HeaderIfNoneMatch"})});
  if (allowed_methods(route).put)
    write_file_change(out, entity, list,
                      {"put", "Replace" + what, "Replace the file",
                       "JSON with properties of the record changes these alone.", joined(keys, {"HeaderIfMatch"})},
                      FileChange::Replace);
  if (allowed_methods(route).del)
    write_file_change(out, entity, list,
                      {"delete", "Remove" + what, "Remove the file", {}, joined(keys, {"HeaderIfMatch"})},
                      FileChange::Remove);
  out.json.end_object();
  write_own_actions(out, entity, *list.entity, path, what, keys);
  route.content = list.entity->find_property(catalog::system::file_content);
  if (route.content && out.view.shows(*route.content) && !list.entity->find_action("content"))
    write_bytes_path(out, entity, path + "/content", keys, route, what);
}

void write_list(const OpenApiWriter& out, const Entity& entity, const catalog::SubResource& list) {
  Route route;
  route.entity = &entity;
  route.key = 0;
  route.sub = &list;
  const std::string path = "/" + entity.name + "/{id}/" + list.name;
  const std::string what = text::pascal_case(list.name);
  out.json.key(path).begin_object();
  write_search(out, entity, *list.entity, what, {"PathId"});
  if (allowed_methods(route).post)
    write_file_change(out, entity, list,
                      {"post",
                       "Add" + what,
                       "Add files",
                       "Any name of a part will do; of several files the answer is a list, `results`. JSON with Name, "
                       "ContentType and BinaryData in base64 means the same.",
                       {"PathId", "HeaderIdempotencyKey"}},
                      FileChange::Add);
  out.json.end_object();
  write_count(out, entity, path, what, {"PathId"});
  write_groups(out, entity, path, what, {"PathId"});
  if (list.entity->key.size() == 1) write_row_below(out, entity, list, route, path + "/{ref}");
}

void write_record(const OpenApiWriter& out, const Entity& entity) {
  const std::string path = "/" + entity.name + "/{id}";
  out.json.key(path).begin_object();
  write_get(out, entity, entity,
            {"get", "Get", "One record", entity.description,
             entity.sub_resources.empty() ? Members{"PathId", "QuerySelect", "HeaderIfNoneMatch"}
                                          : Members{"PathId", "QuerySelect", "QueryExpand", "HeaderIfNoneMatch"}});
  for (const Action::Kind kind : {Action::Kind::Update, Action::Kind::Delete})
    if (const Action* action = usable(entity, kind))
      write_action(out, entity, entity, *action, action->pascal_name, {"PathId"});
  out.json.end_object();
  write_own_actions(out, entity, entity, path, {}, {"PathId"});
  for (const catalog::SubResource& list : entity.sub_resources) write_list(out, entity, list);
  for (const catalog::Property* property : entity.properties) {
    if (!has_url(*property) || !out.view.shows(*property)) continue;
    Route route;
    route.entity = &entity;
    route.key = 0;
    route.content = property;
    write_bytes_path(out, entity, path + "/" + text::ascii_lower(property->name), {"PathId"}, route, property->name);
  }
}

}  // namespace

bool is_readable(const Entity& entity) {
  return entity.read && std::any_of(entity.read->allowed.begin(), entity.read->allowed.end(),
                                    [](const auto& each) { return each.second.kind != catalog::Grant::Kind::Never; });
}

void write_entity_paths(const OpenApiWriter& out, const Entity& entity) {
  if (!is_readable(entity)) return;
  const Action* create = usable(entity, Action::Kind::Create);
  const std::string path = "/" + entity.name;
  out.json.key(path).begin_object();
  write_search(out, entity, entity, {}, {});
  if (create) write_action(out, entity, entity, *create, create->pascal_name, {});
  out.json.end_object();
  if (!entity.find_action("count")) write_count(out, entity, path, {}, {});
  if (!entity.find_action("groups")) write_groups(out, entity, path, {}, {});
  const bool is_written = create || usable(entity, Action::Kind::Update);
  if (is_written && !entity.abstract && entity.key.size() == 1) write_batch(out, entity);
  if (!entity.find_action("rules")) write_rules(out, entity);
  out.json.key(path + "/$metadata").begin_object();
  begin_operation(out, entity, {"get", "Metadata", "What " + entity.name + " is", {}, {"HeaderIfNoneMatch"}});
  begin_responses(out.json, "ApiMetadata", "Metadata");
  end_operation(out.json, Kind::ReadsList);
  out.json.end_object();
  if (entity.key.size() == 1) write_record(out, entity);
}

}  // namespace callisto::api
