#include "engine/testing/walk/event_names.h"

#include "engine/catalog/naming.h"

#include <string_view>

namespace callisto::testing {

namespace {

constexpr std::string_view quotes = "\"'";

void add_texts(std::string_view code, std::set<std::string>& names) {
  for (std::size_t at = code.find_first_of(quotes); at != code.npos; at = code.find_first_of(quotes, at)) {
    const std::size_t end = code.find_first_of(quotes, at + 1);
    const std::string_view text = code.substr(at + 1, end - at - 1);
    if (catalog::is_pascal_name(text)) names.emplace(text);
    ++at;  // what ends one may begin another: a quote in a comment ends nothing
  }
}

}  // namespace

std::set<std::string> event_names(const script::Program& program) {
  std::set<std::string> names;
  for (const auto& entity : program.catalog->entities())
    for (const catalog::Action* action : entity->actions) names.insert(action->raises.begin(), action->raises.end());
  for (const script::Source* each : program.all_sources())
    if (each->text.find("raise") != std::string::npos) add_texts(each->text, names);
  return names;
}

}  // namespace callisto::testing
