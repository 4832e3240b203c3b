#include "engine/api/openapi_paths.h"

#include "engine/api/openapi.h"
#include "engine/api/openapi_schemas.h"
#include "engine/api/requests/router.h"
#include "engine/base/text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::Entity;

using Names = std::vector<std::string_view>;

const Names search_options = {"top",    "skip",   "after",    "orderby",   "count",    "inlinecount",
                              "select", "filter", "leftJoin", "innerJoin", "partition"};

void write_parameters(json::Writer& writer, const Names& names) {
  if (names.empty()) return;
  writer.key("parameters").begin_array();
  for (const std::string_view name : names) write_ref(writer, "parameters", name);
  writer.end_array();
}

struct Operation {
  const char* method;
  std::string id, summary, description;
  Names parameters;
};

// Opens the operation; its answers are due next, then end_operation().
void begin_operation(json::Writer& writer, const Entity& entity, const Operation& operation) {
  writer.key(operation.method).begin_object();
  writer.key("operationId").string(entity.pascal_name + "." + operation.id);
  writer.key("tags").begin_array().string(entity.name).end_array();
  writer.key("summary").string(operation.summary);
  writer.key("description").string(operation.description.empty() ? operation.summary : operation.description);
  write_parameters(writer, operation.parameters);
}

void write_schema(json::Writer& writer, std::string_view schema) {
  writer.key("schema");
  write_ref(writer, "schemas", schema);
}

// What 200 answers: its schema is due next, then end_operation().
void begin_responses(json::Writer& writer, std::string_view description) {
  writer.key("responses").begin_object().key("200").begin_object().key("description").string(description);
  writer.key("content").begin_object().key("application/json").begin_object();
}
void begin_responses(json::Writer& writer, std::string_view schema, std::string_view description) {
  begin_responses(writer, description);
  write_schema(writer, schema);
}

void end_operation(json::Writer& writer, bool of_record, bool writes) {
  writer.end_object().end_object().end_object();  // the media type, content, 200
  const auto refer = [&](const char* status, std::string_view name) {
    writer.key(status);
    write_ref(writer, "responses", name);
  };
  if (!writes) refer("304", "NotModified");
  refer("400", "BadRequest");
  refer("401", "Unauthorized");
  refer("403", "Forbidden");
  if (of_record) refer("404", "NotFound");
  if (writes) {
    refer("405", "NotSupported");
    refer("413", "TooLarge");
    refer("415", "UnsupportedMediaType");
  }
  refer("500", "ServerError");
  refer("503", "Unavailable");
  writer.end_object().end_object();  // responses, the operation
}

void write_search(json::Writer& writer, const Entity& owner, const Entity& listed, const Operation& operation,
                  bool of_record) {
  begin_operation(writer, owner, operation);
  begin_responses(writer, page_of(listed), "The rows that match");
  writer.end_object().key("text/plain").begin_object().key("schema").begin_object().key("type").string("integer");
  writer.key("description").string("With $count=true.").end_object();
  writer.end_object().key("text/csv").begin_object().key("schema").begin_object().key("type").string("string");
  writer.key("description").string("A line of names, then one for each row (RFC 4180).").end_object();
  end_operation(writer, of_record, false);
}

void write_json_body(json::Writer& writer, const Entity& entity, const Action& action) {
  const bool demands = std::any_of(action.parameters.begin(), action.parameters.end(),
                                   [](const auto& each) { return each.required || !each.group.empty(); });
  writer.key("requestBody").begin_object();
  writer.key("required").boolean(demands || action.kind != Action::Kind::Own);
  writer.key("content").begin_object().key("application/json").begin_object();
  write_schema(writer, schema_of(entity, action));
  writer.key("example");
  write_example(writer, entity, action);
  writer.end_object().end_object().end_object();
}

std::string details_of(const Action& action) {
  std::string text = action.description;
  if (action.kind != Action::Kind::Own) return text;
  return text + (text.empty() ? "" : " ") + "POST means the same. Refused while the record's _actions do not list it.";
}

void write_action(json::Writer& writer, const Entity& entity, const Action& action, const std::string& id,
                  bool of_record) {
  const bool creates = action.kind == Action::Kind::Create, removes = action.kind == Action::Kind::Delete;
  const char* method = creates ? "post" : removes ? "delete" : "put";
  Names headers{creates ? "idempotencyKey" : "ifMatch"};
  if (action.kind == Action::Kind::Own) headers.emplace_back("idempotencyKey");
  begin_operation(writer, entity, {method, id, action.title, details_of(action), headers});
  if (!removes) write_json_body(writer, entity, action);
  begin_responses(writer, removes ? std::string_view("api.Reference") : entity.pascal_name,
                  removes ? "What went" : "The record as it is then");
  end_operation(writer, of_record, true);
}

void write_path(json::Writer& writer, const std::string& path, const Names& parameters) {
  writer.key(path).begin_object();
  write_parameters(writer, parameters);
}

const Action* usable(const Entity& entity, Action::Kind kind) {
  for (const Action* action : entity.actions)
    if (action->kind == kind && is_usable(*action)) return action;
  return nullptr;
}

bool is_readable(const Entity& entity) {
  return entity.read && std::any_of(entity.read->allowed.begin(), entity.read->allowed.end(),
                                    [](const auto& each) { return each.second.kind != catalog::Grant::Kind::Never; });
}

// The bytes of a Binary property, below a record or below a file.
void write_bytes(json::Writer& writer, const Entity& entity, const std::string& path, const Names& parameters,
                 const Route& route, const std::string& id) {
  write_path(writer, path, parameters);
  begin_operation(writer, entity,
                  {"get", id + ".get", "The bytes", "Range, ETag and If-None-Match are understood.", {"ifNoneMatch"}});
  writer.key("responses").begin_object().key("200").begin_object().key("description").string("The bytes");
  writer.key("content").begin_object().key("application/octet-stream").begin_object();
  writer.key("schema").begin_object().end_object();
  end_operation(writer, true, false);
  if (allowed_methods(route).put) {
    begin_operation(writer, entity, {"put", id + ".put", "Replace the bytes", {}, {"ifMatch"}});
    writer.key("requestBody").begin_object().key("required").boolean(true).key("content").begin_object();
    writer.key("application/octet-stream").begin_object().key("schema").begin_object().end_object().end_object();
    writer.end_object().end_object();
    begin_responses(writer, "api.Reference", "Done");
    end_operation(writer, true, true);
  }
  if (allowed_methods(route).del) {
    begin_operation(writer, entity, {"delete", id + ".delete", "Remove the bytes", {}, {"ifMatch"}});
    begin_responses(writer, "api.Reference", "Done");
    end_operation(writer, true, true);
  }
  writer.end_object();
}

// Decisions 4.6: a form with files, or JSON.
void write_file_body(json::Writer& writer) {
  writer.key("requestBody").begin_object().key("required").boolean(true).key("content").begin_object();
  writer.key("multipart/form-data").begin_object().key("schema").begin_object().key("type").string("object");
  writer.key("additionalProperties").begin_object().key("type").string("string");
  writer.key("contentMediaType").string("application/octet-stream").end_object().end_object().end_object();
  writer.key("application/json").begin_object();
  write_schema(writer, "api.File");
  writer.end_object().end_object().end_object();
}

// Decisions 4.6: of one file its record, of several a list.
void write_added_files(json::Writer& writer, std::string_view schema) {
  writer.key("schema").begin_object().key("anyOf").begin_array();
  write_ref(writer, "schemas", schema);
  writer.begin_object().key("type").string("object").key("required").begin_array().string("results").end_array();
  writer.key("properties").begin_object().key("results").begin_object().key("type").string("array").key("items");
  write_ref(writer, "schemas", schema);
  writer.end_object().end_object().end_object().end_array().end_object();
}

enum class FileChange { Add, Replace, Remove };

void write_file_change(json::Writer& writer, const Entity& owner, const catalog::SubResource& list,
                       const Operation& operation, FileChange change) {
  begin_operation(writer, owner, operation);
  if (change != FileChange::Remove) write_file_body(writer);
  begin_responses(writer, "Done");
  if (change == FileChange::Add) write_added_files(writer, list.entity->pascal_name);
  else write_schema(writer, change == FileChange::Remove ? "api.Reference" : list.entity->pascal_name);
  end_operation(writer, true, true);
}

void write_row_below(json::Writer& writer, const Entity& entity, const catalog::SubResource& list, Route route,
                     const std::string& path) {
  route.sub_key = 0;
  const std::string id = list.name;
  write_path(writer, path, {"id", "ref"});
  begin_operation(writer, entity, {"get", id + ".get", "One of the list", {}, {"select", "ifNoneMatch"}});
  begin_responses(writer, list.entity->pascal_name, "The record");
  end_operation(writer, true, false);
  if (allowed_methods(route).put)
    write_file_change(writer, entity, list, {"put", id + ".replace", "Replace the file", {}, {"ifMatch"}},
                      FileChange::Replace);
  if (allowed_methods(route).del)
    write_file_change(writer, entity, list, {"delete", id + ".remove", "Remove the file", {}, {"ifMatch"}},
                      FileChange::Remove);
  writer.end_object();
  for (const Action* action : list.entity->actions) {
    if (action->kind != Action::Kind::Own || !is_usable(*action)) continue;
    write_path(writer, path + "/" + action->name, {"id", "ref"});
    begin_operation(
        writer, entity,
        {"put", id + "." + action->pascal_name, action->title, details_of(*action), {"ifMatch", "idempotencyKey"}});
    write_json_body(writer, *list.entity, *action);
    begin_responses(writer, list.entity->pascal_name, "The record as it is then");
    end_operation(writer, true, true);
    writer.end_object();
  }
  route.content = list.entity->find_property(catalog::system::file_content);
  if (route.content) write_bytes(writer, entity, path + "/content", {"id", "ref"}, route, id + ".content");
}

void write_list(json::Writer& writer, const Entity& entity, const catalog::SubResource& list) {
  Route route;
  route.entity = &entity;
  route.key = 0;
  route.sub = &list;
  const std::string path = "/" + entity.name + "/{id}/" + list.name;
  write_path(writer, path, {"id"});
  write_search(writer, entity, *list.entity,
               {"get", list.name + ".search", "Rows of " + list.entity->name + " below a record",
                list.entity->description, search_options},
               true);
  if (allowed_methods(route).post)
    write_file_change(writer, entity, list,
                      {"post",
                       list.name + ".add",
                       "Add files",
                       "One file answers its record, several a list, `results`.",
                       {"idempotencyKey"}},
                      FileChange::Add);
  writer.end_object();
  if (list.entity->key.size() == 1) write_row_below(writer, entity, list, route, path + "/{ref}");
}

void write_record(json::Writer& writer, const Entity& entity) {
  const std::string path = "/" + entity.name + "/{id}";
  write_path(writer, path, {"id"});
  begin_operation(writer, entity, {"get", "get", "One record", entity.description, {"select", "ifNoneMatch"}});
  begin_responses(writer, entity.pascal_name, "The record");
  end_operation(writer, true, false);
  for (const Action::Kind kind : {Action::Kind::Update, Action::Kind::Delete})
    if (const Action* action = usable(entity, kind)) write_action(writer, entity, *action, action->pascal_name, true);
  writer.end_object();
  for (const Action* action : entity.actions) {
    if (action->kind != Action::Kind::Own || !is_usable(*action)) continue;
    write_path(writer, path + "/" + action->name, {"id"});
    write_action(writer, entity, *action, action->pascal_name, true);
    writer.end_object();
  }
  for (const catalog::SubResource& list : entity.sub_resources) write_list(writer, entity, list);
  for (const catalog::Property* property : entity.properties) {
    if (property->type != catalog::DataType::Binary || property->name == catalog::system::file_content ||
        property->internal)
      continue;
    Route route;
    route.entity = &entity;
    route.key = 0;
    route.content = property;
    const std::string name = text::ascii_lower(property->name);
    write_bytes(writer, entity, path + "/" + name, {"id"}, route, name);
  }
}

}  // namespace

void write_entity_paths(json::Writer& writer, const Entity& entity) {
  if (!is_readable(entity)) return;
  const Action* create = usable(entity, Action::Kind::Create);
  write_path(writer, "/" + entity.name, {});
  write_search(writer, entity, entity, {"get", "search", "Search " + entity.name, entity.description, search_options},
               false);
  if (create) write_action(writer, entity, *create, create->pascal_name, false);
  writer.end_object();
  write_path(writer, "/" + entity.name + "/$metadata", {});
  begin_operation(writer, entity, {"get", "metadata", "What " + entity.name + " is", {}, {"ifNoneMatch"}});
  begin_responses(writer, "api.Metadata", "Metadata");
  end_operation(writer, false, false);
  writer.end_object();
  if (entity.key.size() == 1) write_record(writer, entity);
}

}  // namespace callisto::api
