#include "engine/api/answers/state_diagram.h"

#include "engine/diagram/path.h"
#include "engine/diagram/states.h"

namespace callisto::api {

namespace {

void write_box(json::Writer& writer, const diagram::Box& box) {
  writer.key("x").integer(box.x).key("y").integer(box.y).key("width").integer(box.width).key("height").integer(
      box.height);
}

void write_state(json::Writer& writer, std::string_view key, const catalog::State* state) {
  writer.key(key);
  if (state) writer.string(state->name);
  else writer.null();
}

void write_move(json::Writer& writer, const diagram::Move& move, const diagram::Line& line) {
  writer.begin_object();
  write_state(writer, "from", move.from);
  write_state(writer, "to", move.to);
  writer.key("actions").begin_array();
  for (const catalog::Action* action : move.actions) writer.string(action->pascal_name);
  writer.end_array();
  writer.key("path").string(path_of(line)).key("tip").string(tip_of(line));
  writer.key("label").begin_object();
  write_box(writer, line.label);
  writer.end_object().end_object();
}

}  // namespace

void write_diagram(json::Writer& writer, const records::Model& model, const catalog::Entity& entity) {
  if (!entity.states) return;
  const diagram::StateDiagram drawn = diagram::diagram_of(model, entity);
  writer.key("diagram").begin_object();
  writer.key("width").integer(drawn.picture.size.width).key("height").integer(drawn.picture.size.height);
  writer.key("states").begin_array();
  const auto box = [&](const catalog::State* state) {
    writer.begin_object();
    write_state(writer, "state", state);
    write_box(writer, drawn.picture.nodes[drawn.node_of(entity, state)]);
    writer.end_object();
  };
  if (drawn.has_start) box(nullptr);
  for (const catalog::State& state : entity.states->states) box(&state);
  writer.end_array();
  writer.key("moves").begin_array();
  for (std::size_t i = 0; i < drawn.moves.size(); ++i) write_move(writer, drawn.moves[i], drawn.picture.lines[i]);
  writer.end_array().end_object();
}

}  // namespace callisto::api
