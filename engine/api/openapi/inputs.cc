#include "engine/api/openapi/inputs.h"

#include "engine/api/openapi.h"
#include "engine/api/openapi/schemas.h"
#include "engine/auth/secrets.h"
#include "engine/base/text.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::DataType;
using catalog::Entity;
using catalog::Parameter;
using catalog::Property;

// A parameter that is a property of the entity which the reader does not see is none for him.
bool is_told(const Parameter& parameter, const PropertyView& view) {
  return parameter.is_own || view.shows(*parameter.property);
}

// A new record has nothing that it could have had before.
bool is_needed_at_once(const Action& action, const Parameter& parameter) {
  return parameter.needed && action.creates() && !parameter.property->default_value;
}

std::vector<std::string> required_of(const Entity& entity, const Action& action, const PropertyView& view) {
  std::vector<std::string> names;
  for (const Parameter& parameter : action.parameters)
    if ((parameter.required || is_needed_at_once(action, parameter)) && is_told(parameter, view))
      names.push_back(parameter.property->name);
  if (!action.creates()) return names;
  for (const Property* property : entity.properties) {
    const bool is_due = is_writable(*property, view) && property->required && !property->default_value;
    if (is_due && std::find(names.begin(), names.end(), property->name) == names.end()) names.push_back(property->name);
  }
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void write_names(json::Writer& writer, const std::vector<std::string>& names) {
  writer.begin_array();
  for (const std::string& name : names) writer.string(name);
  writer.end_array();
}

// At least one of each group.
void write_groups(json::Writer& writer, const Action& action, const PropertyView& view) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const Parameter& parameter : action.parameters)
    if (!parameter.group.empty() && is_told(parameter, view))
      groups[parameter.group].push_back(parameter.property->name);
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

// What is mandatory has to say something.
std::size_t shortest_of(const Parameter& parameter) {
  if (parameter.secret == Parameter::Secret::New) return auth::shortest_secret;
  return parameter.required ? 1 : 0;
}

std::string needs_text(const Action& action) {
  std::string names;
  for (const Parameter& parameter : action.parameters)
    if (parameter.needed && !parameter.required && !is_needed_at_once(action, parameter))
      names += (names.empty() ? "" : ", ") + parameter.property->name;
  return names.empty() ? names : " The record must have " + names + " in the end: given here where it has not.";
}

// A body of create and update names all that there is; one of another action may hold properties of the record, too.
void write_input(const OpenApiWriter& out, const Entity& entity, const Action& action) {
  json::Writer& writer = out.json;
  const bool of_record = !action.is_own();
  writer.key(out.names.input(entity, action)).begin_object().key("type").string("object");
  std::string text = action.description;
  if (!of_record)
    text += (text.empty() ? "" : " ") + std::string("Writable properties of the record may be given too.");
  text += needs_text(action);
  if (!text.empty()) writer.key("description").string(text);
  const auto required = required_of(entity, action, out.view);
  if (!required.empty()) {
    writer.key("required");
    write_names(writer, required);
  }
  writer.key("properties").begin_object();
  for (const Parameter& parameter : action.parameters)
    if (is_told(parameter, out.view))
      write_given(writer, *parameter.property, !parameter.required && !is_needed_at_once(action, parameter),
                  shortest_of(parameter));
  if (of_record)
    for (const Property* property : entity.properties) {
      if (!is_writable(*property, out.view) || named(action, *property)) continue;
      write_given(writer, *property, !property->required, property->required ? 1 : 0);
    }
  writer.end_object();
  if (of_record) writer.key("additionalProperties").boolean(false);
  if (action.updates()) writer.key("minProperties").integer(1);
  write_groups(writer, action, out.view);
  writer.end_object();
}

void write_answer(const OpenApiWriter& out, const Entity& entity, const Action& action) {
  json::Writer& writer = out.json;
  writer.key(out.names.answer(entity, action)).begin_object().key("type").string("object");
  writer.key("properties").begin_object();
  for (const Property* property : action.answers.properties) write_read_property(writer, *property);
  writer.end_object().end_object();
}

// Without blanks where it is a name among machines.
std::string sample_text(const Property& property) {
  if (property.name.ends_with("Url") || property.name.ends_with("Uri")) return "https://example.com/";
  return property.uppercase ? text::upper(property.name) : property.display_name;
}

// Bodies with what is in one of them. Lookups lead to 1, 2, 3: what is linked twice is seldom linked to one record.
class Samples {
 public:
  explicit Samples(json::Writer& writer) : writer_(writer) {}

  void write(const Property& property, std::size_t shortest = 0) {
    writer_.key(property.name);
    if (property.list)
      writer_.begin_array().string(property.choices.empty() ? "Text" : property.choices[0]).end_array();
    else if (!property.choices.empty()) writer_.string(property.choices.front());
    else write_value(property, shortest);
  }

 private:
  void write_value(const Property& property, std::size_t shortest) {
    switch (property.type) {
      case DataType::Boolean:
        writer_.boolean(true);
        return;
      case DataType::DateTime:
        writer_.string("2026-03-15T07:05:00.000Z");
        return;
      case DataType::RichText:
        writer_.string("<p>" + property.display_name + "</p>");
        return;
      case DataType::Binary:
        writer_.string("VGV4dA==");
        return;
      case DataType::Text:
        write_text(sample_text(property), property.length.value_or(255), shortest);
        return;
      case DataType::Lookup:
        writer_.integer(++lookups_);
        return;
      default:
        writer_.integer(1);
    }
  }

  void write_text(const std::string& text, std::size_t longest, std::size_t shortest) {
    writer_.string(std::string_view(text.size() < shortest ? "a long text" : text).substr(0, longest));
  }

  json::Writer& writer_;
  std::int64_t lookups_ = 0;
};

// What may be left out, but for one thing that a change needs.
const Property* sample_of_update(const Entity& entity, const Action& action, const PropertyView& view) {
  if (!action.updates() || !required_of(entity, action, view).empty()) return nullptr;
  const Property* first = nullptr;
  for (const Property* property : entity.properties) {
    if (!is_writable(*property, view) || property->list || property->sealed || named(action, *property)) continue;
    if (property->type == DataType::Text) return property;
    if (!first) first = property;
  }
  return first;
}

}  // namespace

void write_action_schemas(const OpenApiWriter& writer, const Entity& entity) {
  for (const Action* action : entity.actions) {
    if (!is_usable(*action) || action->removes()) continue;
    write_input(writer, entity, *action);
    if (!action->answers.properties.empty()) write_answer(writer, entity, *action);
  }
}

void write_example(const OpenApiWriter& out, const Entity& entity, const Action& action) {
  json::Writer& writer = out.json;
  std::vector<std::string> groups;
  const auto required = required_of(entity, action, out.view);
  writer.begin_object();
  Samples samples(writer);
  for (const Parameter& parameter : action.parameters) {
    if (!is_told(parameter, out.view)) continue;
    const bool is_first =
        !parameter.group.empty() && std::find(groups.begin(), groups.end(), parameter.group) == groups.end();
    if (is_first) groups.push_back(parameter.group);
    if (parameter.required || is_first || is_needed_at_once(action, parameter))
      samples.write(*parameter.property, shortest_of(parameter));
  }
  if (action.creates())
    for (const Property* property : entity.properties)
      if (!named(action, *property) && has(required, property->name)) samples.write(*property);
  if (const Property* changed = sample_of_update(entity, action, out.view)) samples.write(*changed);
  writer.end_object();
}

}  // namespace callisto::api
