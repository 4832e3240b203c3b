#include "engine/script/load/module_files.h"

#include "engine/base/text.h"
#include "engine/script/library/modules.h"
#include "engine/script/load/define.h"
#include "engine/script/load/written_calls.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace callisto::script {
namespace {

constexpr std::string_view common = "common";
constexpr std::string_view prefix = "lib.";

std::vector<std::string> family_of(const Program& program, std::string_view folder) {
  const auto known = program.families.find(std::string(folder));
  return known == program.families.end() ? std::vector<std::string>{std::string(common)} : known->second;
}

// "lib.hours" in a file of call -> "call/lib/hours", "common/lib/hours"
std::vector<std::string> places_of(const Program& program, std::string_view folder, const std::string& name) {
  std::vector<std::string> places;
  if (!name.starts_with(prefix)) return places;
  for (const std::string& each : family_of(program, folder))
    places.push_back(each + "/lib/" + name.substr(prefix.size()));
  return places;
}

bool is_library(const Libraries& libraries, const std::string& name) {
  return name.starts_with(prefix) && std::any_of(libraries.begin(), libraries.end(), [&](const Source& each) {
           return library_name(each) == name.substr(prefix.size());
         });
}

// What a file of that folder could require.
std::vector<std::string> names_for(const Program& program, std::string_view folder, const Libraries& libraries) {
  std::vector<std::string> names;
  for (const auto& [place, number] : program.module_numbers)
    for (const std::string& each : family_of(program, folder))
      if (place.starts_with(each + "/lib/")) names.push_back(std::string(prefix) + place.substr(each.size() + 5));
  for (const Source& each : libraries) names.push_back(std::string(prefix) + library_name(each));
  return names;
}

void tell_unknown(const Program& program, const Libraries& libraries, std::string_view folder, const Source& source,
                  const WrittenRequire& required, catalog::Problems& problems) {
  const catalog::Origin origin{source.file, required.line};
  if (required.name.empty())
    return problems.add(origin, "'require' takes the name of a file in 'lib', written out",
                        "write require \"lib.hours\", which is lib/hours.lua");
  const auto names = names_for(program, folder, libraries);
  std::string near = catalog::did_you_mean(required.name, {names.begin(), names.end()});
  const std::string file = required.name.starts_with(prefix) ? required.name.substr(prefix.size()) : required.name;
  if (near.empty())
    near = "put it into " + std::string(folder) + "/lib/" + file + ".lua, and write \"lib." + file + "\"";
  problems.add(origin,
               "require: there is no " + text::quoted(required.name) + " for the scripts of " + std::string(folder),
               std::move(near));
}

// Adds modules in the order in which they can run.
class Adder {
 public:
  Adder(Program& program, const Libraries& libraries, const std::map<std::string, Source>& files,
        catalog::Problems& problems)
      : program_(program), libraries_(libraries), files_(files), problems_(problems) {}

  void run() {
    for (const auto& [place, source] : files_) add(place);
  }

 private:
  void add(const std::string& place) {
    if (program_.module_numbers.count(place) != 0 || broken_.count(place) != 0) return;
    way_.push_back(place);
    Source source = files_.at(place);
    const std::string folder = place.substr(0, place.find('/'));
    bool is_whole = true;
    for (const WrittenRequire& required : find_required(source.text))
      is_whole = add_required(folder, source, required) && is_whole;
    way_.pop_back();
    if (is_whole) source.required = resolve_required(program_, libraries_, folder, source, problems_);
    if (is_whole) finish(place, std::move(source));
    else broken_.insert(place);
  }

  // Whether it is there by now, or is nobody's: that is told by resolve_required.
  bool add_required(const std::string& folder, const Source& source, const WrittenRequire& required) {
    for (const std::string& place : places_of(program_, folder, required.name)) {
      if (files_.count(place) == 0) continue;
      if (const auto at = std::find(way_.begin(), way_.end(), place); at != way_.end()) {
        std::string cycle;
        for (auto each = at; each != way_.end(); ++each) cycle += *each + " -> ";
        problems_.add({source.file, required.line}, "require: " + cycle + place + ": these lead back to themselves",
                      "move what they share into a file of its own");
        return false;
      }
      add(place);
      return broken_.count(place) == 0;
    }
    return true;
  }

  void finish(const std::string& place, Source source) {
    DefinedFile file =
        define(source, FileKind::Module, place.substr(place.rfind('/') + 1), libraries_, program_.modules);
    for (catalog::Problem& problem : file.problems)
      problems_.add(std::move(problem.origin), std::move(problem.message), std::move(problem.suggestion));
    if (!file.problems.empty()) source.text = "return {}";  // so that those that require it do not all say so
    program_.module_numbers.emplace(place, program_.modules.size());
    program_.modules.push_back(std::move(source));
  }

  Program& program_;
  const Libraries& libraries_;
  const std::map<std::string, Source>& files_;
  catalog::Problems& problems_;
  std::vector<std::string> way_;
  std::set<std::string> broken_;
};

}  // namespace

std::map<std::string, std::size_t> resolve_required(const Program& program, const Libraries& libraries,
                                                    std::string_view folder, const Source& source,
                                                    catalog::Problems& problems) {
  std::map<std::string, std::size_t> found;
  for (const WrittenRequire& required : find_required(source.text)) {
    std::optional<std::size_t> number;
    for (const std::string& place : places_of(program, folder, required.name))
      if (const auto known = program.module_numbers.find(place); known != program.module_numbers.end() && !number)
        number = known->second;
    if (!number && is_library(libraries, required.name)) number = library_number;
    if (number) found.emplace(required.name, *number);
    else tell_unknown(program, libraries, folder, source, required, problems);
  }
  return found;
}

void add_modules(Program& program, const Libraries& libraries, const std::map<std::string, Source>& files,
                 catalog::Problems& problems) {
  Adder(program, libraries, files, problems).run();
}

Source spec_source(const Program& program, std::string file, std::string text) {
  Source source{std::move(file), std::move(text)};
  const auto parts = text::split(source.file, '/');
  catalog::Problems problems;  // of a name that means nothing: the spec fails where it requires it
  if (parts.size() > 2)
    source.required = resolve_required(program, libraries_of(program), parts[parts.size() - 3], source, problems);
  return source;
}

}  // namespace callisto::script
