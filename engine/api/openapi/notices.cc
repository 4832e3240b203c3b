#include "engine/api/openapi/notices.h"

#include "engine/api/openapi/schemas.h"

#include <set>
#include <string>

namespace callisto::api {

namespace {

using catalog::Entity;

void add_events(const Entity& entity, std::set<std::string>& names) {
  for (const catalog::Action* action : entity.actions) names.insert(action->raises.begin(), action->raises.end());
  for (const catalog::SubResource& list : entity.sub_resources)
    if (list.entity->core_type.empty())
      for (const catalog::Action* action : list.entity->actions)
        names.insert(action->raises.begin(), action->raises.end());
  for (const Entity* child : entity.children) add_events(*child, names);
}

// Scripts raise events that no file lists, so that these are not all.
std::string events_of(const Entity& entity) {
  std::set<std::string> names;
  add_events(entity, names);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void write_header(json::Writer& writer, std::string_view name, std::string_view description) {
  writer.begin_object().key("name").string(name).key("in").string("header").key("required").boolean(true);
  writer.key("description").string(description);
  writer.key("schema").begin_object().key("type").string("string").end_object().end_object();
}

void write_sent_file(json::Writer& writer) {
  writer.begin_object().key("type").string("object");
  writer.key("required").begin_array();
  for (const char* name : {"Ref", "Name", "FileSize", "ContentType", "Data"}) writer.string(name);
  writer.end_array().key("properties").begin_object();
  for (const char* name : {"Ref", "FileSize"})
    writer.key(name).begin_object().key("type").string("integer").key("format").string("int64").end_object();
  for (const char* name : {"Name", "ContentType"})
    writer.key(name).begin_object().key("type").string("string").end_object();
  writer.key("Data").begin_object().key("type").begin_array().string("string").string("null").end_array();
  writer.key("contentEncoding").string("base64").key("description").string("Null of one that is gone.").end_object();
  writer.end_object().end_object();
}

// Written where it stands: some generators leave out components that no path refers to.
void write_notice(const OpenApiWriter& out, const Entity& entity) {
  json::Writer& writer = out.json;
  writer.begin_object().key("type").string("object");
  writer.key("required").begin_array().string("Action").string(entity.core_type).end_array();
  writer.key("properties").begin_object();
  writer.key("Action").begin_object().key("type").string("string");
  writer.key("description").string("The event's name: " + events_of(entity) + ".").end_object();
  writer.key("ActionHistoryId").begin_object().key("type").string("integer").key("format").string("int64");
  writer.key("description").string("The Order of its row of history.").end_object();
  writer.key(entity.core_type);
  write_ref(writer, "schemas", out.names.record(entity));
  writer.key("Attachments").begin_object().key("type").string("array").key("items");
  write_sent_file(writer);
  writer.end_object().end_object().end_object();
}

void write_webhook(const OpenApiWriter& out, const Entity& entity) {
  json::Writer& writer = out.json;
  writer.key(entity.core_type).begin_object().key("post").begin_object();
  writer.key("operationId").string(out.names.operation(entity, "Notify"));
  // Not the entity's: of two classes for one tag a generator keeps the one of the webhooks.
  writer.key("tags").begin_array().string(webhooks_tag).end_array();
  writer.key("summary").string("An event of a record of " + entity.name);
  writer.key("description").string("Events that actions raise: " + events_of(entity) + ". Scripts may raise others.");
  writer.key("parameters").begin_array();
  write_header(writer, "webhook-id", "The delivery, the same each time that it is tried.");
  write_header(writer, "webhook-timestamp", "When it was tried, in seconds since 1970.");
  write_header(writer, "webhook-signature", "By the webhook's secret (Standard Webhooks).");
  write_header(writer, "Callisto-Event", "The event's name.");
  writer.end_array();
  writer.key("security").begin_array().end_array();
  writer.key("requestBody").begin_object().key("required").boolean(true);
  writer.key("content").begin_object().key("application/json").begin_object();
  writer.key("schema");
  write_notice(out, entity);
  writer.end_object().end_object().end_object();
  writer.key("responses").begin_object().key("2XX").begin_object().key("description");
  writer.string("Received. After any other status it is sent again.").end_object().end_object();
  writer.end_object().end_object();
}

}  // namespace

bool is_told_of(const Entity& entity) {
  return !entity.core_type.empty() && (!entity.parent || entity.parent->core_type != entity.core_type);
}

void write_webhooks(const OpenApiWriter& out, const catalog::Catalog& catalog) {
  out.json.key("webhooks").begin_object();
  for (const auto& entity : catalog.entities())
    if (is_told_of(*entity)) write_webhook(out, *entity);
  out.json.end_object();
}

}  // namespace callisto::api
