#include "engine/script/load/read_action.h"

#include "engine/script/load/fields.h"
#include "engine/script/load/read_definition.h"

#include <utility>
#include <vector>

#include <lua.hpp>

namespace callisto::script {
namespace {

using ParameterDefinition = catalog::ActionDefinition::ParameterDefinition;

constexpr std::string_view any_of = "any_of";    // the noun of a group of parameters
constexpr std::string_view plain_name = "name";  // stands for a plain text in a list

catalog::StateSetDefinition::StateDefinition read_state(lua_State* lua, const std::string& file) {
  catalog::StateSetDefinition::StateDefinition definition;
  definition.state.name = read_name(lua);
  definition.origin = {file, read_line(lua)};
  definition.lines = read_lines(lua);
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    definition.state.description = fields.text("description");
    const auto value = fields.whole("value");
    definition.has_value = value.has_value();
    definition.state.value = value.value_or(0);
    definition.state.groups = fields.texts("group");
    definition.state.initial = fields.flag("initial");
    definition.state.final = fields.flag("final");
    definition.state.imported = fields.flag("imported");
    definition.state.formerly = fields.texts("formerly");
  });
  return definition;
}

ParameterDefinition read_parameter(lua_State* lua, const std::string& file) {
  ParameterDefinition parameter;
  parameter.property = read_property(lua, file);
  parameter.is_own = read_noun(lua) != plain_name;
  Fields(lua).with("options", [&] {
    const std::string secret = Fields(lua).text("secret");
    if (secret == "new") parameter.secret = catalog::Parameter::Secret::New;
    if (secret == "current") parameter.secret = catalog::Parameter::Secret::Current;
    if (secret == "sealed") parameter.secret = catalog::Parameter::Secret::Sealed;
  });
  return parameter;
}

void read_mandatory(lua_State* lua, const std::string& file, std::vector<ParameterDefinition>& parameters) {
  if (read_noun(lua) != any_of) {
    parameters.push_back(read_parameter(lua, file));
    parameters.back().required = true;
    return;
  }
  std::string group = read_name(lua);
  Fields(lua).each("items", [&] {
    parameters.push_back(read_parameter(lua, file));
    parameters.back().group = group;
  });
}

// Who may where nobody says who: analysts. An addition that does not say it leaves it as it is.
catalog::Grants read_allowed(lua_State* lua, bool is_addition) {
  auto allowed = Fields(lua).grants("allowed");
  if (allowed) return *std::move(allowed);
  return is_addition ? catalog::Grants() : catalog::Grants{{"Analyst", {catalog::Grant::Kind::Always, {}}}};
}

}  // namespace

catalog::StateSetDefinition read_states(lua_State* lua, const std::string& file) {
  catalog::StateSetDefinition definition;
  definition.property = read_name(lua);
  definition.origin = {file, read_line(lua)};
  Fields(lua).each("items", [&] { definition.states.push_back(read_state(lua, file)); });
  return definition;
}

catalog::ActionDefinition read_action(lua_State* lua, const std::string& file) {
  catalog::ActionDefinition definition;
  catalog::Action& action = definition.action;
  action.name = read_name(lua);
  definition.origin = {file, read_line(lua)};
  definition.lines = read_lines(lua);
  const bool is_addition = read_noun(lua) == "add_to";
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    action.title = fields.text("title");
    action.description = fields.text("description");
    action.supported = fields.flag("supported", true);
    action.history = fields.flag("history", true);
    action.of_deleted = fields.flag("deleted");
    action.offered = fields.text("offered");
    action.due = fields.text("due");
    action.raises = fields.texts("raises");
    action.allowed = read_allowed(lua, is_addition);
    definition.from = fields.texts("from");
    definition.moves_to = fields.text("moves_to");
    definition.needs = fields.texts("needs");
    definition.may_move_to = fields.texts("may_move_to");
    fields.each("mandatory", [&] { read_mandatory(lua, file, definition.parameters); });
    definition.answers_entity = fields.text("answers");
    fields.each("answers", [&] { definition.answers.push_back(read_property(lua, file)); });
    fields.each("optional", [&] { definition.parameters.push_back(read_parameter(lua, file)); });
  });
  return definition;
}

// The numbers of the functions are filled in by who keeps the code.
catalog::HooksDefinition read_hooks(lua_State* lua, const std::string& file) {
  catalog::HooksDefinition definition;
  definition.origin = {file, read_line(lua)};
  definition.lines = read_lines(lua);
  Fields(lua).with("options", [&] { definition.replaces = Fields(lua).flag("replaces"); });
  return definition;
}

}  // namespace callisto::script
