#include "engine/app/describing/description.h"

#include "engine/base/running_digest.h"
#include "engine/json/write.h"
#include "engine/script/program.h"

namespace callisto::app {

namespace {

using catalog::Action;
using catalog::Augmenter;
using catalog::Entity;
using catalog::Property;

void write_flag(json::Writer& writer, std::string_view name, bool value) {
  if (value) writer.key(name).boolean(true);
}

void write_text(json::Writer& writer, std::string_view name, std::string_view value) {
  if (!value.empty()) writer.key(name).string(value);
}

void write_texts(json::Writer& writer, std::string_view name, const std::vector<std::string>& values) {
  if (values.empty()) return;
  writer.key(name).begin_array();
  for (const std::string& value : values) writer.string(value);
  writer.end_array();
}

void write_names(json::Writer& writer, std::string_view name, const std::vector<const Property*>& properties) {
  writer.key(name).begin_array();
  for (const Property* property : properties) writer.string(property->name);
  writer.end_array();
}

void write_place(json::Writer& writer, std::string_view file, int line) {
  writer.key("file").string(file).key("line").integer(line);
}

// What a property of an entity and a parameter of an action have in common.
void write_type(json::Writer& writer, const Property& property) {
  writer.key("name").string(property.name);
  writer.key("display").string(property.display_name);
  write_text(writer, "description", property.description);
  writer.key("type").string(catalog::name(property.type));
  if (property.target) writer.key("entity").string(property.target->name);
  write_texts(writer, "display_types", property.display_types);
  if (property.length) writer.key("length").integer(static_cast<std::int64_t>(*property.length));
  if (property.type == catalog::DataType::Decimal) writer.key("scale").integer(property.scale);
  if (property.default_value) {
    writer.key("default");
    json::append_value(writer.raw(), *property.default_value);
  }
  write_flag(writer, "uppercase", property.uppercase);
}

// Who may: { "Analyst": true, "User": "User == @UserId" }.
void write_grants(json::Writer& writer, std::string_view name, const std::optional<catalog::Grants>& grants) {
  if (!grants) return;
  writer.key(name).begin_object();
  for (const auto& [grantee, grant] : *grants) {
    writer.key(grantee);
    if (grant.kind == catalog::Grant::Kind::Where) writer.string(grant.filter);
    else writer.boolean(grant.kind == catalog::Grant::Kind::Always);
  }
  writer.end_object();
}

void write_property(json::Writer& writer, const Property& property) {
  writer.begin_object();
  write_type(writer, property);
  writer.key("class").string(catalog::name(property.property_class));
  if (property.stored.is_text()) write_texts(writer, "stored", {property.stored.yes, property.stored.no});
  if (property.mirror_of) writer.key("mirror").string(property.mirror_of->name);
  write_flag(writer, "key", property.is_key);
  write_flag(writer, "required", property.required);
  write_flag(writer, "readonly", property.readonly);
  write_flag(writer, "internal", property.internal);
  write_flag(writer, "no_search", property.no_search);
  write_flag(writer, "sealed", property.sealed);
  write_flag(writer, "list", property.list);
  write_flag(writer, "indexed", property.indexed);
  write_flag(writer, "searchable", property.searchable);
  write_flag(writer, "query_alias", property.query_alias);
  write_grants(writer, "read", property.read);
  write_grants(writer, "write", property.write);
  if (property.owner) writer.key("owner").string(property.owner->name);
  write_texts(writer, "formerly", property.formerly);
  write_place(writer, property.origin.file, property.origin.line);
  writer.end_object();
}

void write_augmenter(json::Writer& writer, const Augmenter& augmenter) {
  writer.begin_object().key("name").string(augmenter.name);
  writer.key("kind").string(catalog::name(augmenter.kind));
  write_text(writer, "description", augmenter.description);
  write_text(writer, "filter", augmenter.filter);
  if (augmenter.kind != catalog::AugmenterKind::Condition)
    writer.key("returns").string(catalog::name(augmenter.returns));
  if (!augmenter.parameters.empty()) {
    writer.key("parameters").begin_array();
    for (const Augmenter::Parameter& each : augmenter.parameters)
      writer.begin_object().key("name").string(each.name).key("type").string(catalog::name(each.type)).end_object();
    writer.end_array();
  }
  write_flag(writer, "constant", augmenter.constant);
  write_texts(writer, "needs", augmenter.needs);
  write_flag(writer, "batch", augmenter.batch);
  write_place(writer, augmenter.origin.file, augmenter.origin.line);
  writer.end_object();
}

std::string_view name_of(catalog::Parameter::Secret secret) {
  using Secret = catalog::Parameter::Secret;
  return secret == Secret::New       ? "new"
         : secret == Secret::Current ? "current"
         : secret == Secret::Sealed  ? "sealed"
                                     : "";
}

void write_parameters(json::Writer& writer, const Action& action) {
  if (action.parameters.empty()) return;
  writer.key("parameters").begin_array();
  for (const catalog::Parameter& parameter : action.parameters) {
    writer.begin_object();
    write_type(writer, *parameter.property);
    write_flag(writer, "required", parameter.required);
    write_flag(writer, "needed", parameter.needed);
    write_text(writer, "group", parameter.group);
    write_flag(writer, "of_entity", !parameter.is_own);
    write_text(writer, "secret", name_of(parameter.secret));
    write_place(writer, parameter.property->origin.file, parameter.property->origin.line);
    writer.end_object();
  }
  writer.end_array();
}

void write_allowed(json::Writer& writer, const Action& action) {
  writer.key("allowed").begin_object();
  for (const auto& [grantee, grant] : action.allowed) {
    writer.key(grantee);
    if (grant.kind == catalog::Grant::Kind::Where) writer.string(grant.filter);
    else writer.boolean(grant.kind == catalog::Grant::Kind::Always);
  }
  writer.end_object();
}

void write_additions(json::Writer& writer, const Action& action) {
  if (action.additions.empty()) return;
  writer.key("additions").begin_array();
  for (const catalog::Addition& addition : action.additions) {
    writer.begin_object().key("name").string(addition.name);
    if (!addition.needs.empty()) write_names(writer, "needs", addition.needs);
    write_flag(writer, "before", addition.before >= 0);
    write_flag(writer, "after", addition.after >= 0);
    write_place(writer, addition.file, addition.line);
    writer.end_object();
  }
  writer.end_array();
}

void write_action(json::Writer& writer, const Entity& entity, const Action& action) {
  writer.begin_object().key("name").string(action.name).key("title").string(action.title);
  write_text(writer, "description", action.description);
  writer.key("supported").boolean(action.supported || action.is_read());
  const auto state = [&](std::int64_t value) {
    const catalog::State* found = entity.states ? entity.states->find(value) : nullptr;
    return found ? found->name : std::to_string(value);
  };
  std::vector<std::string> from;
  for (const std::int64_t value : action.from) from.push_back(state(value));
  write_texts(writer, "from", from);
  write_text(writer, "offered", action.offered);
  write_text(writer, "due", action.due);
  write_allowed(writer, action);
  if (action.moves_to) writer.key("moves_to").string(state(*action.moves_to));
  write_texts(writer, "raises", action.raises);
  write_flag(writer, "history", action.history && entity.history && !action.is_read());
  write_parameters(writer, action);
  write_flag(writer, "code", action.script >= 0);
  write_additions(writer, action);
  write_place(writer, action.file, action.line);
  writer.end_object();
}

void write_states(json::Writer& writer, const catalog::StateSet* states) {
  if (!states) return;
  writer.key("state_property").string(states->property->name);
  writer.key("states").begin_array();
  for (const catalog::State& state : states->states) {
    writer.begin_object().key("name").string(state.name).key("value").integer(state.value);
    write_text(writer, "description", state.description);
    write_texts(writer, "groups", state.groups);
    write_flag(writer, "initial", state.initial);
    write_place(writer, state.file, state.line);
    writer.end_object();
  }
  writer.end_array();
}

void write_hooks(json::Writer& writer, const script::Program& program, const catalog::Hooks& hooks) {
  writer.key("hooks").begin_array();
  for (const auto& [name, member] : catalog::hook_names) {
    for (const int hook : hooks.*member) {
      const catalog::Origin place = place_of(program, hook, name);
      writer.begin_object().key("name").string(name);
      write_place(writer, place.file, place.line);
      writer.end_object();
    }
  }
  writer.end_array();
}

void write_lists(json::Writer& writer, const Entity& entity) {
  writer.key("sub_resources").begin_array();
  for (const catalog::SubResource& list : entity.sub_resources) {
    writer.begin_object().key("name").string(list.name).key("entity").string(list.entity->name);
    writer.key("link").string(list.link->name);
    if (list.type_link) writer.key("type_link").string(list.type_link->name);
    write_place(writer, list.origin.file, list.origin.line);
    writer.end_object();
  }
  writer.end_array();
}

void write_head(json::Writer& writer, const Entity& entity) {
  writer.key("name").string(entity.name).key("display").string(entity.display_name);
  write_text(writer, "description", entity.description);
  writer.key("status").string(catalog::name(entity.status));
  if (entity.parent) writer.key("extends").string(entity.parent->name);
  write_texts(writer, "formerly", entity.formerly);
  write_flag(writer, "abstract", entity.abstract);
  write_flag(writer, "top_level", entity.top_level);
  write_flag(writer, "partitioned", entity.partitioned);
  write_flag(writer, "history", entity.history);
  write_flag(writer, "attachments", entity.attachments);
  writer.key("deletable").boolean(entity.deletable);
  write_text(writer, "core_type", entity.core_type);
  write_names(writer, "key", entity.key);
  write_names(writer, "summary", entity.summary);
  write_place(writer, entity.origin.file, entity.origin.line);
}

void write_entity(json::Writer& writer, const script::Program& program, const Entity& entity) {
  writer.begin_object();
  write_head(writer, entity);
  writer.key("properties").begin_array();
  for (const Property* property : entity.properties) write_property(writer, *property);
  writer.end_array().key("augmenters").begin_array();
  for (const Augmenter* augmenter : entity.augmenters)
    if (!augmenter->of_states) write_augmenter(writer, *augmenter);
  writer.end_array();
  write_states(writer, entity.states);
  writer.key("actions").begin_array();
  if (entity.read) write_action(writer, entity, *entity.read);
  for (const Action* action : entity.actions) write_action(writer, entity, *action);
  writer.end_array();
  write_hooks(writer, program, entity.hooks);
  write_lists(writer, entity);
  writer.end_object();
}

}  // namespace

catalog::Origin place_of(const script::Program& program, int hook, std::string_view name) {
  const script::Source& source = program.sources[program.functions[static_cast<std::size_t>(hook)].source];
  return {source.file, script::find_line(source.text, name, 1, true)};
}

std::string description_json(const script::Program& program) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object().key("entities").begin_array();
  for (const auto& entity : program.catalog->entities()) write_entity(writer, program, *entity);
  writer.end_array().key("session_lists").begin_array();
  for (const script::SessionList& list : program.session_lists) {
    writer.begin_object().key("name").string(list.name).key("entity").string(list.entity);
    writer.key("where").string(list.where).key("select").string(list.select);
    write_place(writer, list.origin.file, list.origin.line);
    writer.end_object();
  }
  writer.end_array();
  if (const auto& rule = program.sign_in) {
    writer.key("sign_in").begin_object();
    write_texts(writer, "claims", rule->claims);
    write_texts(writer, "gives", rule->gives);
    write_place(writer, rule->origin.file, rule->origin.line);
    writer.end_object();
  }
  writer.key("code").begin_array();
  for (const script::Source* each : program.all_sources())
    writer.begin_object().key("name").string(each->file).key("sha256").string(sha256_hex(each->text)).end_object();
  writer.end_array().end_object();
  return text;
}

std::string description_json(const script::Program& program, const Entity& entity) {
  std::string text;
  json::Writer writer(text);
  write_entity(writer, program, entity);
  return text;
}

}  // namespace callisto::app
