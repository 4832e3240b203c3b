#include "engine/api/openapi_schemas.h"

#include "engine/api/links.h"
#include "engine/api/openapi.h"

#include <algorithm>
#include <map>
#include <vector>

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::DataType;
using catalog::Entity;
using catalog::Parameter;
using catalog::Property;

// JSON Schema's words for the types of specification 2.4.
struct Type {
  std::string_view type;
  std::string_view format;
};

Type type_of(DataType type) {
  switch (type) {
    case DataType::Boolean:
      return {"boolean", {}};
    case DataType::Short:
    case DataType::Integer:
      return {"integer", "int32"};
    case DataType::Long:
    case DataType::Lookup:
      return {"integer", "int64"};
    case DataType::Float:
      return {"number", "float"};
    case DataType::Double:
      return {"number", "double"};
    case DataType::Decimal:
      return {"number", {}};
    case DataType::DateTime:
      return {"string", "date-time"};
    case DataType::Binary:
    case DataType::Text:
    case DataType::RichText:
      return {"string", {}};
  }
  return {};
}

void write_type(json::Writer& writer, const Type& type, bool nullable) {
  writer.key("type");
  if (nullable) writer.begin_array().string(type.type).string("null").end_array();
  else writer.string(type.type);
  if (!type.format.empty()) writer.key("format").string(type.format);
}

void write_limits(json::Writer& writer, const Property& property) {
  if (property.type == DataType::Binary) writer.key("contentEncoding").string("base64");
  if (property.type == DataType::RichText) writer.key("contentMediaType").string("text/html");
  if (property.type == DataType::Short) writer.key("minimum").integer(-32768).key("maximum").integer(32767);
  if (property.length) writer.key("maxLength").integer(static_cast<std::int64_t>(*property.length));
}

// A default is told in words: it counts for new records and for parameters, not for what is read or changed.
std::string described(const Property& property) {
  std::string text = property.description;
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : " ") + sentence; };
  if (property.target) add("The key of a record of " + property.target->name + ".");
  if (property.uppercase) add("Capitalised.");
  if (property.default_value) {
    std::string value;
    append_value(value, *property.default_value);
    add("Default: " + value + ".");
  }
  return text;
}

void write_head(json::Writer& writer, const Property& property) {
  writer.key("title").string(property.display_name);
  if (const std::string text = described(property); !text.empty()) writer.key("description").string(text);
}

// Decisions 2.1: a bare key, or an object where a path below it is selected.
void write_lookup(json::Writer& writer, bool nullable) {
  writer.key("anyOf").begin_array();
  writer.begin_object();
  write_type(writer, type_of(DataType::Lookup), nullable);
  writer.end_object();
  write_ref(writer, "schemas", "api.Related");
  writer.end_array();
}

void write_texts_type(json::Writer& writer) {
  writer.key("type").begin_array().string("array").string("null").end_array();
  writer.key("items").begin_object().key("type").string("string").end_object();
}

void write_read_property(json::Writer& writer, const Property& property) {
  writer.key(property.name).begin_object();
  write_head(writer, property);
  if (property.readonly) writer.key("readOnly").boolean(true);
  if (property.list) {
    write_texts_type(writer);
  } else if (property.type == DataType::Lookup) {
    write_lookup(writer, !property.is_key);
  } else {
    write_type(writer, type_of(property.type), !property.is_key);
    write_limits(writer, property);
  }
  writer.end_object();
}

// Null clears a property; a parameter that is left out has none.
void write_given(json::Writer& writer, const Property& property, bool nullable) {
  writer.key(property.name).begin_object();
  write_head(writer, property);
  if (property.list) {
    write_texts_type(writer);
  } else {
    write_type(writer, type_of(property.type), nullable);
    write_limits(writer, property);
  }
  writer.end_object();
}

bool is_shown(const Property& property) { return !property.internal && !property.query_alias; }
bool is_writable(const Property& property) { return is_shown(property) && !property.readonly; }

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

void write_record(json::Writer& writer, const Entity& entity) {
  writer.key(entity.pascal_name).begin_object();
  writer.key("title").string(entity.display_name);
  writer.key("description").string(entity.description);
  writer.key("allOf").begin_array();
  write_ref(writer, "schemas", entity.parent ? std::string_view(entity.parent->pascal_name) : "api.Record");
  writer.begin_object().key("type").string("object").key("properties").begin_object();
  for (const Property* property : entity.properties)
    if (is_shown(*property) && is_own(entity, *property)) write_read_property(writer, *property);
  write_extensions(writer, entity);
  writer.end_object().end_object().end_array().end_object();
}

void write_page(json::Writer& writer, const Entity& entity) {
  writer.key(page_of(entity)).begin_object().key("type").string("object");
  writer.key("required").begin_array().string("results").string("_self").end_array();
  writer.key("properties").begin_object();
  writer.key("results").begin_object().key("type").string("array").key("items");
  write_ref(writer, "schemas", entity.pascal_name);
  writer.end_object();
  writer.key("_self").begin_object().key("type").string("string").end_object();
  writer.key("__count").begin_object().key("type").string("integer").key("format").string("int64");
  writer.key("description").string("All that match, with $inlinecount=true.").end_object();
  writer.key("_links").begin_object().key("type").string("object");
  writer.key("description")
      .string("Next, where there are more rows: an array with one object, whose _self is the url.");
  writer.end_object();
  writer.end_object().end_object();
}

std::vector<std::string> required_of(const Entity& entity, const Action& action) {
  std::vector<std::string> names;
  for (const Parameter& parameter : action.parameters)
    if (parameter.required) names.push_back(parameter.property->name);
  if (action.kind != Action::Kind::Create) return names;
  for (const Property* property : entity.properties) {
    const bool is_due = is_writable(*property) && property->required && !property->default_value;
    if (is_due && std::find(names.begin(), names.end(), property->name) == names.end()) names.push_back(property->name);
  }
  return names;
}

void write_names(json::Writer& writer, const std::vector<std::string>& names) {
  writer.begin_array();
  for (const std::string& name : names) writer.string(name);
  writer.end_array();
}

// At least one of each group.
void write_groups(json::Writer& writer, const Action& action) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const Parameter& parameter : action.parameters)
    if (!parameter.group.empty()) groups[parameter.group].push_back(parameter.property->name);
  if (groups.empty()) return;
  writer.key("allOf").begin_array();
  for (const auto& [group, names] : groups) {
    writer.begin_object().key("anyOf").begin_array();
    for (const std::string& name : names) {
      writer.begin_object().key("required");
      write_names(writer, {name});
      writer.end_object();
    }
    writer.end_array().end_object();
  }
  writer.end_array();
}

const Parameter* named(const Action& action, const Property& property) {
  const auto found = std::find_if(action.parameters.begin(), action.parameters.end(),
                                  [&](const Parameter& each) { return each.property->name == property.name; });
  return found == action.parameters.end() ? nullptr : &*found;
}

void write_body(json::Writer& writer, const Entity& entity, const Action& action) {
  const bool of_record = action.kind != Action::Kind::Own;
  writer.key(schema_of(entity, action)).begin_object().key("type").string("object");
  std::string text = action.description;
  if (!of_record)
    text += (text.empty() ? "" : " ") + std::string("Writable properties of the record may be given too.");
  if (!text.empty()) writer.key("description").string(text);
  if (const auto names = required_of(entity, action); !names.empty()) {
    writer.key("required");
    write_names(writer, names);
  }
  writer.key("properties").begin_object();
  for (const Parameter& parameter : action.parameters) write_given(writer, *parameter.property, !parameter.required);
  if (of_record)
    for (const Property* property : entity.properties)
      if (is_writable(*property) && !named(action, *property)) write_given(writer, *property, true);
  writer.end_object();
  write_groups(writer, action);
  writer.end_object();
}

void write_sample(json::Writer& writer, const Property& property) {
  if (property.list) {
    writer.begin_array().string("Text").end_array();
    return;
  }
  switch (property.type) {
    case DataType::Boolean:
      writer.boolean(true);
      return;
    case DataType::DateTime:
      writer.string("2026-03-15T07:05:00.000Z");
      return;
    case DataType::RichText:
      writer.string("<p>Text</p>");
      return;
    case DataType::Binary:
      writer.string("VGV4dA==");
      return;
    case DataType::Text:
      writer.string(std::string_view("Text").substr(0, property.length.value_or(4)));
      return;
    default:
      writer.integer(1);
  }
}

}  // namespace

std::string schema_of(const Entity& entity, const Action& action) {
  return entity.pascal_name + "." + action.pascal_name;
}

std::string page_of(const Entity& entity) { return entity.pascal_name + "_Page"; }

void write_ref(json::Writer& writer, std::string_view kind, std::string_view name) {
  writer.begin_object().key("$ref").string("#/components/" + std::string(kind) + "/" + std::string(name)).end_object();
}

void write_entity_schemas(json::Writer& writer, const Entity& entity) {
  write_record(writer, entity);
  write_page(writer, entity);
  for (const Action* action : entity.actions)
    if (is_usable(*action) && action->kind != Action::Kind::Delete) write_body(writer, entity, *action);
}

void write_example(json::Writer& writer, const Entity& entity, const Action& action) {
  std::vector<std::string> groups;
  const auto required = required_of(entity, action);
  writer.begin_object();
  const auto write = [&](const Property& property) {
    writer.key(property.name);
    write_sample(writer, property);
  };
  for (const Parameter& parameter : action.parameters) {
    const bool is_first =
        !parameter.group.empty() && std::find(groups.begin(), groups.end(), parameter.group) == groups.end();
    if (is_first) groups.push_back(parameter.group);
    if (parameter.required || is_first) write(*parameter.property);
  }
  if (action.kind == Action::Kind::Create)
    for (const Property* property : entity.properties)
      if (!named(action, *property) && std::find(required.begin(), required.end(), property->name) != required.end())
        write(*property);
  writer.end_object();
}

}  // namespace callisto::api
