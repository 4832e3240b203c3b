#include "engine/api/openapi/schemas.h"

#include "engine/json/write.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace callisto::api {

namespace {

using catalog::DataType;
using catalog::Entity;
using catalog::Property;

// JSON Schema's words for the types of API rule 3.5.
struct Type {
  std::string_view type;
  std::string_view format;
};

Type type_of(DataType type) { return {catalog::traits(type).json_type, catalog::traits(type).json_format}; }

void write_type(json::Writer& writer, const Type& type, bool nullable) {
  writer.key("type");
  if (nullable) writer.begin_array().string(type.type).string("null").end_array();
  else writer.string(type.type);
  if (!type.format.empty()) writer.key("format").string(type.format);
}

void write_media(json::Writer& writer, const Property& property) {
  if (property.type == DataType::Binary) writer.key("contentEncoding").string("base64");
}

// A default is told in words: it counts for new records and for parameters, not for what is read or changed.
std::string described(const Property& property) {
  std::string text = property.description;
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : " ") + sentence; };
  if (property.target) add("The key of a record of " + property.target->name + ".");
  if (property.type == DataType::RichText) add("HTML.");  // a media type would have generators take it for a file
  if (property.uppercase) add("Capitalised.");
  if (property.default_value) {
    std::string value;
    json::append_value(value, *property.default_value);
    add("Default: " + value + ".");
  }
  return text;
}

void write_head(json::Writer& writer, const Property& property) {
  writer.key("title").string(property.display_name);
  if (const std::string text = described(property); !text.empty()) writer.key("description").string(text);
}

void write_texts_type(json::Writer& writer, bool nullable) {
  writer.key("type");
  if (nullable) writer.begin_array().string("array").string("null").end_array();
  else writer.string("array");
  writer.key("items").begin_object().key("type").string("string").end_object();
}

// What the server itself sets when a record is made, and nothing clears.
bool is_never_null(const Property& property) {
  namespace system = catalog::system;
  return property.is_key ||
         (property.readonly && (property.name == system::id || property.name == system::created_date ||
                                property.name == system::updated_date));
}

bool is_own(const Entity& entity, const Property& property) {
  const auto& inherited = entity.parent ? entity.parent->properties : std::vector<const Property*>();
  return std::find(inherited.begin(), inherited.end(), &property) == inherited.end();
}

// Computed words that a $select adds.
void write_extensions(json::Writer& writer, const Entity& entity) {
  for (const catalog::Augmenter* augmenter : entity.augmenters) {
    const bool inherited = entity.parent && entity.parent->find_augmenter(augmenter->name) == augmenter;
    const bool hidden = entity.find_property(augmenter->name) != nullptr;
    if (augmenter->kind != catalog::AugmenterKind::Extension || inherited || hidden) continue;
    writer.key(augmenter->name).begin_object().key("readOnly").boolean(true);
    writer.key("description").string(augmenter->description + " Only with $select=@" + augmenter->name + ".");
    write_type(writer, type_of(augmenter->returns), true);
    writer.end_object();
  }
}

// API rule 2.18.
void write_embedded(const OpenApiWriter& out, const Entity& entity) {
  const bool is_told_above = entity.parent && entity.parent->sub_resources.size() == entity.sub_resources.size();
  if (entity.sub_resources.empty() || is_told_above) return;
  json::Writer& writer = out.json;
  writer.key("_embedded").begin_object().key("type").string("object").key("readOnly").boolean(true);
  writer.key("description").string("Lists below the record. Only with $expand.");
  writer.key("properties").begin_object();
  for (const catalog::SubResource& list : entity.sub_resources) {
    writer.key(list.name);
    write_ref(writer, "schemas", out.names.page(*list.entity));
  }
  writer.end_object().end_object();
}

void write_record(const OpenApiWriter& out, const Entity& entity) {
  json::Writer& writer = out.json;
  writer.key(out.names.record(entity)).begin_object();
  writer.key("title").string(entity.display_name);
  writer.key("description").string(entity.description);
  writer.key("allOf").begin_array();
  write_ref(writer, "schemas", entity.parent ? std::string_view(out.names.record(*entity.parent)) : "ApiRecord");
  writer.begin_object().key("type").string("object").key("properties").begin_object();
  for (const Property* property : entity.properties)
    if (is_shown(*property) && out.view.shows(*property) && is_own(entity, *property))
      write_read_property(writer, *property);
  write_extensions(writer, entity);
  write_embedded(out, entity);
  writer.end_object().end_object().end_array().end_object();
}

void write_page(const OpenApiWriter& out, const Entity& entity) {
  json::Writer& writer = out.json;
  writer.key(out.names.page(entity)).begin_object().key("type").string("object");
  writer.key("required").begin_array().string("results").string("_self").end_array();
  writer.key("properties").begin_object();
  writer.key("results").begin_object().key("type").string("array").key("items");
  write_ref(writer, "schemas", out.names.record(entity));
  writer.end_object();
  writer.key("_self").begin_object().key("type").string("string").end_object();
  writer.key("__count").begin_object().key("type").string("integer").key("format").string("int64");
  writer.key("description").string("All that match, with $inlinecount=true.").end_object();
  writer.key("_links");
  write_ref(writer, "schemas", "ApiPageLinks");
  writer.end_object().end_object();
}

}  // namespace

void write_ref(json::Writer& writer, std::string_view kind, std::string_view name) {
  writer.begin_object().key("$ref").string("#/components/" + std::string(kind) + "/" + std::string(name)).end_object();
}

bool is_shown(const Property& property) { return !property.internal && !property.query_alias; }
bool is_writable(const Property& property, const PropertyView& view) {
  return is_shown(property) && view.shows(property) && !view.is_fixed(property);
}

// API rule 2.1: of a lookup a bare key, or an object where a path below it is selected.
void write_read_property(json::Writer& writer, const Property& property) {
  writer.key(property.name).begin_object();
  if (property.type == DataType::Lookup && !property.list) writer.key("$ref").string("#/components/schemas/ApiLookup");
  write_head(writer, property);
  if (property.readonly) writer.key("readOnly").boolean(true);
  if (property.list) {
    write_texts_type(writer, true);
  } else if (property.type != DataType::Lookup) {
    write_type(writer, type_of(property.type), !is_never_null(property));
    write_media(writer, property);
    if (property.length) writer.key("maxLength").integer(static_cast<std::int64_t>(*property.length));
  }
  writer.end_object();
}

void write_given(json::Writer& writer, const Property& property, bool nullable, std::size_t shortest) {
  writer.key(property.name).begin_object();
  write_head(writer, property);
  const bool is_text = catalog::is_text(property.type) && !property.list;
  const bool has_choices = is_text && !property.choices.empty();
  if (property.list) write_texts_type(writer, nullable);
  else write_type(writer, type_of(property.type), nullable && !has_choices);
  if (has_choices) {
    writer.key("enum").begin_array();
    for (const std::string& choice : property.choices) writer.string(choice);
    writer.end_array();
  }
  write_media(writer, property);
  const auto& [least, most] = catalog::traits(property.type).range;
  if (catalog::is_number(property.type) && most != INT64_MAX)
    writer.key("minimum").integer(least).key("maximum").integer(most);
  if (shortest > 0 && is_text) writer.key("minLength").integer(static_cast<std::int64_t>(shortest));
  if (property.length && is_text) writer.key("maxLength").integer(static_cast<std::int64_t>(*property.length));
  writer.end_object();
}

void write_record_schemas(const OpenApiWriter& writer, const Entity& entity) {
  write_record(writer, entity);
  write_page(writer, entity);
}

}  // namespace callisto::api
