#include "engine/base/text.h"
#include "engine/catalog/problems.h"
#include "engine/script/load/add_definition.h"
#include "engine/script/load/define.h"
#include "engine/script/load/find_files.h"
#include "engine/script/load/module_files.h"
#include "engine/script/load/written_calls.h"
#include "engine/script/program.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace callisto::script {
namespace {

constexpr std::string_view lua_suffix = ".lua";
constexpr std::string_view common = "common";
constexpr std::string_view session_lists = "session-lists";
constexpr std::string_view stubs = "callisto.d.lua";  // for editors
constexpr std::string_view library_folder = "lib";
constexpr std::string_view spec = "spec";  // tests of the scripts: not of the program
constexpr std::string_view hooks_file = "hooks.lua";
constexpr std::string_view sign_in_file = "sign-in.lua";
constexpr std::string_view scim_file = "scim.lua";

// What a file below an entity's folder defines, by where it stands; nothing where none is due.
std::optional<FileKind> kind_of(const std::vector<std::string_view>& parts) {
  const bool adds = parts.back().find('+') != parts.back().npos;
  if (parts.size() == 3 && parts[0] == common && parts[1] == "calendars") return FileKind::Calendar;
  if (parts.size() == 3 && parts[1] == "augmenters") return adds ? FileKind::AugmenterAddition : FileKind::Augmenter;
  if (parts.size() == 3 && parts[1] == "actions") return adds ? FileKind::ActionAddition : FileKind::Action;
  if (parts.size() == 2 && parts[1] == "states.lua") return FileKind::States;
  if (parts.size() == 2 && parts[1].starts_with("states+")) return FileKind::StatesAddition;
  if (parts.size() == 2 && parts[1] == hooks_file) return FileKind::Hooks;
  return std::nullopt;
}

class Loader {
 public:
  explicit Loader(const catalog::StoredNames* stored) { definitions_.stored = stored; }

  LoadResult run(const std::vector<std::string>& entity_folders, const std::vector<std::string>& script_folders) {
    for (const auto& [relative, paths] : find_files(entity_folders, problems_))
      load_entity_file(relative, paths.back());
    const Files scripts = find_files(script_folders, problems_);
    load_libraries(scripts);
    note_families();
    load_modules(scripts);
    for (const auto& [relative, paths] : scripts) {
      const bool is_chain = are_hooks(relative);
      for (const std::string& path : paths)
        if (is_chain || &path == &paths.back()) load_script_file(relative, path);
    }
    auto built = catalog::build(std::move(definitions_));
    for (catalog::Problem& problem : built.problems)
      problems_.add(std::move(problem.origin), std::move(problem.message), std::move(problem.suggestion));
    if (!problems_.empty()) return {nullptr, problems_.take()};
    program_->catalog = std::move(built.catalog);
    program_->warnings = std::move(built.warnings);
    return {std::move(program_), {}};
  }

 private:
  static bool are_hooks(const std::string& relative) {
    const auto parts = text::split(relative, '/');
    return parts.size() == 2 && parts[1] == hooks_file && parts[0] != library_folder && parts[0] != session_lists;
  }

  void load_entity_file(const std::string& relative, const std::string& path) {
    auto name = name_of(relative, path);
    if (!name) return;
    if (name->find('/') != std::string::npos)
      return problems_.add({path, 0}, "an entity's file belongs in the folder itself, not deeper");
    if (const auto plus = name->find('+'); plus != std::string::npos) return load_addition(name->substr(0, plus), path);
    bool is_common = *name == common;
    if (!is_common) entities_.insert(*name);
    DefinedFile file = read_and_define(path, is_common ? FileKind::Common : FileKind::Entity, *name);
    if (auto* all = std::get_if<Common>(&file.definition)) {
      definitions_.common = std::move(all->properties);
      definitions_.common_indexes = std::move(all->indexes);
    } else if (auto* entity = std::get_if<catalog::EntityDefinition>(&file.definition))
      definitions_.entities.push_back(std::move(*entity));
    else definitions_.unreadable.insert(*name);
  }

  // entities/<entity>+<anything>.lua
  void load_addition(const std::string& entity, const std::string& path) {
    DefinedFile file = read_and_define(path, FileKind::Addition, entity);
    if (auto* addition = std::get_if<catalog::EntityDefinition>(&file.definition))
      definitions_.additions.push_back(std::move(*addition));
    else definitions_.unreadable.insert(entity);
  }

  // scripts/lib/<name>.lua, each after those that it uses. What stands for one with a problem in its text has no
  // members, so that the files that use it do not all say that there is none.
  void load_libraries(const Files& scripts) {
    Libraries found;
    for (const auto& [relative, paths] : scripts) {
      const auto parts = text::split(relative, '/');
      const std::string& path = paths.back();
      if (parts[0] != library_folder || parts.size() == 1) continue;
      if (parts.size() != 2) problems_.add({path, 0}, "a library's file belongs in 'lib' itself, not deeper");
      else if (name_of(relative, path) && read(path)) found.push_back(source_);
    }
    std::vector<catalog::Problem> problems;
    for (Source& each : in_order(std::move(found), problems)) {
      const DefinedFile file = define(each, FileKind::Library, library_name(each), libraries_);
      problems.insert(problems.end(), file.problems.begin(), file.problems.end());
      const bool has_good_name = std::all_of(file.problems.begin(), file.problems.end(),
                                             [](const catalog::Problem& problem) { return problem.origin.line > 0; });
      if (!has_good_name) continue;
      if (!file.problems.empty()) each.text = "return library \"" + library_name(each) + "\" {}";
      libraries_.push_back(each);
      program_->add(std::move(each), {});
    }
    for (catalog::Problem& problem : problems)
      problems_.add(std::move(problem.origin), std::move(problem.message), std::move(problem.suggestion));
  }

  // An entity and what it extends, nearest first, and then common.
  void note_families() {
    std::map<std::string, std::string> parents;
    for (const catalog::EntityDefinition& each : definitions_.entities) parents.emplace(each.name, each.extends);
    for (const std::string& entity : entities_) {
      std::vector<std::string>& family = program_->families[entity];
      for (std::string each = entity; !each.empty() && std::find(family.begin(), family.end(), each) == family.end();) {
        family.push_back(each);
        const auto parent = parents.find(each);
        each = parent == parents.end() ? std::string() : parent->second;
      }
      family.emplace_back(common);
    }
  }

  // scripts/<entity>/lib/<name>.lua
  void load_modules(const Files& scripts) {
    std::map<std::string, Source> found;
    for (const auto& [relative, paths] : scripts) {
      const std::string& path = paths.back();
      const auto parts = text::split(relative, '/');
      if (parts.size() < 3 || parts[1] != library_folder || parts[0] == library_folder || parts[0] == session_lists)
        continue;
      if (parts.size() > 3) problems_.add({path, 0}, "a file that scripts require belongs in 'lib' itself, not deeper");
      else if (is_scope(std::string(parts[0]), path) && name_of(relative, path) && read(path))
        found.insert_or_assign(relative.substr(0, relative.size() - lua_suffix.size()), source_);
    }
    add_modules(*program_, libraries_, found, problems_);
  }

  // scripts/session-lists/<name>.lua, or below an entity's folder
  void load_script_file(const std::string& relative, const std::string& path) {
    auto parts = text::split(relative, '/');
    if (relative == stubs) return;
    if (relative == sign_in_file) return load_sign_in(path);
    if (relative == scim_file) return load_scim(path);
    if (parts.size() == 1)
      return problems_.add({path, 0},
                           "scripts belong in the folder of their entity, or in 'common', 'lib' or 'session-lists'",
                           catalog::did_you_mean(relative, {sign_in_file, scim_file}));
    std::string scope(parts[0]);
    if (scope == library_folder) return;
    if (scope == session_lists) return load_session_file(parts, path);
    if (parts[1] == spec) return check_spec_name(path);
    if (!is_scope(scope, path) || parts[1] == library_folder) return;
    auto kind = kind_of(parts);
    if (!kind)
      return problems_.add(
          {path, 0},
          parts[1] == "calendars" ? "calendars belong in 'common/calendars', for every entity"
                                  : "only 'augmenters/Name.lua', 'actions/name.lua', 'states.lua', 'hooks.lua', 'lib' "
                                    "and 'spec' are known below an entity's folder",
          parts[1].starts_with("hooks+") ? "call it hooks.lua in a folder of yours: the hooks of all folders run"
                                         : catalog::did_you_mean(parts[1], {"augmenters", "actions", "states.lua",
                                                                            hooks_file, library_folder, spec}));
    auto name = name_of(std::string(parts.back()), path);
    if (!name) return;
    const std::string stem = name->substr(0, name->find('+'));  // what an addition adds to
    DefinedFile file = read_and_define(path, *kind, stem, scope);
    const bool is_unreadable = file.definition.index() == 0;
    if (is_unreadable && parts[1].starts_with("states")) definitions_.unreadable.insert(scope + "/states");
    if (is_unreadable && parts.size() == 3) definitions_.unreadable_rules.insert(stem);
    if (*kind == FileKind::ActionAddition || *kind == FileKind::AugmenterAddition || *kind == FileKind::StatesAddition)
      add_addition(scope, *name, source_, file, definitions_, *program_);
    else add_definition(scope, source_, file, definitions_, *program_, problems_);
  }

  void load_session_file(const std::vector<std::string_view>& parts, const std::string& path) {
    if (parts.size() != 2)
      return problems_.add({path, 0}, "a session list's file belongs in 'session-lists' itself, not deeper");
    auto name = name_of(std::string(parts.back()), path);
    if (!name) return;
    if (std::find(std::begin(session_words), std::end(session_words), *name) != std::end(session_words))
      problems_.add({path, 0}, "session." + *name + " is something else; give the list another name");
    DefinedFile file = read_and_define(path, FileKind::SessionList, *name);
    if (auto* list = std::get_if<SessionList>(&file.definition)) program_->session_lists.push_back(std::move(*list));
  }

  // scripts/sign-in.lua
  void load_sign_in(const std::string& path) {
    DefinedFile file = read_and_define(path, FileKind::SignIn, "sign_in");
    auto* rule = std::get_if<SignInRule>(&file.definition);
    if (!rule) return;
    if (entities_.count(std::string(catalog::system::person_entity)) == 0)
      problems_.add(rule->origin, "there is no entity '" + std::string(catalog::system::person_entity) +
                                      "', so that nobody can sign in");
    if (!file.functions.empty()) rule->script = program_->add(source_, file.functions);
    program_->sign_in = std::move(*rule);
  }

  // scripts/scim.lua; what its words mean, scim::bind checks.
  void load_scim(const std::string& path) {
    DefinedFile file = read_and_define(path, FileKind::Scim, "scim");
    if (auto* resources = std::get_if<std::vector<ScimResource>>(&file.definition))
      program_->scim = std::move(*resources);
  }

  void check_spec_name(const std::string& path) {
    if (path.ends_with(lua_suffix) && !path.ends_with(spec_suffix))
      problems_.add({path, 0}, "a spec's name ends in " + std::string(spec_suffix) + "; this one would never run");
  }

  bool is_scope(const std::string& scope, const std::string& path) {
    if (scope == common || entities_.count(scope) > 0) return true;
    if (!reported_scopes_.insert(scope).second) return false;
    std::vector<std::string_view> known(entities_.begin(), entities_.end());
    known.insert(known.end(), {common, library_folder, session_lists});
    problems_.add({path, 0}, "the folder " + text::quoted(scope) + " is not named after an entity",
                  catalog::did_you_mean(scope, known));
    return false;
  }

  std::optional<std::string> name_of(const std::string& relative, const std::string& path) {
    if (relative.size() > lua_suffix.size() && relative.ends_with(lua_suffix))
      return relative.substr(0, relative.size() - lua_suffix.size());
    problems_.add({path, 0}, "is no '.lua' file");
    return std::nullopt;
  }

  bool read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    source_ = {path, std::string(std::istreambuf_iterator<char>(in), {})};
    if (in.is_open() && !in.bad()) return true;
    problems_.add({path, 0}, "the file cannot be read");
    return false;
  }

  // `folder`: of an entity's scripts, whose files may require others.
  DefinedFile read_and_define(const std::string& path, FileKind kind, const std::string& name,
                              const std::string& folder = {}) {
    if (!read(path)) return {};
    const std::size_t known = problems_.count();
    if (!folder.empty()) source_.required = resolve_required(*program_, libraries_, folder, source_, problems_);
    if (problems_.count() > known) return {};  // run without what it requires it would fail by that alone
    DefinedFile file = define(source_, kind, name, libraries_, program_->modules);
    note_searches();
    for (catalog::Problem& problem : file.problems)
      problems_.add(std::move(problem.origin), std::move(problem.message), std::move(problem.suggestion));
    return file;
  }

  void note_searches() {
    for (WrittenSearch& each : find_searches(source_.text))
      program_->queries.push_back({std::move(each.entity), std::move(each.filter), {source_.file, each.line}});
  }

  catalog::Problems problems_;
  catalog::Definitions definitions_;
  std::shared_ptr<Program> program_ = std::make_shared<Program>();
  std::set<std::string> entities_;  // names of the files, whatever they hold
  std::set<std::string> reported_scopes_;
  Source source_;  // the file that was read last
  Libraries libraries_;
};

}  // namespace

LoadResult load(const std::vector<std::string>& entity_folders, const std::vector<std::string>& script_folders,
                const catalog::StoredNames* stored) {
  return Loader(stored).run(entity_folders, script_folders);
}

}  // namespace callisto::script
