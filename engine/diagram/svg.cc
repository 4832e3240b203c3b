#include "engine/base/html.h"
#include "engine/diagram/path.h"
#include "engine/diagram/states.h"

namespace callisto::diagram {

namespace {

using catalog::Entity;
using catalog::State;

constexpr HtmlLiteral style =
    "<style>svg{color-scheme:light dark;font:13px system-ui,sans-serif;text-anchor:middle;--card:#fff;--text:#1a1d2b;"
    "--edge:#868ca3;--accent:#4557d6;--state:#e2e6fb}"
    "@media(prefers-color-scheme:dark){svg{--card:#191c29;--text:#eceef7;--edge:#6d748f;--accent:#8c9bff;--state:#"
    "252b50}}"
    ".page,.label{fill:var(--card)}.line{fill:none;stroke:var(--edge);stroke-width:1.5}.tip{fill:var(--edge)}"
    ".state{fill:var(--state);stroke:var(--accent);stroke-width:1.5}.final{stroke-width:4}.start{fill:var(--text)}"
    "text{fill:var(--text)}.name{font-weight:600}</style>\n";

class Drawer {
 public:
  Html text;

  Drawer& operator<<(HtmlLiteral literal) {
    text << literal;
    return *this;
  }
  Drawer& operator<<(int number) {
    text.text(std::to_string(number));
    return *this;
  }

  void rectangle(const Box& box) {
    *this << "x=\"" << box.x << "\" y=\"" << box.y << "\" width=\"" << box.width << "\" height=\"" << box.height
          << "\"/>\n";
  }

  void row(const Box& box, int row, int rows, std::string_view words) {
    const int first = box.y + box.height / 2 - rows * row_height / 2;
    *this << "x=\"" << box.x + box.width / 2 << "\" y=\"" << first + row * row_height + row_height - 7 << "\">";
    text.text(words);
    *this << "</text>\n";
  }

  void line(const Line& line) {
    *this << "<path class=\"line\" d=\"";
    text.text(path_of(line));
    *this << "\"/>\n<path class=\"tip\" d=\"";
    text.text(tip_of(line));
    *this << "\"/>\n";
  }
};

void draw_states(Drawer& out, const Entity& entity, const StateDiagram& diagram) {
  if (diagram.has_start) {
    out << "<rect class=\"start\" rx=\"9\" ";
    out.rectangle(diagram.picture.nodes.front());
  }
  for (const State& state : entity.states->states) {
    const Box& box = diagram.picture.nodes[diagram.node_of(entity, &state)];
    if (state.final) out << "<rect class=\"state final\" rx=\"10\" ";
    else out << "<rect class=\"state\" rx=\"10\" ";
    out.rectangle(box);
    out << "<text class=\"name\" ";
    out.row(box, 0, 1, state.name);
  }
}

}  // namespace

std::string to_svg(const records::Model& model, const Entity& entity) {
  const StateDiagram diagram = diagram_of(model, entity);
  const Size size = diagram.picture.size;
  Drawer out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" << size.width << "\" height=\""
      << size.height << "\" viewBox=\"0 0 " << size.width << " " << size.height << "\">\n<title>";
  out.text.text(entity.name);
  out << "</title>\n" << style << "<rect class=\"page\" ";
  out.rectangle({0, 0, size.width, size.height});
  for (const Line& line : diagram.picture.lines) out.line(line);
  draw_states(out, entity, diagram);
  for (std::size_t i = 0; i < diagram.moves.size(); ++i) {
    const Box& box = diagram.picture.lines[i].label;
    out << "<rect class=\"label\" ";
    out.rectangle(box);
    const auto& actions = diagram.moves[i].actions;
    for (std::size_t row = 0; row < actions.size(); ++row) {
      out << "<text ";
      out.row(box, static_cast<int>(row), static_cast<int>(actions.size()), actions[row]->title);
    }
  }
  out << "</svg>\n";
  return out.text.str();
}

}  // namespace callisto::diagram
