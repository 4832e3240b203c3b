#include "engine/script/load/add_definition.h"

#include <utility>

namespace callisto::script {

void add_definition(const std::string& scope, const Source& source, DefinedFile& file,
                    catalog::Definitions& definitions, Program& program, catalog::Problems& problems) {
  int script = file.functions.empty() ? -1 : program.add(source, file.functions);
  if (auto* augmenter = std::get_if<catalog::AugmenterDefinition>(&file.definition)) {
    augmenter->entity = scope;
    augmenter->augmenter.script = script;
    definitions.augmenters.push_back(std::move(*augmenter));
  } else if (auto* action = std::get_if<catalog::ActionDefinition>(&file.definition)) {
    action->entity = scope;
    action->action.script = script;
    definitions.actions.push_back(std::move(*action));
  } else if (auto* states = std::get_if<catalog::StateSetDefinition>(&file.definition)) {
    states->entity = scope;
    definitions.states.push_back(std::move(*states));
  } else if (auto* calendar = std::get_if<CalendarDefinition>(&file.definition)) {
    if (auto made = make_calendar(*calendar, source.text, problems))
      program.calendars.emplace(calendar->name, *std::move(made));
  } else if (auto* hooks = std::get_if<catalog::HooksDefinition>(&file.definition)) {
    hooks->entity = scope;
    for (const auto& [name, member] : catalog::hook_names)
      for (std::size_t i = 0; i < file.functions.size(); ++i)
        if (file.functions[i] == name) (hooks->hooks.*member).push_back(script + static_cast<int>(i));
    definitions.hooks.push_back(std::move(*hooks));
  }
}

void add_addition(const std::string& scope, const std::string& name, const Source& source, DefinedFile& file,
                  catalog::Definitions& definitions, Program& program) {
  const int script = file.functions.empty() ? -1 : program.add(source, file.functions);
  if (auto* augmenter = std::get_if<catalog::AugmenterDefinition>(&file.definition)) {
    augmenter->entity = scope;
    augmenter->after = script;
    definitions.augmenter_additions.push_back(std::move(*augmenter));
  } else if (auto* action = std::get_if<catalog::ActionDefinition>(&file.definition)) {
    action->entity = scope;
    action->addition = name;
    for (std::size_t i = 0; i < file.functions.size(); ++i)
      (file.functions[i] == "before" ? action->before : action->after) = script + static_cast<int>(i);
    definitions.action_additions.push_back(std::move(*action));
  } else if (auto* states = std::get_if<catalog::StateSetDefinition>(&file.definition)) {
    states->entity = scope;
    definitions.state_additions.push_back(std::move(*states));
  }
}

}  // namespace callisto::script
