#include "engine/app/describing/description.h"

#include "engine/base/text.h"
#include "engine/json/write.h"

#include <algorithm>
#include <string_view>

namespace callisto::app {

namespace {

using catalog::Action;
using catalog::Augmenter;
using catalog::Entity;
using catalog::Property;

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
  return all;
}

std::string at(const std::string& file, int line) { return file + ":" + std::to_string(line); }

// Parts of one kind below a heading: a line each with what it is and where it stands, further lines below it.
class Section {
 public:
  explicit Section(std::string heading) : heading_(std::move(heading)) {}

  void add(std::string name, std::string what, std::string where, std::vector<std::string> more = {}) {
    parts_.push_back({std::move(name), std::move(what), std::move(where), std::move(more)});
  }

  std::string text() const {
    if (parts_.empty()) return {};
    std::size_t width = 0;
    for (const Part& part : parts_) width = std::max(width, text::length(part.name));
    std::string all = "\n" + heading_ + "\n";
    for (const Part& part : parts_) {
      all += "  " + part.name + std::string(width - text::length(part.name) + 2, ' ') + part.what;
      all += (part.what.empty() ? "" : "  ") + ("[" + part.where + "]\n");
      for (const std::string& line : part.more)
        if (!line.empty()) all += "      " + line + "\n";
    }
    return all;
  }

 private:
  struct Part {
    std::string name, what, where;
    std::vector<std::string> more;
  };
  std::string heading_;
  std::vector<Part> parts_;
};

std::string type_of(const Property& property) {
  std::string type = catalog::name(property.type);
  if (property.target) type = property.target->name;
  if (property.length) type += "(" + std::to_string(*property.length) + ")";
  return property.type == catalog::DataType::Lookup ? "-> " + type : type;
}

std::string options_of(const Property& property) {
  std::vector<std::string> options{type_of(property)};
  const std::pair<bool, const char*> flags[] = {{property.is_key, "key"},
                                                {property.required, "required"},
                                                {property.readonly, "read-only"},
                                                {property.internal, "internal"},
                                                {property.uppercase, "uppercase"},
                                                {property.indexed, "indexed"},
                                                {property.searchable, "searchable"},
                                                {property.no_search, "no search"},
                                                {property.sealed, "sealed"},
                                                {property.list, "list"},
                                                {property.query_alias, "in queries only"}};
  for (const auto& [is_set, word] : flags)
    if (is_set) options.emplace_back(word);
  if (property.mirror_of) options.push_back("mirrors " + property.mirror_of->name);
  for (const std::string& name : property.formerly) options.push_back("formerly " + name);
  if (property.default_value) {
    options.emplace_back("default ");
    json::append_value(options.back(), *property.default_value);
  }
  return joined(options);
}

std::string text_of(const std::vector<const Property*>& properties) {
  std::vector<std::string> names;
  for (const Property* property : properties) names.push_back(property->name);
  return joined(names);
}

// "allowed: Analyst, User where Ref > 1"
std::string text_of(const char* title, const catalog::Grants& grants) {
  std::vector<std::string> given;
  for (const auto& [grantee, grant] : grants)
    if (grant.kind != catalog::Grant::Kind::Never)
      given.push_back(grantee + (grant.filter.empty() ? "" : " where " + grant.filter));
  return std::string(title) + ": " + (given.empty() ? "nobody" : joined(given));
}

std::string rights_of(const Property& property) {
  std::vector<std::string> rights;
  if (property.read) rights.push_back(text_of("read", *property.read));
  if (property.write) rights.push_back(text_of("write", *property.write));
  if (rights.empty()) return {};
  return joined(rights) + "  [" + at(property.rights_origin.file, property.rights_origin.line) + "]";
}

std::string properties_of(const Entity& entity) {
  Section section("Properties");
  for (const Property* property : entity.properties)
    section.add(property->name, options_of(*property), at(property->origin.file, property->origin.line),
                {property->description, rights_of(*property)});
  return section.text();
}

std::string call_of(const Augmenter& augmenter) {
  std::vector<std::string> parameters;
  for (const Augmenter::Parameter& each : augmenter.parameters)
    parameters.push_back(each.name + " " + catalog::name(each.type));
  return "@" + augmenter.name + (parameters.empty() ? "" : "(" + joined(parameters) + ")");
}

// The files behind the first of them.
std::string added_to_by(const std::vector<catalog::FilterPart>& parts) {
  std::vector<std::string> places;
  for (std::size_t i = 1; i < parts.size(); ++i) places.push_back(at(parts[i].file, parts[i].line));
  return places.empty() ? "" : "added to by  [" + joined(places) + "]";
}

std::string augmenters_of(const Entity& entity, catalog::AugmenterKind kind, const char* heading) {
  Section section(heading);
  for (const Augmenter* augmenter : entity.augmenters) {
    if (augmenter->kind != kind) continue;
    const bool is_condition = kind == catalog::AugmenterKind::Condition;
    if (augmenter->of_states) continue;  // the engine's
    section.add(call_of(*augmenter), is_condition ? augmenter->filter : catalog::name(augmenter->returns),
                at(augmenter->origin.file, augmenter->origin.line),
                {augmenter->description, augmenter->needs.empty() ? "" : "needs " + joined(augmenter->needs),
                 added_to_by(augmenter->parts)});
  }
  return section.text();
}

std::string states_of(const Entity& entity) {
  if (!entity.states) return {};
  Section section("States, in " + entity.states->property->name);
  for (const catalog::State& state : entity.states->states) {
    std::string what = std::to_string(state.value);
    if (!state.groups.empty()) what += ", of " + joined(state.groups);
    if (state.initial) what += ", initial";
    section.add(state.name, what, at(state.file, state.line), {state.description});
  }
  return section.text();
}

std::string state_name(const Entity& entity, std::int64_t value) {
  const catalog::State* state = entity.states ? entity.states->find(value) : nullptr;
  return state ? state->name : std::to_string(value);
}

std::string parameter_text(const catalog::Parameter& parameter) {
  std::string text = parameter.property->name;
  if (parameter.is_own) text += " " + type_of(*parameter.property);
  if (parameter.required) text += " (mandatory)";
  else if (parameter.needed) text += " (mandatory while the record has none)";
  if (!parameter.group.empty()) text += " (one of " + parameter.group + " is mandatory)";
  return text;
}

// A line each: what it adds by itself, for what is part of the rest stands there.
void add_additions(const Action& action, std::vector<std::string>& lines) {
  for (const catalog::Addition& addition : action.additions) {
    std::vector<std::string> words;
    if (!addition.needs.empty()) words.push_back("needs " + text_of(addition.needs));
    if (addition.before >= 0) words.emplace_back("code before");
    if (addition.after >= 0) words.emplace_back("code after");
    lines.push_back("added to by " + addition.name + (words.empty() ? "" : ": " + joined(words)) + "  [" +
                    at(addition.file, addition.line) + "]");
  }
}

std::vector<std::string> details_of(const Entity& entity, const Action& action) {
  std::vector<std::string> from, parameters;
  for (const std::int64_t value : action.from) from.push_back(state_name(entity, value));
  for (const catalog::Parameter& parameter : action.parameters) parameters.push_back(parameter_text(parameter));
  const auto line = [](const char* word, const std::string& text) { return text.empty() ? text : word + text; };
  std::vector<std::string> lines{
      action.description,
      line("from: ", joined(from)),
      line("offered: ", action.offered),
      line("due: ", action.due),
      text_of("allowed", action.allowed),
      line("moves to: ", action.moves_to ? state_name(entity, *action.moves_to) : std::string()),
      line("takes: ", joined(parameters)),
      line("raises: ", joined(action.raises))};
  add_additions(action, lines);
  return lines;
}

std::string actions_of(const Entity& entity) {
  Section section("Actions");
  if (entity.read) section.add("read", "", at(entity.read->file, entity.read->line), details_of(entity, *entity.read));
  for (const Action* action : entity.actions) {
    if (action->supported) section.add(action->name, "", at(action->file, action->line), details_of(entity, *action));
    else section.add(action->name, "not supported", at(action->file, action->line));
  }
  return section.text();
}

std::string hooks_of(const script::Program& program, const catalog::Hooks& hooks) {
  Section section("Hooks");
  for (const auto& [name, member] : catalog::hook_names) {
    for (const int hook : hooks.*member) {
      const catalog::Origin place = place_of(program, hook, name);
      section.add(std::string(name), "", at(place.file, place.line));
    }
  }
  return section.text();
}

std::string lists_of(const Entity& entity) {
  Section section("Lists below a record");
  for (const catalog::SubResource& list : entity.sub_resources)
    section.add(list.name, list.entity->name + ", by " + list.link->name, at(list.origin.file, list.origin.line));
  return section.text();
}

std::string head_of(const Entity& entity) {
  std::vector<std::string> facts{catalog::name(entity.status)};
  if (entity.parent) facts.push_back("extends " + entity.parent->name);
  const std::pair<bool, const char*> flags[] = {{entity.abstract, "abstract"},
                                                {entity.partitioned, "partitioned"},
                                                {entity.history, "keeps history"},
                                                {entity.attachments, "takes attachments"},
                                                {!entity.deletable, "is never deleted"}};
  for (const auto& [is_set, word] : flags)
    if (is_set) facts.emplace_back(word);
  std::string text =
      entity.name + " (" + entity.display_name + ")  [" + at(entity.origin.file, entity.origin.line) + "]\n";
  if (!entity.description.empty()) text += "  " + entity.description + "\n";
  text += "  " + joined(facts) + "\n";
  std::vector<std::string> children;
  for (const Entity* child : entity.children) children.push_back(child->name);
  if (!children.empty()) text += "  extended by " + joined(children) + "\n";
  return text + "  key: " + text_of(entity.key) + "; a search returns " + text_of(entity.summary) + "\n";
}

}  // namespace

std::string description_text(const script::Program& program, const Entity& entity) {
  using Kind = catalog::AugmenterKind;
  return head_of(entity) + properties_of(entity) + augmenters_of(entity, Kind::Condition, "Conditions") +
         augmenters_of(entity, Kind::Token, "Tokens") + augmenters_of(entity, Kind::Function, "Functions") +
         augmenters_of(entity, Kind::Extension, "Extensions") + states_of(entity) + actions_of(entity) +
         hooks_of(program, entity.hooks) + lists_of(entity);
}

std::string description_text(const script::Program& program) {
  Section section("Entities");
  for (const auto& entity : program.catalog->entities())
    section.add(entity->name, entity->parent ? "extends " + entity->parent->name : std::string(),
                at(entity->origin.file, entity->origin.line), {entity->description});
  return section.text().substr(1);
}

}  // namespace callisto::app
