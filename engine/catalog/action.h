// What can be done to records, as scripts/<entity>/{states.lua, actions/*.lua, hooks.lua} say it. Part of the Catalog:
// checked with it as a whole, then immutable. Children inherit states and actions by name and may replace each; files
// with a plus add to them (actions/<name>+<anything>.lua, states+<anything>.lua); hooks run one after the other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::catalog {

struct Entity;
struct Property;

struct State {
  std::string name;  // "Open/Resolved"
  std::string description;
  std::int64_t value = 0;           // what the state property holds
  std::vector<std::string> groups;  // "Open*": a name that `from` may use for several states
  bool initial = false;             // of a new record; exactly one
  bool final = false;               // no action is meant to leave it
  bool imported = false;            // no action leads to it: only imports and rows from elsewhere have it
  std::string file = {};            // where it stands
  int line = 0;
  std::vector<std::string> formerly = {};  // names that it had: a row that is called so gets its name
};

struct StateSet {
  const Property* property = nullptr;  // the lookup or whole number that holds the state
  std::vector<State> states;
  std::string file;
  const State* find(std::int64_t value) const;
  const State* initial() const;
  // The values that a word stands for: a state or a group of that name, else, with a '*' for any characters, all states
  // whose names it matches. Empty: none.
  std::vector<std::int64_t> named(std::string_view word) const;
  std::vector<std::string_view> words() const;  // the names of states and groups
};

// What an action takes beside the record. A parameter of its own, or a property of the entity that this action demands.
struct Parameter {
  const Property* property = nullptr;  // name, type, length, target, default
  bool required = false;
  std::string group;   // at least one of those with this name is required; empty: none
  bool is_own = true;  // false: a property of the entity
  // A property of the entity that the record must have in the end, whether it is given now or was before.
  bool needed = false;
  // A text that is never kept as it came: the script gets the hash of a new one, of the record's current one whether it
  // is that, and one that must be read again sealed, for a sealed property.
  enum class Secret { No, New, Current, Sealed };
  Secret secret = Secret::No;
};

// Who may: by the type of the session, or by a right that its roles have.
inline constexpr std::string_view grantees[] = {"Analyst", "User", "Anonymous", "Administration", "Integration"};

struct Grant {
  enum class Kind { Never, Always, Where };
  Kind kind = Kind::Never;
  std::string filter;  // Where: of the record, in the $filter language
};
using Grants = std::map<std::string, Grant>;  // by grantee

// What one file says of a filter that several make together: for who has to tell the place of a mistake.
struct FilterPart {
  std::string filter;
  std::string file;
  int line = 0;
};

// What a file beside the action's own adds to it. What it says of filters, rights, parameters and events is in the
// Action.
struct Addition {
  std::string name;  // of the file: "close+cost-centre"
  std::string file;
  int line = 0;
  std::vector<const Property*> needs;  // what the record must have in the end
  int before = -1, after = -1;         // (record, input, session), around the action's own code; numbers as `script`
};

// What a request gets back: a record of that entity, or an object of these properties. Neither: the action's own
// record.
struct Answers {
  const Entity* entity = nullptr;
  std::vector<const Property*> properties;
};

struct Action {
  // Read has `allowed` alone: which records a session sees.
  enum class Kind { Read, Create, Update, Delete, Own };
  std::string name;         // path segment: "take-ownership"; "read", "create", "update" and "delete" are those
  std::string pascal_name;  // "TakeOwnership"
  std::string title;        // "Take ownership"
  std::string description;
  Kind kind = Kind::Own;
  bool supported = true;                  // false: the entity does not know it, 405 NotSupported
  bool of_deleted = false;                // is for deleted records, which it brings back
  bool history = true;                    // writes a history row where the entity keeps history
  std::vector<std::int64_t> from;         // states, by value; empty: whatever the state
  std::string offered;                    // a filter that must hold, too; empty: always
  std::string due;                        // a filter: records that satisfy it get the action by themselves; empty: none
  std::map<std::string, Grant> allowed;   // by grantee
  std::optional<std::int64_t> moves_to;   // the state afterwards
  std::vector<std::int64_t> may_move_to;  // states that its code or a hook may set instead
  std::vector<std::string> raises;        // events
  std::vector<Parameter> parameters;
  Answers answers;
  bool is_read() const { return kind == Kind::Read; }
  bool creates() const { return kind == Kind::Create; }
  bool updates() const { return kind == Kind::Update; }
  bool removes() const { return kind == Kind::Delete; }
  bool is_own() const { return kind == Kind::Own; }

  int script = -1;   // run(record, input, session); number in script::Program, -1 none
  std::string file;  // for messages and traces
  int line = 0;
  std::map<std::string, int> lines;  // of its options, where they stand on other lines: "offered", "allowed/User"
  std::vector<Addition> additions;   // in the order in which their code runs
  // By option, of filters that additions have a part in.
  std::map<std::string, std::vector<FilterPart>> parts;
};

// Functions of hooks.lua, by number in script::Program, in the order in which they run: common, parent, child, and of
// each the folders of scripts in their order.
struct Hooks {
  using Chain = std::vector<int>;
  Chain before_create, before_update, before_delete;  // (record, before, session)
  Chain after_create, after_update, after_delete;     // an action of the entity's own is an update
  Chain before_restore, after_restore;                // of one for deleted records
  Chain history;  // (record, before, action, input, session) -> row: the last answers, and may ask the one before it
};

inline constexpr std::pair<std::string_view, Hooks::Chain Hooks::*> hook_names[] = {
    {"before_create", &Hooks::before_create},
    {"before_update", &Hooks::before_update},
    {"before_delete", &Hooks::before_delete},
    {"after_create", &Hooks::after_create},
    {"after_update", &Hooks::after_update},
    {"after_delete", &Hooks::after_delete},
    {"before_restore", &Hooks::before_restore},
    {"after_restore", &Hooks::after_restore},
    {"history", &Hooks::history}};

// What follows from an action's kind alone: a new kind is a row of one table, and code where it acts.
struct ActionTraits {
  Action::Kind kind;
  const char* name;             // of the action; Own: any other
  const char* method;           // HTTP's
  const char* right;            // "call:Create"
  Hooks::Chain Hooks::*before;  // null: none
  Hooks::Chain Hooks::*after;
};
const ActionTraits& traits(Action::Kind kind);
Action::Kind action_kind(std::string_view name);
// Of an action that restores: before_restore and after_restore.
const Hooks::Chain& before_hooks(const Hooks& hooks, const Action& action);
const Hooks::Chain& after_hooks(const Hooks& hooks, const Action& action);

}  // namespace callisto::catalog
