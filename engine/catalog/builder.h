// Builder: definitions in, a checked Catalog out, or every problem at once. It resolves `extends` and lookups, gives
// every entity the common properties, derives tables, columns, summaries and sub-resources, hands down augmenters,
// states, actions and hooks, and refuses mistakes: unknown or repeated names, cycles, wrong options for a type.
//
// Requires: one thread; use once. Invariants: a Catalog without problems has no name that leads nowhere.
#pragma once

#include "engine/catalog/catalog.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace callisto::catalog {

struct StoredNames;

struct Problem {
  Origin origin;
  std::string message;     // "unknown entity 'parson' in lookup 'User'"
  std::string suggestion;  // "did you mean 'person'?"; may be empty
  // Where a filter is at fault: its text, and the place in it in characters from 1 (0: no single one).
  std::string filter = {};
  std::size_t position = 0;
};
std::string to_string(const Problem& problem);  // "file:line: message; did you mean ...?"

// Where the words of a definition stand, where that is another line than its first: an option by its name ("extends"),
// a word of a list as "summary/Name". Words that are not here stand on the definition's own line.
using Lines = std::map<std::string, int>;

// A property as its file says it; names still unresolved.
struct PropertyDefinition {
  Property property;          // target, owner, mirror_of, column are filled in by the Builder
  std::string target_entity;  // Lookup
  std::string mirror;         // name of the lookup it mirrors
  Lines lines;
};

struct EntityDefinition {
  std::string name;
  std::string extends;    // empty: none
  std::string right;      // who works with its records; empty: that of what it extends, else analysts
  std::string writers;    // who creates, updates, deletes; empty: that of what it extends, else as `right` says
  std::string core_type;  // empty: that of what it extends
  std::string display_name;
  std::string description;
  std::vector<std::string> formerly;  // names that it had
  Status status = Status::GA;
  bool abstract = false, top_level = false, partitioned = false, history = false, attachments = false, deletable = true;
  std::vector<PropertyDefinition> properties;
  std::string label;  // empty: that of what it extends, else a text of the summary
  std::vector<std::string> summary;
  std::map<std::string, std::string> query_aliases;  // Ref -> TicketId: accepted in queries only
  struct SubResourceDefinition {
    std::string name, entity, link, type_link;
    Origin origin;
  };
  std::vector<SubResourceDefinition> sub_resources;
  struct IndexDefinition {
    std::vector<std::string> properties;  // "State", "LoggedDate desc"
    std::vector<std::string> covers;
    std::string where;  // "ClosedDate != null"; empty: all rows
    Origin origin;
    Lines lines;
  };
  std::vector<IndexDefinition> indexes;
  std::vector<PropertyDefinition> fields;  // of an addition: name, read, write and place of properties that are there
  Origin origin;
  Lines lines;
};

// entities/common.lua
struct CommonDefinition {
  std::vector<PropertyDefinition> properties;
  std::vector<EntityDefinition::IndexDefinition> indexes;
};

struct AugmenterDefinition {
  std::string entity;  // folder below scripts/; "common": every entity
  Augmenter augmenter;
  std::string also, only;  // of an addition to a condition: filters that make it hold as well, or must hold too
  int after = -1;          // of an addition to any other: code that gets its value and returns another
  Lines lines;
};

// scripts/<entity>/states.lua
struct StateSetDefinition {
  std::string entity;    // folder below scripts/
  std::string property;  // name of what holds the state
  struct StateDefinition {
    State state;
    bool has_value = true;  // false: of an addition, which gives more groups to a state that is there
    Origin origin;
    Lines lines;
  };
  std::vector<StateDefinition> states;
  Origin origin;
};

// scripts/<entity or common>/actions/<name>.lua, or <name>+<anything>.lua, which adds to it
struct ActionDefinition {
  struct ParameterDefinition {
    PropertyDefinition property;  // of a property of the entity: name and place only
    bool required = false, is_own = true;
    std::string group;
    Parameter::Secret secret = Parameter::Secret::No;
  };
  std::string entity;
  Action action;  // from, moves_to, parameters and answers are filled in by the Builder, for each entity
  std::vector<std::string> from;         // states and groups of states
  std::string moves_to;                  // empty: nowhere
  std::vector<std::string> may_move_to;  // states and groups of states
  std::vector<ParameterDefinition> parameters;
  std::string answers_entity;               // a record of it is what the client gets; empty: the action's own
  std::vector<PropertyDefinition> answers;  // or an object with these
  std::string addition;                     // its file's name, where it is one: "close+cost-centre"
  std::vector<std::string> needs;           // of an addition: properties that the record must have in the end
  int before = -1, after = -1;              // of an addition: code around the action's own
  Origin origin;
  Lines lines;
};

// scripts/<entity or common>/hooks.lua
struct HooksDefinition {
  std::string entity;
  Hooks hooks;            // of each function one or none
  bool replaces = false;  // its functions run in place of those that come before
  Origin origin;
  Lines lines;
};

struct Definitions {
  std::vector<PropertyDefinition> common;  // entities/common.lua: what every entity has
  std::vector<EntityDefinition::IndexDefinition> common_indexes;
  std::vector<EntityDefinition> entities;
  std::vector<EntityDefinition>
      additions;  // entities/<entity>+<anything>.lua: name, origin, properties, indexes, fields only
  std::vector<AugmenterDefinition> augmenters;
  std::vector<StateSetDefinition> states;
  std::vector<ActionDefinition> actions;
  std::vector<HooksDefinition> hooks;  // those of one entity in the order of their folders
  // Files with a plus. Of augmenters `name`, `needs`, `also`, `only` and `after` count, of states the states.
  std::vector<AugmenterDefinition> augmenter_additions;
  std::vector<StateSetDefinition> state_additions;
  std::vector<ActionDefinition> action_additions;
  // Entities (or "common") whose files could not be read at all: that is a problem already, so nothing more is reported
  // of what names them. "call/states": the states of one.
  std::set<std::string> unreadable;
  // Tables and columns are called as a database has them now; what it lacks has no column, and is null in queries.
  // Null: as the definitions say.
  const StoredNames* stored = nullptr;
  std::set<std::string> unreadable_rules;  // the same of augmenters and actions, by name: for what adds to them
};

struct BuildResult {
  std::shared_ptr<const Catalog> catalog;  // null when there are problems
  std::vector<Problem> problems;
  std::vector<Problem> warnings;  // what is as it was written, and may not be meant
};

BuildResult build(Definitions definitions);

}  // namespace callisto::catalog
