#include "engine/diagram/states.h"

namespace callisto::diagram {

namespace {

using catalog::Entity;
using catalog::State;

// Mermaid's own entities, for what its grammar takes for itself.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char each : text) {
    const bool is_plain = static_cast<unsigned char>(each) >= 0x80U || (each >= '0' && each <= '9') ||
                          (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z') || each == ' ' || each == '/' ||
                          each == '-' || each == '_' || each == '.' || each == ',';
    if (is_plain) out += each;
    else out += "#" + std::to_string(static_cast<int>(each)) + ";";
  }
  return out;
}

std::string id_of(const Entity& entity, const State* state) {
  return state ? "s" + std::to_string(state - entity.states->states.data()) : "[*]";
}

}  // namespace

std::string to_mermaid(const records::Model& model, const Entity& entity) {
  std::string text = "stateDiagram-v2\n";
  for (const State& state : entity.states->states)
    text += "  state \"" + escaped(state.name) + "\" as " + id_of(entity, &state) + "\n";
  for (const Move& move : moves_of(model, entity)) {
    std::string label;
    for (const catalog::Action* action : move.actions) label += (label.empty() ? "" : ", ") + escaped(action->title);
    text += "  " + id_of(entity, move.from) + " --> " + id_of(entity, move.to) + " : " + label + "\n";
  }
  for (const State& state : entity.states->states)
    if (state.final) text += "  " + id_of(entity, &state) + " --> [*]\n";
  return text;
}

}  // namespace callisto::diagram
