#include "engine/app/describing/entity_stubs.h"

#include "engine/script/library.h"

#include <algorithm>

namespace callisto::app {

namespace {

using catalog::Entity;
using catalog::Property;

// As a class and as a method of a spec's desk: service_request.
std::string word_of(const Entity& entity) {
  std::string word = entity.name;
  std::replace(word.begin(), word.end(), '-', '_');
  return word;
}

std::string class_of(const Entity& entity) { return "record." + word_of(entity); }

// What a script reads (engine/script/library/exact.h says why some numbers are none).
const char* lua_type(catalog::DataType type) {
  using enum catalog::DataType;
  switch (type) {
    case Boolean:
      return "boolean";
    case Short:
    case Integer:
    case Lookup:
      return "integer";
    case Long:
      return "integer|exact";
    case Float:
    case Double:
      return "number";
    case Decimal:
    case Binary:
      return "exact";
    case DateTime:
      return "moment";
    case Text:
    case RichText:
      return "string";
  }
  return "any";
}

std::string comment_of(const std::string& description) {
  std::string text = description.empty() ? "" : " " + description;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string field_of(const Property& property) {
  std::string line = "---@field " + property.name + (property.is_key ? " " : "? ") + lua_type(property.type);
  if (property.target) line += " the key of a record of " + property.target->name + ".";
  return line + comment_of(property.description) + "\n";
}

std::string actions_of(const Entity& entity) {
  std::string names;
  for (const catalog::Action* action : entity.actions)
    if (action->supported) names += (names.empty() ? "\"" : "|\"") + action->name + "\"";
  if (names.empty()) return {};
  return "---@field act fun(self: " + class_of(entity) + ", action: " + names + ", input?: table<string, any>)\n";
}

std::string class_text(const Entity& entity) {
  std::string text = entity.description.empty() ? "" : "---" + comment_of(entity.description).substr(1) + "\n";
  text += "---@class " + class_of(entity) + " : " + (entity.parent ? class_of(*entity.parent) : "record.base") + "\n";
  text += actions_of(entity);
  for (const Property* property : entity.properties) {
    const bool inherited = entity.parent && entity.parent->find_property(property->name) == property;
    if (!inherited && !property->query_alias) text += field_of(*property);
  }
  return text + "\n";
}

std::string session_text(const script::Program& program) {
  const bool has_person = program.catalog->find(catalog::system::person_entity) != nullptr;
  std::string text =
      "---Who asks.\n---@class session\n---@field id integer the Ref of the session\n"
      "---@field user_id? integer the Ref of the person\n---@field partitions? integer[] nil: all of them\n---@field "
      "type \"Analyst\"|\"User\"\n"
      "---@field may fun(self: session, right: \"Administration\"|\"Integration\"): boolean whether its roles have "
      "it\n";
  text += std::string("---@field person? ") + (has_person ? "record.person" : "table<string, any>") + "\n";
  for (const script::SessionList& list : program.session_lists) {
    const Entity* entity = program.catalog->find(list.entity);
    const Property* property = entity ? entity->find_property(list.select) : nullptr;
    text += "---@field " + list.name + " (" + (property ? lua_type(property->type) : "any") + ")[]\n";
  }
  return text + "\n";
}

struct DeskFunction {
  const char *comment, *name, *types, *suffix;  // `types`: of the parameters behind the entity
};

// A function of desk, with an overload for each entity.
std::string desk_function(const script::Program& program, const DeskFunction& function) {
  const std::string types = function.types, suffix = function.suffix;
  std::string text = std::string("---") + function.comment + "\n";
  for (const auto& entity : program.catalog->entities())
    text += "---@overload fun(entity: \"" + entity->name + "\", " + types + "): " + class_of(*entity) + suffix + "\n";
  text += "---@param entity string\n---@param ... any\n---@return record" + suffix + "\n";
  return text + "function desk." + function.name + "(entity, ...) end\n\n";
}

constexpr DeskFunction desk_functions[] = {
    {"That record, nil when there is none; of a key with several parts all of them.", "find", "...: any", "?"},
    {"The records that satisfy the filter, whose '?' stand for the values behind it; then { orderby = , top = }.",
     "search", "filter: string|table<string, any>, ...: any", "[]"},
    {"The first of these, nil when there is none.", "first", "filter: string|table<string, any>, ...: any", "?"},
    {"A new record, through its create action and its hooks.", "create", "values: table<string, any>", ""}};

}  // namespace

std::string entity_stubs(const script::Program& program) {
  std::string text = "-- Entities " + std::string(107, '-') + "\n\n";
  for (const auto& entity : program.catalog->entities()) text += class_text(*entity);
  for (const script::Source& library : script::libraries_of(program))
    text += "---" + library.file.substr(library.file.rfind("lib/")) + "\n---@type table<string, any>\n" +
            script::library_name(library) + " = {}\n\n";
  text += session_text(program) + "---@class library.desk\ndesk = {}\n\n";
  for (const DeskFunction& function : desk_functions) text += desk_function(program, function);
  text +=
      "---How many records satisfy the filter.\n---@param entity string\n---@param filter? string\n---@param ... any\n"
      "---@return integer\nfunction desk.count(entity, filter, ...) end\n\n";
  text.pop_back();
  return text;
}

}  // namespace callisto::app
