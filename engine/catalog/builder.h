// Builder: definitions in, a checked Catalog out, or every problem at once. One thread; use once.
// It resolves `extends` and lookups, gives every entity the common properties, derives tables, columns, summaries and
// sub-resources, and refuses what does not fit: unknown or repeated names, cycles, wrong options for a type.
#pragma once

#include "engine/catalog/catalog.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace callisto::catalog {

struct Problem {
  Origin origin;
  std::string message;       // "unknown entity 'parson' in lookup 'User'"
  std::string suggestion;    // "did you mean 'person'?"; may be empty
};
std::string to_string(const Problem& problem);   // "file:line: message; did you mean ...?"

// Where the words of a definition stand, where that is another line than its first: an option by its name ("extends"), a
// word of a list as "summary/Name". Words that are not here stand on the definition's own line.
using Lines = std::map<std::string, int>;

// A property as its file says it; names still unresolved.
struct PropertyDefinition {
  Property property;                        // target, owner, mirror_of, column are filled in by the Builder
  std::string target_entity;                // Lookup
  std::string mirror;                       // name of the lookup it mirrors
  Lines lines;
};

struct EntityDefinition {
  std::string name;
  std::string extends;                      // empty: none
  std::string display_name;
  std::string description;
  Status status = Status::GA;
  bool abstract = false, top_level = false, partitioned = false, history = false, attachments = false, deletable = true;
  std::vector<PropertyDefinition> properties;
  std::vector<std::string> summary;
  std::map<std::string, std::string> query_aliases;   // Ref -> TicketId: accepted in queries only
  struct SubResourceDefinition { std::string name, entity, link, type_link; Origin origin; };
  std::vector<SubResourceDefinition> sub_resources;
  Origin origin;
  Lines lines;
};

struct AugmenterDefinition {
  std::string entity;                       // folder below scripts/; "common": every entity
  Augmenter augmenter;
  Lines lines;
};

struct Definitions {
  std::vector<PropertyDefinition> common;   // entities/common.lua: what every entity has
  std::vector<EntityDefinition> entities;
  std::vector<AugmenterDefinition> augmenters;
  // Entities (or "common") whose files could not be read at all: that is a problem already, so nothing more is reported of
  // what names them.
  std::set<std::string> unreadable;
};

struct BuildResult {
  std::shared_ptr<const Catalog> catalog;   // null when there are problems
  std::vector<Problem> problems;
};

BuildResult build(Definitions definitions);

}  // namespace callisto::catalog
