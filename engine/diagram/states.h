// The states of an entity as a diagram: which action leads from which state to which, by the rules and by what actions
// say of where they lead (moves_to, may_move_to). Actions that leave the state as it is are not in it. Pure; any
// thread.
#pragma once

#include "engine/diagram/layout.h"
#include "engine/records/model.h"

#include <string>
#include <vector>

namespace callisto::diagram {

// One line: all actions that somebody may do in `from` and that may lead to `to`.
struct Move {
  const catalog::State* from = nullptr;  // null: the record is not there yet
  const catalog::State* to = nullptr;
  std::vector<const catalog::Action*> actions;  // each is a row of the label
};

struct StateDiagram {
  bool has_start = false;  // the first node of the picture is where records begin; the states follow in their order
  std::vector<Move> moves;
  Picture picture;
  std::size_t node_of(const catalog::Entity& entity, const catalog::State* state) const;
};

inline constexpr int row_height = 24;  // of texts; fingers hit it

// The entity has states.
std::vector<Move> moves_of(const records::Model& model, const catalog::Entity& entity);
StateDiagram diagram_of(const records::Model& model, const catalog::Entity& entity);

// A picture of its own, and the text from which Mermaid (https://mermaid.js.org/syntax/stateDiagram.html) makes one.
std::string to_svg(const records::Model& model, const catalog::Entity& entity);
std::string to_mermaid(const records::Model& model, const catalog::Entity& entity);

}  // namespace callisto::diagram
