#include "engine/diagram/states.h"

#include "engine/base/text.h"
#include "engine/records/examine.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace callisto::diagram {

namespace {

using catalog::Action;
using catalog::Entity;
using catalog::State;

constexpr int state_height = 52, start_size = 18, padding = 14;

// At least as wide as fonts of 13 pixels are: the reader's is not known here.
int width_of(std::string_view text) {
  int tenths = 0;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if ((byte & 0xC0U) == 0x80U) continue;  // the rest of a character
    if (byte >= 0xE1U) tenths += 138;       // from U+1000 on: many are square
    else if (std::string_view("iIjl.,:;'|!()[]/ ").find(each) != std::string_view::npos) tenths += 55;
    else if (std::string_view("mwMW@%").find(each) != std::string_view::npos) tenths += 130;
    else tenths += byte >= 'a' && byte <= 'z' ? 83 : 95;
  }
  return (tenths + 9) / 10;
}

std::vector<const State*> targets_of(const Entity& entity, const Action& action) {
  std::set<std::int64_t> values(action.may_move_to.begin(), action.may_move_to.end());
  if (action.moves_to) values.insert(*action.moves_to);
  if (action.creates()) values.insert(entity.states->initial()->value);
  std::vector<const State*> states;
  for (const State& state : entity.states->states)
    if (values.count(state.value) > 0) states.push_back(&state);
  return states;
}

bool somebody_may(const records::Model& model, const Entity& entity, const Action& action, const State* from) {
  using records::Chance;
  if (from && offered_in(model, entity, action, from->value) == Chance::Never) return false;
  return std::any_of(std::begin(catalog::grantees), std::end(catalog::grantees), [&](const auto grantee) {
    return granted_in(model, entity, action, from ? from->value : 0, grantee) != Chance::Never;
  });
}

void add(std::vector<Move>& moves, const State* from, const State* to, const Action& action) {
  const auto found =
      std::find_if(moves.begin(), moves.end(), [&](const Move& each) { return each.from == from && each.to == to; });
  if (found == moves.end()) moves.push_back({from, to, {&action}});
  else found->actions.push_back(&action);
}

Size label_of(const Move& move) {
  int width = 0;
  for (const Action* action : move.actions) width = std::max(width, width_of(action->title));
  return {width + padding, static_cast<int>(move.actions.size()) * row_height + 2};
}

}  // namespace

std::vector<Move> moves_of(const records::Model& model, const Entity& entity) {
  std::vector<Move> moves;
  const auto add_all = [&](const State* from) {
    for (const Action* action : entity.actions) {
      if (!action->supported || action->of_deleted || action->creates() != (from == nullptr)) continue;
      const auto targets = targets_of(entity, *action);
      if (targets.empty() || !somebody_may(model, entity, *action, from)) continue;
      for (const State* to : targets) add(moves, from, to, *action);
    }
  };
  add_all(nullptr);
  for (const State& state : entity.states->states) add_all(&state);
  return moves;
}

std::size_t StateDiagram::node_of(const Entity& entity, const State* state) const {
  if (!state) return 0;
  return static_cast<std::size_t>(state - entity.states->states.data()) + (has_start ? 1 : 0);
}

StateDiagram diagram_of(const records::Model& model, const Entity& entity) {
  StateDiagram diagram;
  diagram.moves = moves_of(model, entity);
  diagram.has_start = !diagram.moves.empty() && !diagram.moves.front().from;
  Graph graph;
  if (diagram.has_start) graph.nodes.push_back({start_size, start_size});
  // Twice the padding, since names are bold; the lower row is for the number of records.
  for (const State& state : entity.states->states)
    graph.nodes.push_back({std::max(width_of(state.name) * 11 / 10 + 2 * padding, 104), state_height});
  for (const Move& move : diagram.moves)
    graph.edges.push_back({diagram.node_of(entity, move.from), diagram.node_of(entity, move.to), label_of(move)});
  diagram.picture = lay_out(graph);
  return diagram;
}

}  // namespace callisto::diagram
