// Resolves a query's names against the catalog: property paths through lookups and joined aliases, with the limits on
// hops and relations. One Names per plan that is being bound; it reads the plan's entity and the joins bound so far.
// One thread.
#pragma once

#include "engine/base/result.h"
#include "engine/query/bind.h"
#include "engine/query/parse/ast.h"
#include "engine/query/parse/diagnostics.h"
#include "engine/query/plan.h"

#include <optional>
#include <string_view>
#include <vector>

namespace callisto::query {

// What a path is named for decides which properties it may name. Own: a text of the desk's own (conditions, needs).
enum class Use { Select, Filter, Sort, Join, Own };

// A bound path, and its last property as it was named: a mirror (UserId of User) keeps its own name and type.
struct Named {
  Path path;
  const catalog::Property* property = nullptr;
};

class Names {
 public:
  // `others`: relations of the same query that other Names count.
  Names(const Plan& plan, const Limits& limits, std::size_t others = 0)
      : plan_(plan), limits_(limits), others_(others) {}

  Result<Named> resolve(const PathName& name, const Source& source, Use use);
  Result<const catalog::Property*> find(const catalog::Entity& entity, const Segment& segment, const Source& source,
                                        Use use, bool may_be_alias = false) const;
  // As a session may read it, where that is not the same in all rows.
  Path guarded(Path path) const;
  bool may_name(const catalog::Property& property) const { return !hides(limits_.fields, property); }
  // The number of the join with this alias, from 1.
  std::optional<std::size_t> join_of(std::string_view alias) const;
  std::size_t relations() const { return relations_.size() + plan_.joins.size() + others_; }
  void add_others(std::size_t number) { others_ += number; }
  // A join counts as a relation too, and so does a list.
  Result<void> check_relations(std::size_t at, std::string_view found, const Source& source) const;

 private:
  Result<const catalog::Entity*> hop(Path& path, const catalog::Entity& entity, const PathName& name, std::size_t index,
                                     const Source& source, Use use);

  const Plan& plan_;
  const Limits& limits_;
  std::size_t others_;
  std::vector<Path> relations_;  // each distinct prefix of lookups; `property` is null
};

// The property whose column holds the values of `property`.
inline const catalog::Property* stored(const catalog::Property& property) {
  return property.mirror_of ? property.mirror_of : &property;
}

}  // namespace callisto::query
