#include "engine/api/answers/action_entries.h"

#include "engine/api/answers/property_entry.h"
#include "engine/records/body.h"

#include <algorithm>

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::Entity;
using catalog::Parameter;
using catalog::Property;

std::string self_of(const Entity& entity, const Action& action, std::string_view version) {
  return link(version, entity.name + "/$" + action.name + "?$options");
}

std::string href_of(const Entity& entity, const Action& action, std::string_view id, std::string_view version) {
  std::string href = link(version, entity.name);
  if (action.creates()) return href;
  href += "/" + std::string(id);
  if (action.is_own()) href += "/" + action.name;
  return href;
}

void write_target(json::Writer& writer, const std::string& href, const Action& action) {
  writer.key("href").string(href);
  if (href.find('{') != std::string::npos) writer.key("templated").boolean(true);
  writer.key("method").string(method_of(action));
}

void write_needed(json::Writer& writer, bool required, const std::string& group) {
  writer.key("required").boolean(required);
  if (!group.empty()) writer.key("requiredGroup").string(group);
}

const Parameter* demanded(const Action& action, const Property& property) {
  const auto found = std::find_if(action.parameters.begin(), action.parameters.end(),
                                  [&](const Parameter& each) { return !each.is_own && each.property == &property; });
  return found == action.parameters.end() ? nullptr : &*found;
}

void write_parameters(json::Writer& writer, const Action& action) {
  writer.key("parameters").begin_array();
  for (const Parameter& parameter : action.parameters) {
    if (!parameter.is_own) continue;
    writer.begin_object();
    write_property_members(writer, *parameter.property);
    if (parameter.secret != Parameter::Secret::No)
      writer.key("secret").string(parameter.secret == Parameter::Secret::New ? "new" : "current");
    write_needed(writer, parameter.required, parameter.group);
    writer.end_object();
  }
  writer.end_array();
}

// What the record must have in the end has to be given where it has none.
bool is_demanded(const Parameter& parameter, const Action& action, const records::Record* record) {
  if (parameter.required || !parameter.needed) return parameter.required;
  const Property& property = *parameter.property;
  if (record) return !records::says_something(record->get(property.mirror_of ? *property.mirror_of : property));
  return action.creates() && !property.default_value;
}

// API rule 4.5: properties of the entity may stand in the same body.
void write_properties(json::Writer& writer, const Entity& entity, const Action& action, const ActionView& of) {
  const PropertyView& view = of.properties;
  writer.key("properties").begin_array();
  for (const Property* property : entity.properties) {
    if (action.removes() || property->internal || property->query_alias) continue;
    if (!view.shows(*property) || view.is_fixed(*property)) continue;
    const Parameter* needed = demanded(action, *property);
    writer.begin_object();
    write_property_members(writer, *property, view);
    const bool by_create = action.creates() && property->required && !property->default_value;
    write_needed(writer, by_create || (needed && is_demanded(*needed, action, of.record)),
                 needed ? needed->group : std::string());
    if (needed && needed->needed) writer.key("requiredInRecord").boolean(true);
    writer.end_object();
  }
  writer.end_array();
}

void write_state_names(json::Writer& writer, const char* name, const Entity& entity,
                       const std::vector<std::int64_t>& values) {
  writer.key(name).begin_array();
  if (entity.states)
    for (const std::int64_t value : values)
      if (const catalog::State* state = entity.states->find(value)) writer.string(state->name);
  writer.end_array();
}

// API rule 4.5: the entity whose record it answers, or what the answer has.
void write_answers(json::Writer& writer, const Entity& entity, const Action& action) {
  if (action.removes()) return;
  writer.key("answers");
  if (action.answers.properties.empty()) {
    writer.string(action.answers.entity ? action.answers.entity->name : entity.name);
    return;
  }
  writer.begin_array();
  for (const Property* property : action.answers.properties) {
    writer.begin_object();
    write_property_members(writer, *property);
    writer.end_object();
  }
  writer.end_array();
}

void write_verdict(json::Writer& writer, const Verdict& verdict) {
  writer.key("holds").begin_object();
  writer.key("state").boolean(verdict.state).key("offered").boolean(verdict.offered);
  writer.key("allowed").boolean(verdict.allowed).end_object();
}

}  // namespace

// API rule 3.2.
void write_states(json::Writer& writer, const Entity& entity, const Action& action) {
  write_state_names(writer, "from", entity, action.from);
  const catalog::State* after = entity.states && action.moves_to ? entity.states->find(*action.moves_to) : nullptr;
  if (after) writer.key("movesTo").string(after->name);
  write_state_names(writer, "mayMoveTo", entity, action.may_move_to);
  writer.key("raises").begin_array();
  for (const std::string& event : action.raises) writer.string(event);
  writer.end_array();
}

void write_rules(json::Writer& writer, const Action& action) {
  using Kind = catalog::Grant::Kind;
  if (!action.offered.empty()) writer.key("offered").string(action.offered);
  writer.key("allowed").begin_object();
  for (const auto& [grantee, grant] : action.allowed) {
    writer.key(grantee);
    if (grant.kind == Kind::Where) writer.string(grant.filter);
    else writer.boolean(grant.kind == Kind::Always);
  }
  writer.end_object();
  if (!action.due.empty()) writer.key("due").string(action.due);
  writer.key("source").string(action.file + ":" + std::to_string(action.line));
  if (action.additions.empty()) return;
  writer.key("additions").begin_array();
  for (const catalog::Addition& each : action.additions) writer.string(each.file + ":" + std::to_string(each.line));
  writer.end_array();
}

const char* method_of(const Action& action) { return catalog::traits(action.kind).method; }

void write_actions(json::Writer& writer, const Entity& entity, const std::vector<const Action*>& actions,
                   std::string_view id, std::string_view version) {
  for (const Action* action : actions) {
    writer.key(action->pascal_name).begin_array().begin_object();
    writer.key("displayName").string(action->title);
    writer.key("_self").string(self_of(entity, *action, version));
    write_target(writer, href_of(entity, *action, id, version), *action);
    writer.end_object().end_array();
  }
}

RecordActions::RecordActions(const Entity& entity, std::string_view version) {
  for (const Entity* type : entity.root().final_types())
    for (const Action* action : type->actions) {
      std::string text;
      json::Writer writer(text);
      write_actions(writer, *type, {action}, key_mark, version);
      texts_.emplace(std::pair(type, action), KeyedText(text));
    }
}

void RecordActions::append(std::string& out, const Entity& type, const std::vector<const Action*>& offered,
                           std::int64_t key) const {
  for (const Action* action : offered) {
    if (action != offered.front()) out += ',';
    texts_.at({&type, action}).append(out, key);
  }
}

void write_action_metadata(json::Writer& writer, const Entity& entity, const Action& action, std::string_view id,
                           std::string_view version, const ActionView& view) {
  writer.begin_object();
  writer.key("name").string(action.pascal_name);
  writer.key("displayName").string(action.title);
  writer.key("description").string(action.description);
  write_target(writer, view.href.empty() ? href_of(entity, action, id, version) : view.href, action);
  writer.key("permissions").begin_object();
  for (std::string_view grantee : catalog::grantees) {
    const auto grant = action.allowed.find(std::string(grantee));
    const bool granted = grant != action.allowed.end() && grant->second.kind != catalog::Grant::Kind::Never;
    if (granted || grantee == "Analyst" || grantee == "User") writer.key(grantee).boolean(granted);
  }
  writer.end_object();
  write_states(writer, entity, action);
  write_parameters(writer, action);
  write_properties(writer, entity, action, view);
  write_answers(writer, entity, action);
  if (view.verdict) write_verdict(writer, *view.verdict);
  if (view.with_rules) write_rules(writer, action);
  writer.key("_self").string(self_of(entity, action, version));
  writer.key("_context").string(link(version, entity.name + "/$metadata"));
  writer.end_object();
}

}  // namespace callisto::api
