#include "engine/app/describing/effects.h"

#include "engine/app/opening/load.h"
#include "engine/base/text.h"
#include "engine/records/due_actions.h"
#include "engine/records/schema.h"
#include "engine/records/stored.h"

#include <filesystem>

namespace callisto::app {

namespace {

std::string count_of(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? " is" : "s are");
}

std::string line_of(const records::Unseen& unseen) {
  const auto mend = [](const std::string& name) {
    return "say formerly = " + ('"' + name + '"') + " if it has another name now, or define it again";
  };
  constexpr const char* kept = " kept and out of sight: no file has ";
  switch (unseen.kind) {
    case records::Unseen::Kind::Column:
      return unseen.entity + ": " + count_of(unseen.count, "value") + kept + "property " + unseen.name + "; " +
             mend(unseen.name);
    case records::Unseen::Kind::RowsOfType:
      return unseen.entity + ": " + count_of(unseen.count, "row") + kept + "entity " + unseen.name + "; " +
             mend(unseen.name);
    case records::Unseen::Kind::Table:
      break;
  }
  return count_of(unseen.count, "row") + kept + "entity " + unseen.entity + "; " + mend(unseen.entity);
}

std::string line_of(const records::Model::Due& due, std::size_t count) {
  return "due at once: " + due.action->name + " of " + due.entity->name + ", on " + std::to_string(count) +
         (count == 1 ? " record" : " records");
}

// By rules that know tables and columns as they are called now.
Result<std::vector<Effects::Due>> what_is_due(const Settings& settings, storage::Connection& connection,
                                              const catalog::StoredNames& stored, const Clock& clock, Random& random) {
  CALLISTO_TRY(const auto read, read_model(settings, clock, random, &stored));
  std::vector<Effects::Due> lines;
  if (!read.model) return lines;
  CALLISTO_TRY(const auto scripts, script::State::create(read.model->program, script_budget(settings), clock, random));
  for (const records::Model::Due& due : read.model->due) {
    const auto table = stored.tables.find(due.entity->root().table.text());
    const bool is_there = table == stored.tables.end() || !table->second.name.text().empty();
    const auto records =
        is_there ? records::count_due(*read.model, due, connection, *scripts) : Result<std::size_t>(std::size_t{0});
    if (records) lines.push_back({line_of(due, *records), *records});
    else
      lines.push_back(
          {"due at once: " + due.action->name + " of " + due.entity->name +
               ", on records that cannot be counted before the reload: " + words_for_operator(records.error()),
           1});
  }
  return lines;
}

}  // namespace

Result<Effects> effects_on_data(const Settings& settings, const records::Model& model, const Clock& clock,
                                Random& random) {
  constexpr std::string_view scheme = "sqlite:";
  const std::string url = settings.database_url();
  if (url.starts_with(scheme) && !std::filesystem::exists(url.substr(scheme.size()))) return Effects();
  CALLISTO_TRY(const auto database, storage::Database::open({.url = url, .read_only = true}));
  CALLISTO_TRY(const auto connection, database->connect_reader());
  const auto tables = records::tables_of(model.catalog());
  Effects effects;
  CALLISTO_TRY(const auto unseen, records::unseen(*connection, model.catalog(), tables));
  for (const records::Unseen& each : unseen) effects.out_of_sight.push_back(line_of(each));
  CALLISTO_TRY(const auto stored, records::stored_names(*connection, tables));
  CALLISTO_TRY(effects.due, what_is_due(settings, *connection, stored, clock, random));
  return effects;
}

}  // namespace callisto::app
