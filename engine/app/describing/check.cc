// callisto check: what the server would refuse to start with, and what in the rules is doubtful.
#include "engine/app/commands.h"
#include "engine/app/describing/effects.h"
#include "engine/app/describing/findings.h"
#include "engine/app/describing/matrix.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/with_desk.h"
#include "engine/app/serving/webhook_words.h"
#include "engine/base/text.h"
#include "engine/diagram/states.h"
#include "engine/records/without_partition.h"
#include "engine/storage/upkeep.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace callisto::app {

namespace {

std::string count_of(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string summary_of(const Checked& checked) {
  if (!checked.model) return count_of(checked.findings.size(), "problem");
  std::size_t actions = 0, augmenters = 0;
  for (const auto& entity : checked.model->catalog().entities()) {
    actions += entity->actions.size();
    augmenters += entity->augmenters.size();
  }
  return std::to_string(checked.model->catalog().entities().size()) + " entities" + ", " + count_of(actions, "action") +
         " and " + count_of(augmenters, "augmenter") +
         " on them: " + (checked.findings.empty() ? "no problem found" : count_of(checked.findings.size(), "warning"));
}

// Null where it has none, or is none; that is told.
const catalog::Entity* entity_with_states(const records::Model& model, const std::string& name) {
  const catalog::Entity* entity = model.catalog().find(name);
  if (entity && entity->states && !entity->abstract) return entity;
  const std::string near = text::nearest(name, model.catalog().entity_names());
  std::fprintf(stderr, "callisto: '%s'%s%s\n", name.c_str(), entity ? " has no states" : " is no entity",
               near.empty() || entity ? "" : ("; did you mean '" + near + "'?").c_str());
  return nullptr;
}

int print_matrix(const records::Model& model, const std::string& name) {
  std::vector<const catalog::Entity*> entities;
  if (name.empty())
    for (const auto& each : model.catalog().entities()) entities.push_back(each.get());
  else if (const catalog::Entity* entity = entity_with_states(model, name)) entities = {entity};
  else return 2;
  std::fputs(matrix_of(model, entities).c_str(), stdout);
  return 0;
}

int print_diagram(const records::Model& model, const CheckOptions& options) {
  const catalog::Entity* entity = entity_with_states(model, options.diagram);
  if (!entity) return 2;
  const std::string text = options.mermaid ? diagram::to_mermaid(model, *entity) : diagram::to_svg(model, *entity);
  std::fputs(text.c_str(), stdout);
  return 0;
}

// Of a database that is there and answers: what it has words for that the files lack.
void warn_of_webhooks(const Settings& settings, Checked& checked) {
  const auto broken = broken_webhooks(settings, *checked.model);
  if (!broken) return;
  for (std::string& line : tell_broken(*broken, {}))
    checked.findings.push_back({Severity::Warning, {{}, std::move(line), {}}, {}});
}

// What is kept beside the files, and what would be done at once. Nothing is wrong with either.
void tell_effects(const Settings& settings, const records::Model& model, const Clock& clock, Random& random) {
  const auto effects = effects_on_data(settings, model, clock, random);
  if (!effects) return;  // as above
  for (const std::string& line : effects->out_of_sight) std::printf("%s\n", line.c_str());
  for (const Effects::Due& due : effects->due)
    if (due.records > 0) std::printf("%s\n", due.line.c_str());
}

// What the entities forbid of rows, as far as it can be seen of each by itself.
int check_rows(const Settings& settings) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) {
    std::fprintf(stderr, "callisto: without entities its records were not checked\n");
    return 0;
  }
  std::size_t problems = 0;
  const int status = read_desk(settings, [&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const auto lost, records::rows_without_partition(connection, model->catalog()));
    problems = lost.size();
    for (const auto& [entity, rows, first] : lost) {
      const std::string record = entity->name + "/" + std::to_string(first);
      std::fprintf(stderr,
                   "%s: %s no Partition, such as %s: only sessions with all partitions see it; an "
                   "administrator gives it one: PUT %s {\"Partition\": 1}\n",
                   entity->name.c_str(),
                   (count_of(static_cast<std::size_t>(rows), "record") + (rows == 1 ? " has" : " have")).c_str(),
                   record.c_str(), record.c_str());
    }
    return {};
  });
  return status == 0 && problems > 0 ? 1 : status;
}

int check_database(const Settings& settings) {
  const auto problems = storage::check_file(settings.database_url());
  if (!problems) {
    print_error(problems.error());
    return 1;
  }
  for (const std::string& problem : *problems) std::fprintf(stderr, "%s\n", problem.c_str());
  if (problems->empty()) std::printf("%s is whole\n", settings.database_url().c_str());
  else
    std::fprintf(stderr,
                 "callisto: %s is damaged. Stop the server and continue with a copy that `callisto backup` made: "
                 "callisto serve --data COPY\n",
                 settings.database_url().c_str());
  return problems->empty() ? check_rows(settings) : 1;
}

}  // namespace

int check(const Settings& settings, const CheckOptions& options) {
  if (options.database) return check_database(settings);
  const SystemClock clock;
  SystemRandom random;
  auto checked = check_desk(settings, clock, random);
  if (!checked) {
    print_error(checked.error());
    return 1;
  }
  if (checked->model) warn_of_webhooks(settings, *checked);
  if (options.format != "text") {
    std::fputs(in_format(options.format, checked->findings).c_str(), stdout);
    return checked->model ? 0 : 1;
  }
  const bool colours = isatty(2) == 1 && !getenv("NO_COLOR");
  std::fputs(to_text(checked->findings, colours).c_str(), stderr);
  if (checked->model && options.matrix) return print_matrix(*checked->model, options.entity);
  if (checked->model && !options.diagram.empty()) return print_diagram(*checked->model, options);
  if (checked->model) tell_effects(settings, *checked->model, clock, random);
  std::fprintf(checked->model ? stdout : stderr, "%s\n", summary_of(*checked).c_str());
  return checked->model ? 0 : 1;
}

}  // namespace callisto::app
