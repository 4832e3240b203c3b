// Plan -> parameterized SQL. Pure; any thread. All SQL spelling of queries is in emit_sql*.cc; the dialects differ only
// there and in storage/dialect. The text contains no value, so that statements can be kept: it depends only on the
// plan's form and on Scope's sizes (and on which literals are long enough for the index of substrings).
//
// Invariants: the text contains no value; each limited table carries its limit wherever it occurs.
#pragma once

#include "engine/base/sql.h"
#include "engine/query/fields.h"
#include "engine/query/plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace callisto::query {

enum class Dialect { Sqlite, PostgreSql };

// What the n-th parameter of a statement is.
enum class TextForm {
  AsIs,
  Folded,
  Trigrams,       // folded, as what FTS5 is asked for its trigrams
  LikePattern,    // folded, as a pattern of LIKE that contains it
  LikeBeginning,  // or begins with it
  LikeEnd,        // or ends with it
  PrefixEnd       // folded, and behind all texts that begin with it
};
struct ConstantBinding {
  std::size_t index = 0;
  TextForm form = TextForm::AsIs;
  const Plan* rule = nullptr;
};  // Plan::constants, a text in the form asked for; of the statement's own plan, or of a rule of Access
struct PartitionBinding {
  std::size_t index = 0;
};                               // Scope::partitions
struct PlanPartitionBinding {};  // Plan::partition
struct KeyBinding {
  std::size_t index = 0;
};  // emit_record: the key's parts; then Parent's key
struct TextBinding {
  std::string text;
};  // a name of the catalog (a final type)
// End: of the page, counted from the first row of all.
enum class Paging { Top, Skip, End };
using Binding = std::variant<ConstantBinding, PartitionBinding, PlanPartitionBinding, KeyBinding, TextBinding, Paging>;

struct Statement {
  Sql sql;
  std::vector<Binding> bindings;  // in parameter order
};

// Only rows below one record: link == the parent's key (the KeyBinding after the record's own) and, where type_link is
// set, type_link is one of `types` (the parent's final entity and what that extends).
struct Parent {
  const catalog::Property* link = nullptr;
  const catalog::Property* type_link = nullptr;
  std::vector<std::string> types;
};

// What a session may read, by final type; a type that is missing is not limited. It outlives the statements that are
// made with it.
using Access = std::map<const catalog::Entity*, RowLimit>;

// How many partitions the session has; nullopt: all, no limit. Every table occurrence of a partitioned entity is
// limited inside its own ON clause or subquery (API rule 2.10), the root in WHERE. Where a table mixes partitioned
// types with others, only rows of the partitioned ones are limited. The same places are limited by `access`; null: no
// limit. `with_unknown_types`, of the same life: hierarchies whose tables hold rows of types that the catalog lacks,
// which are never found; null: there are none.
struct Scope {
  std::optional<std::size_t> partitions = std::nullopt;
  const Access* access = nullptr;
  const std::set<const catalog::Entity*>* with_unknown_types = nullptr;  // by root
  std::optional<Parent> parent = std::nullopt;
  bool with_deleted = false;       // deleted rows of the root too
  const Fields* fields = nullptr;  // what guarded paths read, of the same life as `access`; null: all
};

// Whether rows are looked for among the candidates of the index of substrings alone, or by any other way. The answer is
// the same; which of them is fast depends on how many candidates there are.
enum class Reach { All, Candidates };

// Behind the place where a page ended (Plan::after) come the rows whose first key of the order is null or has a value
// as the one there has, and then, where there are any, those where that is otherwise: a statement each, so that an
// index leads to both.
enum class Stretch { Same, Other };

// How the rows of a page are found: as the database likes, by a walk in the order asked for, or by what the filter asks
// for and then sorted. The answer is the same.
enum class Way { Free, InOrder, Sorted };

// Columns in the order of Plan::columns. `seek`: of Way::Sorted, which of seeks_beside_order() leads to the rows.
Statement emit_rows(const Plan& plan, const Scope& scope, Dialect dialect, Reach reach = Reach::All,
                    Stretch stretch = Stretch::Same, Way way = Way::Free, std::size_t seek = 0);
bool has_other_stretch(const Plan& plan);
bool may_choose_way(const Plan& plan);       // Way::InOrder or Way::Sorted, where an index leads to each
bool may_find_keys_first(const Plan& plan);  // those of the page, before its rows
// One value. `sought`: terms that lead to the rows by an index, and nothing else does; empty: as the database likes.
Statement emit_count(const Plan& plan, const Scope& scope, Dialect dialect, Reach reach = Reach::All,
                     const std::vector<const Predicate*>& sought = {});
// The rows of groups, likewise.
Statement emit_groups(const Plan& plan, const Scope& scope, Dialect dialect,
                      const std::vector<const Predicate*>& sought);
// Both without any index of the searched rows (SQLite).
Statement emit_count_of_pass(const Plan& plan, const Scope& scope);
Statement emit_groups_of_pass(const Plan& plan, const Scope& scope);
Statement emit_record(const Plan& plan, const Scope& scope, Dialect dialect);  // by key; deleted rows are not found

// The filter asks for more than words, so that a walk in order passes over rows that hold them.
bool has_terms_beside_words(const Plan& plan);

// Counts the rows that Reach::Candidates would look at, `most` at most. Nothing where no index of substrings helps,
// where it would tell the session of rows that it does not see, or where the database chooses by itself (PostgreSQL).
std::optional<Statement> emit_candidates(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most);

// Each counts the rows, `most` at most, that an index leads to by other terms than the words: where one finds fewer,
// those are read without asking for candidates. Empty: there are none, or no candidates either.
std::vector<Statement> emit_probes_beside_words(const Plan& plan, const Scope& scope, Dialect dialect,
                                                std::size_t most);

// A count over an index that holds all that is asked. `led` counts the entries to look at, `most` at most, and each of
// `beside` the rows to which another index leads, and which would be read, `most_beside` at most.
struct CountByCover {
  std::vector<Statement> beside;
  Statement led, count;
};
// Nothing where the database chooses well by itself, or where it would tell the session of rows that it does not see.
std::optional<CountByCover> emit_count_by_cover(const Plan& plan, const Scope& scope, Dialect dialect,
                                                std::size_t most_beside, std::size_t most);

// A count of what one of several indexes leads to, where `probe` counts fewer than `most` rows there, or the groups of
// these: SQLite takes an equality, whatever it leads to, where a range leads to less.
struct CountBySeek {
  Statement probe, count;
  Statement groups;          // empty: the plan has none
  bool is_in_index = false;  // so are its groups: they are worth it where it leads to many, too
};
// Empty: there is no choice, or the database chooses well by itself.
std::vector<CountBySeek> emit_counts_by_seek(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most);

// A count, or groups, of many rows, of which no index has all that is asked: by the index that leads to the fewest, or
// in one pass over the table, which takes less time than to read a good part of its rows by an index.
struct CountOfMany {
  // Of each index, whose `probe` counts the rows that it leads to, `most` at most.
  std::vector<CountBySeek> seeks;
  Statement all;            // counts the rows of the table
  Statement count, groups;  // in one pass
};
// Nothing where there is no choice, or the database chooses well by itself.
std::optional<CountOfMany> emit_count_of_many(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most);

// Counts the rows, `most` at most, among which a walk in order goes; no statement where these are all.
Statement emit_probe_of_order(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most);

// Counts the rows, `most` at most, that an index leads to by terms of the filter. Where it finds fewer, Way::Sorted is
// fast, else Way::InOrder.
struct Probe {
  Statement count;
  std::size_t seek = 0;  // of seeks_beside_order()
  std::size_t most = 0;
  bool asks_for_null = false;
  bool is_through_lookup = false;  // so that it looks at the records there first, which may be many
};
// `most_null`: of a probe that asks for null, which is seldom rare. Empty: there is no choice, or the database chooses
// well by itself: PostgreSQL, which knows how often values are, but not where the rows of a range lie.
std::vector<Probe> emit_probes(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most,
                               std::size_t most_null);

// The number to bind for a page.
std::int64_t bound_number(Paging paging, const Plan& plan);

// The value to bind for a constant that is `value`: Boolean as 1/0, DateTime as ms, Decimal as digits, text in the
// form asked for.
Value bound_value(const ConstantBinding& binding, const Value& value);

}  // namespace callisto::query
