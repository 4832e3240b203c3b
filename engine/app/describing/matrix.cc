#include "engine/app/describing/matrix.h"

#include "engine/base/text.h"
#include "engine/records/examine.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace callisto::app {

namespace {

using catalog::Action;
using catalog::Entity;
using records::Chance;

constexpr std::pair<std::string_view, char> marks[] = {
    {"Analyst", 'A'}, {"User", 'U'}, {"Anonymous", 'N'}, {"Administration", 'D'}, {"Integration", 'I'}};

struct Grantees {
  std::set<char> used;
  bool conditional = false;
};

// "A U?": an analyst may, a user where a filter holds as well.
std::string cell(Chance offered, const Action& action, const records::Model& model, const Entity& entity,
                 std::int64_t state, Grantees& grantees) {
  std::string text;
  for (const auto& [grantee, mark] : marks) {
    const Chance chance = std::min(offered, granted_in(model, entity, action, state, grantee));
    if (chance == Chance::Never) continue;
    grantees.used.insert(mark);
    grantees.conditional = grantees.conditional || chance == Chance::Perhaps;
    text += text.empty() ? "" : " ";
    text += mark;
    if (chance == Chance::Perhaps) text += '?';
  }
  return text.empty() ? "." : text;
}

std::string target_of(const Entity& entity, const Action& action) {
  std::vector<std::int64_t> values = action.may_move_to;
  if (action.moves_to) values.insert(values.begin(), *action.moves_to);
  if (action.creates()) values.insert(values.begin(), entity.states->initial()->value);
  std::string text;
  for (const std::int64_t value : values) text += (text.empty() ? "" : " or ") + entity.states->find(value)->name;
  return text;
}

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const records::Model& model, const Entity& entity, Grantees& grantees) {
  Rows rows(1, {"", "(none)"});
  for (const catalog::State& state : entity.states->states) rows[0].push_back(state.name);
  rows[0].emplace_back("moves to");
  for (const Action* action : entity.actions) {
    if (!action->supported || action->of_deleted) continue;
    const bool creates = action->creates();
    rows.push_back({action->name});
    rows.back().push_back(creates ? cell(Chance::Always, *action, model, entity, 0, grantees) : ".");
    for (const catalog::State& state : entity.states->states) {
      const Chance offered = creates ? Chance::Never : offered_in(model, entity, *action, state.value);
      rows.back().push_back(cell(offered, *action, model, entity, state.value, grantees));
    }
    rows.back().push_back(target_of(entity, *action));
  }
  return rows;
}

std::string laid_out(const Rows& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text::length(row[i]));
  std::string all;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      line.append(widths[i] - text::length(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
  }
  return all;
}

std::string legend(const Grantees& grantees) {
  std::string line;
  for (const auto& [grantee, mark] : marks)
    if (grantees.used.count(mark) > 0)
      line += (line.empty() ? "" : ", ") + std::string(1, mark) + " " + std::string(grantee);
  if (grantees.conditional) line += ", ? if a filter holds as well";
  return line.empty() ? line : line + "\n";
}

std::string table_of(const records::Model& model, const Entity& entity) {
  Grantees grantees;
  std::string text = laid_out(rows_of(model, entity, grantees));
  text += legend(grantees);
  for (const Action* action : entity.actions)
    if (action->supported && !action->due.empty()) text += action->name + " happens by itself if " + action->due + "\n";
  return text;
}

}  // namespace

std::string matrix_of(const records::Model& model, const std::vector<const Entity*>& entities) {
  std::vector<std::pair<std::string, std::string>> tables;  // names of entities, their table
  for (const Entity* entity : entities) {
    if (!entity->states || entity->abstract) continue;
    std::string table = table_of(model, *entity);
    const auto same =
        std::find_if(tables.begin(), tables.end(), [&](const auto& each) { return each.second == table; });
    if (same != tables.end()) same->first += ", " + entity->name;
    else tables.emplace_back(entity->name, std::move(table));
  }
  std::string all;
  for (const auto& [names, table] : tables) all += (all.empty() ? "" : "\n") + names + "\n" + table;
  return all;
}

}  // namespace callisto::app
