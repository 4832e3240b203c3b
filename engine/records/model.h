// Model: a loaded Program bound for use: every condition, session list and `needs` is checked against the catalog, and
// the statements that read the session's own facts are made. Immutable once it is served; shared by requests, replaced
// whole on reload. Any thread.
//
// Invariants: whatever a request can meet is bound before the model is served; after that only its caches change.
#pragma once

#include "engine/base/result.h"
#include "engine/query/bind.h"
#include "engine/query/emit_sql.h"
#include "engine/records/access.h"
#include "engine/records/rule_observer.h"
#include "engine/records/session_data_cache.h"
#include "engine/records/store.h"
#include "engine/script/program.h"
#include "engine/script/state.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace callisto::records {

// A plan with its statements for one number of accessible partitions.
struct Prepared {
  std::shared_ptr<const query::Plan> plan;
  query::Statement rows;
  query::Statement count;
  query::Statement other = {};  // rows of the other stretch, behind these; none: empty
  std::optional<query::CountByCover> cover = std::nullopt;
  std::vector<query::CountBySeek> counts = {};  // and groups, where no cover does: by the first that leads to few
  std::optional<query::CountOfMany> many = std::nullopt;  // the same, where none of these leads to few
  // The same by the index of substrings, where none of the probes counts few rows, and that finds few.
  struct Narrowed {
    query::Statement candidates, rows, count, other;
    std::vector<query::Statement> probes = {};
    std::size_t most = 0;          // candidates that are few
    std::size_t most_counted = 0;  // the same for a count, which else looks at every row
    query::Statement longer = {};  // counts more candidates; empty: no walk is left for them
  };
  std::optional<Narrowed> narrowed = std::nullopt;
  // Rows found by what the filter asks for and sorted, by the first seek that leads to few; where a walk in order looks
  // at much in vain, by the first that leads to less. Else `rows` walk in order.
  struct Sorted {
    struct Seek {
      query::Probe probe;       // counts what it leads to, some thousands at most
      query::Statement longer;  // counts more; empty: it is not sorted late
      query::Statement rows, other;
    };
    std::vector<Seek> seeks;
    query::Statement walked;  // counts what the walk in order looks at, as far as `longer` do; empty: everything
  };
  std::optional<Sorted> sorted = std::nullopt;
  // The page's keys found one value of a lookup after the other, if none of the probes counts few rows.
  struct ByLookup {
    std::vector<query::Statement> probes;
    query::Statement values;                                    // of the lookup, and one more than `most_values`
    std::shared_ptr<const Prepared> of_value, of_null;          // the keys of one's rows
    std::shared_ptr<const Prepared> behind_value, behind_null;  // the same of those behind the page before; or null
    query::Statement rows;                                      // of the keys found
    std::size_t most_values = 0;
    bool is_by_key = false, descending = false;  // query::ByLookup
  };
  std::optional<ByLookup> by_lookup = std::nullopt;
};

// An action's filters, bound for one entity.
struct Rule {
  const catalog::Action* action = nullptr;
  std::shared_ptr<const query::Plan> offered;                                      // null: always
  std::shared_ptr<const query::Plan> due;                                          // null: never by itself
  std::map<std::string, std::shared_ptr<const query::Plan>, std::less<>> allowed;  // Grant::Kind::Where, by grantee
};

// A property's filters of `read` and `write`, bound for the entity that declares it, by grantee.
struct FieldRule {
  std::map<std::string, std::shared_ptr<const query::Plan>, std::less<>> read, write;
};

struct Model {
  Model(std::shared_ptr<const script::Program> loaded, query::Dialect of_database)
      : program(std::move(loaded)), store(*program->catalog, of_database), dialect(of_database) {}

  std::shared_ptr<const script::Program> program;
  Store store;
  query::Limits limits;
  query::Dialect dialect;       // of the database that its statements are for
  Prepared person;              // the person's record, by key
  std::vector<Prepared> lists;  // Program::session_lists, bound
  // Actions that the server does by itself: which records, of which entity.
  struct Due {
    const catalog::Entity* entity = nullptr;
    const catalog::Action* action = nullptr;
    Prepared keys;
  };
  std::vector<Due> due;
  std::map<const catalog::Entity*, std::vector<Rule>> rules;
  RuleObserver* observer = nullptr;  // null: nobody is told. Set before it is served; outlives it
  bool caches = true;                // false: nothing of one request is kept for another (ARCHITECTURE.md)
  std::map<const catalog::Property*, FieldRule> field_rules;
  AccessRules access;
  SessionDataCache facts;
  std::set<const catalog::Entity*> with_unknown_types;  // query::Scope's; find_unknown_types fills it

  const catalog::Catalog& catalog() const { return *program->catalog; }
  query::Limits limits_of(const AccessRules::Limits& session) const {  // of what that session may ask
    query::Limits result = limits;
    result.fields = fields_of(session);
    return result;
  }
  const Rule* rule(const catalog::Entity& entity, const catalog::Action& action) const;  // null: it has no filter
};

// Runs a State's constant functions while a query is bound.
class StateFolder final : public query::ConstantFolder {
 public:
  explicit StateFolder(script::State& state) : state_(state) {}
  Result<Value> call(const catalog::Augmenter& function, const std::vector<Value>& arguments) override;

 private:
  script::State& state_;
};

struct ModelResult {
  std::shared_ptr<Model> model;  // null when there are problems
  std::vector<catalog::Problem> problems;
};

// Binds everything that a request could meet, so that a bad filter stops start-up and not a client.
ModelResult bind_model(std::shared_ptr<const script::Program> program, const query::Limits& limits,
                       query::Dialect dialect, script::State& state);

}  // namespace callisto::records
