// Program: everything that the Lua folders say, loaded and checked: the catalog, and the code of augmenters, actions
// and hooks as text that each State compiles for itself. Immutable once loaded; any thread may read it. LuaJIT stays
// inside this folder.
#pragma once

#include "engine/base/working_calendar.h"
#include "engine/catalog/builder.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

// A fact about the session that a data file asks for (scripts/session-lists/groups.lua): the values of `select` over
// the rows of `entity` that satisfy `where`, as session.<name> in Lua.
struct SessionList {
  std::string name, entity, where, select;
  catalog::Origin origin;
};
constexpr std::string_view session_words[] = {"id",     "user_id",    "type",
                                              "person", "partitions", "may"};  // of every session

// Who is whom that an identity provider vouches for (scripts/sign-in.lua): a function of the provider's claims.
struct SignInRule {
  std::vector<std::string> claims;  // which it reads, beside `iss` and `sub`
  std::vector<std::string> gives;   // the roles that it gives and takes
  int script = -1;
  catalog::Origin origin;
};

// Which records a SCIM client provisions (scripts/scim.lua): a resource type of RFC 7643, by an entity's properties.
struct ScimResource {
  std::string name;  // "User", "Group"
  std::string entity;
  std::map<std::string, std::string> attributes;  // "name.givenName" to a property
  std::map<std::string, std::string> otherwise;   // a property that a new record lacks to the attribute that it takes
  // Of a Group: the entity that says who belongs to it, its lookup of the group, and that of the member.
  std::string members, group, member;
  catalog::Origin origin;
  catalog::Lines lines;
};

struct Source {
  std::string file;  // as named in messages
  std::string text;
  std::map<std::string, std::size_t> required = {};  // its `require`, by name: number in Program::modules
};

// A search that code asks for in literals: desk.search("call", "State == ?"), to be checked before it runs.
struct WrittenQuery {
  std::string entity, filter;
  catalog::Origin origin;  // of the filter
};

// A function that a definition holds.
struct Function {
  std::size_t source;  // number in Program::sources
  std::string option;  // "value", "run", "before_create"
};

using Calendars = std::map<std::string, WorkingCalendar, std::less<>>;  // by name

struct Program {
  std::shared_ptr<const catalog::Catalog> catalog;
  std::vector<Source> sources;      // files whose definitions hold code
  std::vector<Function> functions;  // Augmenter::script, Action::script and Hooks count in here
  std::vector<SessionList> session_lists;
  Calendars calendars;
  std::vector<Source> modules;  // what `require` gives: <entity>/lib/<name>.lua, each behind those that it requires
  std::map<std::string, std::size_t> module_numbers;         // by "call/lib/hours"
  std::map<std::string, std::vector<std::string>> families;  // of an entity: itself and what it extends, nearest first
  std::vector<WrittenQuery> queries;

  std::vector<const Source*> all_sources() const;  // with the modules
  std::vector<catalog::Problem> warnings;          // of what was loaded as it stands

  std::optional<SignInRule> sign_in;  // nothing: the desk has no such file
  std::vector<ScimResource> scim;

  int add(Source source, const std::vector<std::string>& options);  // the number of the first of its functions
};

struct LoadResult {
  std::shared_ptr<const Program> program;  // null when there are problems
  std::vector<catalog::Problem> problems;  // all of them, by file and line
};

inline constexpr std::string_view spec_suffix = "_spec.lua";  // of files in a folder `spec`, which tests run

// A spec with what it requires; it lies in <folder>/spec and finds what the scripts of that folder do.
Source spec_source(const Program& program, std::string file, std::string text);

// Loads entities/*.lua of every entities folder, scripts/<entity>/... of every scripts folder; later folders override
// earlier ones, file by file (the same relative name). Does not bind filters: the caller does, with query::bind.
// `stored`: see catalog::Definitions.
LoadResult load(const std::vector<std::string>& entity_folders, const std::vector<std::string>& script_folders,
                const catalog::StoredNames* stored = nullptr);

// What editors, merges and file systems left in these folders (call.lua~), which load() passes over: for `check`.
std::vector<catalog::Problem> left_behind_in(const std::vector<std::string>& folders);

// The first line at or after `from` on which `word` stands as the name of an option (word = ...) or as a text in
// quotes; `from` where there is none.
int find_line(std::string_view source, std::string_view word, int from, bool as_option);

}  // namespace callisto::script
