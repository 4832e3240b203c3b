#include "engine/script/load/read_definition.h"

#include "engine/base/datetime.h"
#include "engine/catalog/problems.h"
#include "engine/script/load/fields.h"
#include "engine/script/views/values.h"

#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

using catalog::DataType;

// The noun says the type; `key` is an Integer, or a lookup where it names an entity.
DataType type_of(std::string_view noun) { return catalog::data_type_of_noun(noun).value_or(DataType::Integer); }

// The default on top of the stack as the property's type wants it; as it is where that cannot be: the catalog tells.
std::optional<Value> read_default(lua_State* lua, const catalog::Property& property) {
  if (lua_isnil(lua, -1)) return std::nullopt;
  auto value = to_value(lua, -1, property.type);
  if (!value) value = to_value(lua, -1);
  if (!value) return std::nullopt;
  if (auto* decimal = std::get_if<Decimal>(&*value)) *decimal = rescaled(*decimal, property.scale).value_or(*decimal);
  if (const auto* text = std::get_if<std::string>(&*value); text && property.type == DataType::DateTime)
    if (auto date = parse_iso8601(*text)) value = Value(*date);
  return value;
}

std::vector<catalog::PropertyDefinition> read_properties(lua_State* lua, const std::string& file) {
  std::vector<catalog::PropertyDefinition> properties;
  Fields(lua).each("properties", [&] { properties.push_back(read_property(lua, file)); });
  return properties;
}

catalog::EntityDefinition::SubResourceDefinition read_list(lua_State* lua, const std::string& file) {
  catalog::EntityDefinition::SubResourceDefinition definition;
  definition.name = read_name(lua);
  definition.origin = {file, read_line(lua)};
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    definition.entity = fields.text("entity");
    definition.link = fields.text("link");
    definition.type_link = fields.text("type_link");
  });
  return definition;
}

// "State", "LoggedDate desc"
catalog::EntityDefinition::IndexDefinition read_index(lua_State* lua, const std::string& file) {
  catalog::EntityDefinition::IndexDefinition definition;
  definition.origin = {file, read_line(lua)};
  definition.lines = read_lines(lua);
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    definition.properties = fields.texts("properties");
    definition.covers = fields.texts("covers");
    definition.where = fields.text("where");
  });
  return definition;
}

std::vector<catalog::EntityDefinition::IndexDefinition> read_indexes(lua_State* lua, const std::string& file) {
  std::vector<catalog::EntityDefinition::IndexDefinition> indexes;
  Fields(lua).each("indexes", [&] { indexes.push_back(read_index(lua, file)); });
  return indexes;
}

catalog::Status status_of(std::string_view text) {
  for (catalog::Status status : {catalog::Status::Alpha, catalog::Status::Beta})
    if (text == catalog::name(status)) return status;
  return catalog::Status::GA;
}

catalog::AugmenterKind kind_of(std::string_view noun) {
  if (noun == "condition") return catalog::AugmenterKind::Condition;
  if (noun == "func") return catalog::AugmenterKind::Function;
  if (noun == "extension") return catalog::AugmenterKind::Extension;
  return catalog::AugmenterKind::Token;
}

}  // namespace

std::string read_noun(lua_State* lua) { return Fields(lua).text("noun"); }
std::string read_name(lua_State* lua) { return Fields(lua).text("name"); }
int read_line(lua_State* lua) { return Fields(lua).whole("line").value_or(0); }

catalog::PropertyDefinition read_property(lua_State* lua, const std::string& file) {
  catalog::PropertyDefinition definition;
  catalog::Property& property = definition.property;
  std::string noun = read_noun(lua);
  property.name = read_name(lua);
  property.origin = {file, read_line(lua)};
  property.type = type_of(noun);
  definition.lines = read_lines(lua);
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    definition.target_entity = fields.text("entity");
    definition.mirror = fields.text("mirror");
    property.is_key = noun == "key";
    if (property.is_key && !definition.target_entity.empty()) property.type = DataType::Lookup;
    property.display_name = fields.text("display");
    property.description = fields.text("description");
    property.display_types = fields.texts("display_types");
    property.choices = fields.texts("choices");
    property.formerly = fields.texts("formerly");
    if (fields.text("class") == "Computed") property.property_class = catalog::PropertyClass::Computed;
    if (auto length = fields.whole("length")) property.length = static_cast<std::size_t>(*length);
    property.scale = fields.whole("scale").value_or(property.scale);
    if (auto pair = fields.texts("stored"); pair.size() == 2) property.stored = {pair[0], pair[1]};
    property.uppercase = fields.flag("uppercase");
    property.required = fields.flag("required");
    property.readonly = fields.flag("readonly", property.is_key);
    property.internal = fields.flag("internal");
    property.indexed = fields.flag("indexed");
    property.unindexed = !fields.flag("indexed", true);
    property.searchable = fields.flag("searchable");
    property.sealed = fields.flag("sealed");
    property.no_search = fields.flag("no_search") || property.sealed;
    property.list = fields.flag("list");
    property.read = fields.grants("read");
    property.write = fields.grants("write");
    fields.with("default", [&] { property.default_value = read_default(lua, property); });
  });
  return definition;
}

catalog::EntityDefinition read_entity(lua_State* lua, const std::string& file) {
  catalog::EntityDefinition definition;
  definition.name = read_name(lua);
  definition.origin = {file, read_line(lua)};
  definition.lines = read_lines(lua);
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    definition.extends = fields.text("extends");
    definition.display_name = fields.text("display");
    definition.description = fields.text("description");
    definition.formerly = fields.texts("formerly");
    definition.status = status_of(fields.text("status"));
    definition.abstract = fields.flag("abstract");
    definition.top_level = fields.flag("top_level");
    definition.partitioned = fields.flag("partitioned");
    definition.right = fields.text("right");
    definition.writers = fields.text("writers");
    definition.core_type = fields.text("core_type");
    definition.history = fields.flag("history");
    definition.attachments = fields.flag("attachments");
    definition.deletable = fields.flag("deletable", true);
    definition.label = fields.text("label");
    definition.summary = fields.texts("summary");
    definition.query_aliases = fields.names("query_aliases");
    definition.properties = read_properties(lua, file);
    definition.indexes = read_indexes(lua, file);
    fields.each("fields", [&] { definition.fields.push_back(read_property(lua, file)); });
    fields.each("sub_resources", [&] { definition.sub_resources.push_back(read_list(lua, file)); });
  });
  return definition;
}

catalog::CommonDefinition read_common(lua_State* lua, const std::string& file) {
  catalog::CommonDefinition common;
  Fields(lua).with("options", [&] { common = {read_properties(lua, file), read_indexes(lua, file)}; });
  return common;
}

catalog::AugmenterDefinition read_augmenter(lua_State* lua, const std::string& file) {
  catalog::AugmenterDefinition definition;
  catalog::Augmenter& augmenter = definition.augmenter;
  augmenter.name = read_name(lua);
  augmenter.kind = kind_of(read_noun(lua));
  augmenter.origin = {file, read_line(lua)};
  definition.lines = read_lines(lua);
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    augmenter.description = fields.text("description");
    augmenter.filter = fields.text("filter");
    definition.also = fields.text("also");
    definition.only = fields.text("only");
    augmenter.filter_line = catalog::place(augmenter.origin, definition.lines, "filter").line;
    augmenter.returns = catalog::data_type(fields.text("returns")).value_or(augmenter.returns);
    augmenter.constant = fields.flag("constant");
    augmenter.needs = fields.texts("needs");
    augmenter.batch = fields.is_code("values");
    fields.each("parameters", [&] { augmenter.parameters.push_back({read_name(lua), type_of(read_noun(lua))}); });
  });
  return definition;
}

SessionList read_session_list(lua_State* lua, const std::string& file) {
  SessionList list;
  list.name = read_name(lua);
  list.origin = {file, read_line(lua)};
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    list.entity = fields.text("entity");
    list.where = fields.text("where");
    list.select = fields.text("select");
  });
  return list;
}

std::vector<ScimResource> read_scim(lua_State* lua, const std::string& file) {
  std::vector<ScimResource> resources;
  Fields(lua).each("items", [&] {
    ScimResource& resource = resources.emplace_back();
    resource.name = read_name(lua);
    resource.origin = {file, read_line(lua)};
    resource.lines = read_lines(lua);
    Fields(lua).with("options", [&] {
      Fields fields(lua);
      resource.entity = fields.text("entity");
      resource.attributes = fields.names("attributes");
      resource.otherwise = fields.names("otherwise");
      resource.members = fields.text("members");
      resource.group = fields.text("group");
      resource.member = fields.text("member");
    });
  });
  return resources;
}

SignInRule read_sign_in(lua_State* lua, const std::string& file) {
  SignInRule rule;
  rule.origin = catalog::place({file, read_line(lua)}, read_lines(lua), "run");
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    rule.claims = fields.texts("claims");
    rule.gives = fields.texts("gives");
  });
  return rule;
}

}  // namespace callisto::script
