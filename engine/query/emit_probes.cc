// The statements by which a search chooses its way (decision 0045): each counts what one way would look at.
#include "engine/query/by_lookup.h"
#include "engine/query/emit_sql.h"
#include "engine/query/index_choice.h"
#include "engine/query/index_cover.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_states.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/barrier.h"
#include "engine/query/sql/predicate.h"
#include "engine/query/sql/substrings.h"
#include "engine/query/sql/tables.h"

#include <algorithm>

namespace callisto::query {
namespace {

using emit::Condition;
using emit::From;
using emit::Tables;

constexpr std::size_t most_probes = 3;

// Counts the rows, `most` at most, that satisfy all of the terms.
Statement probe(const Plan& plan, const Scope& scope, const Seek& terms, std::size_t most, Dialect dialect) {
  Tables tables(plan, scope, dialect);
  tables.sought = terms;
  From from(tables);
  std::vector<Condition> asked = conditions(tables, from, terms);
  if (const auto* type = type_led_by(plan, terms)) tables.tell_type(*type, from.root(), asked);
  Sql sql("SELECT COUNT(*) FROM (SELECT 1");
  sql << " FROM " << from.text() << " WHERE " << all_of(std::move(asked)).sql << " LIMIT ";
  return emit::finished(tables, sql.integer(most) << ") AS probed");
}

// All of them stand in front of the session's limit, or there is none (decision 0037).
bool stand_in_front(const Plan& plan, const Scope& scope, const Seek& terms) {
  Tables tables(plan, scope, Dialect::Sqlite);
  if (!tables.hides_rows(*plan.entity)) return true;
  const From from(tables);
  std::vector<Condition> ignored;
  const emit::Limit limit = limit_of(tables, *plan.entity, from.root(), emit::Row::Searched, ignored);
  const auto leading = emit::terms_of(tables, *plan.filter, limit.is_rule).leading;
  return std::all_of(terms.begin(), terms.end(), [&](const Predicate* term) {
    return std::find(leading.begin(), leading.end(), term) != leading.end();
  });
}

// PostgreSQL knows how many rows a range has, and takes them to lie anywhere in the order; yet what was changed since
// yesterday are mostly the newest, which a walk in the order of the keys meets last. So it does with nulls. Texts have
// no
// `+` to hide their order.
bool is_unknown_to_postgres(const Plan& plan, const Seek& seek) {
  const bool is_range = std::any_of(seek.begin(), seek.end(), [](const Predicate* term) {
    return term->kind == Predicate::Kind::Compare && term->op != CompareOp::Equal;
  });
  const bool is_of_row = (is_range && !is_through_lookup(seek)) || has_null(seek);
  const catalog::Property& first = *plan.order.front().path.property;
  return is_of_row && !catalog::is_text(first.type) && !first.stored.is_text();
}

// The database counts by averages, and nothing else leads to few rows.
bool may_choose_count(const Plan& plan, const Scope& scope, Dialect dialect) {
  const bool is_plain = plan.joins.empty() && !plan.names_deleted && !scope.parent;
  if (dialect != Dialect::Sqlite || !is_plain || states_before_range(plan)) return false;
  return !Tables(plan, scope, dialect).limit_has_index(*plan.entity);
}

CountBySeek count_by(const Plan& plan, const Scope& scope, const Seek& seek, std::size_t most, Dialect dialect) {
  return {probe(plan, scope, seek, most, dialect), emit_count(plan, scope, dialect, Reach::All, seek),
          plan.grouping ? emit_groups(plan, scope, dialect, seek) : Statement(),
          plan.grouping && is_in_index(plan, seek)};
}

// A term asks something of other records that are many.
bool asks_of_many(const Plan& plan) {
  const auto terms = terms_of(plan);
  return std::any_of(terms.begin(), terms.end(), [](const Predicate* term) {
    const catalog::Property* lookup = looked_through(*term);
    return lookup && lookup->target->states;
  });
}

}  // namespace

bool has_terms_beside_words(const Plan& plan) {
  const auto terms = terms_of(plan);
  return std::any_of(terms.begin(), terms.end(), [&](const Predicate* term) { return !emit::has_words(plan, *term); });
}

std::optional<Statement> emit_candidates(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most) {
  if (dialect != Dialect::Sqlite || !emit::has_candidates(plan, scope)) return std::nullopt;
  Tables tables(plan, scope, dialect, Reach::Candidates);
  Sql sql("SELECT COUNT(*) FROM (");
  sql << emit::candidates(tables) << " LIMIT ";
  return emit::finished(tables, sql.integer(most) << ")");
}

std::vector<Statement> emit_probes_beside_words(const Plan& plan, const Scope& scope, Dialect dialect,
                                                std::size_t most) {
  std::vector<Statement> probes;
  if (dialect != Dialect::Sqlite || !emit::has_candidates(plan, scope)) return probes;
  for (const Seek& seek : seeks(plan))
    if (probes.size() < most_probes) probes.push_back(probe(plan, scope, seek, most, dialect));
  return probes;
}

std::vector<Statement> emit_probes_of_filter(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most) {
  std::vector<Statement> probes;
  for (const Seek& seek : ways_to_rows(plan))
    if (probes.size() < most_probes && stand_in_front(plan, scope, seek))
      probes.push_back(probe(plan, scope, seek, most, dialect));
  return probes;
}

std::optional<CountByCover> emit_count_by_cover(const Plan& plan, const Scope& scope, Dialect dialect,
                                                std::size_t most_beside, std::size_t most) {
  if (dialect != Dialect::Sqlite || scope.parent || states_before_range(plan)) return std::nullopt;
  const Seek lead = lead_of_cover(plan);
  if (lead.empty() || !stand_in_front(plan, scope, terms_of(plan))) return std::nullopt;
  CountByCover count;
  for (const Seek& seek : seeks(plan)) {
    const bool is_beside = std::none_of(seek.begin(), seek.end(), [&](const Predicate* term) {
      return std::count(lead.begin(), lead.end(), term) > 0;
    });
    if (is_beside && count.beside.size() < most_probes)
      count.beside.push_back(probe(plan, scope, seek, most_beside, dialect));
  }
  if (count.beside.empty()) return std::nullopt;
  count.led = probe(plan, scope, lead, most, dialect);
  count.count = emit_count(plan, scope, dialect, Reach::All, lead);
  return count;
}

std::vector<CountBySeek> emit_counts_by_seek(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most) {
  std::vector<CountBySeek> counts;
  if (!may_choose_count(plan, scope, dialect)) return counts;
  const auto all = ways_to_rows(plan);
  // SQLite goes by the groups sooner than by the filter, and makes a list first of what lookups may lead to.
  if (all.size() < (plan.grouping || asks_of_many(plan) ? 1 : 2)) return counts;
  for (const Seek& seek : all)
    if (counts.size() < most_probes && !(plan.grouping && gives_groups(plan, seek)) &&
        stand_in_front(plan, scope, seek))
      counts.push_back(count_by(plan, scope, seek, most, dialect));
  return counts;
}

std::optional<CountOfMany> emit_count_of_many(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most) {
  if (!may_choose_count(plan, scope, dialect)) return std::nullopt;
  if (plan.grouping ? has_groups_in_order(plan) : has_all_asked(plan) || !lead_of_cover(plan).empty())
    return std::nullopt;
  CountOfMany many;
  for (const Seek& seek : ways_to_rows(plan))
    if (many.seeks.size() < most_probes && stand_in_front(plan, scope, seek))
      many.seeks.push_back(count_by(plan, scope, seek, most, dialect));
  const bool is_held = std::any_of(many.seeks.begin(), many.seeks.end(), [](const auto& by) { return by.is_in_index; });
  if (many.seeks.empty() || is_held) return std::nullopt;
  Sql all("SELECT MAX(rowid) FROM ");
  many.all = {all << plan.entity->table, {}};
  many.count = emit_count_of_pass(plan, scope);
  if (plan.grouping) many.groups = emit_groups_of_pass(plan, scope);
  return many;
}

Statement emit_probe_of_order(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most) {
  const Seek lead = lead_of_order(plan);
  return lead.empty() ? Statement() : probe(plan, scope, lead, most, dialect);
}

std::vector<Probe> emit_probes(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most,
                               std::size_t most_null) {
  std::vector<Probe> probes;
  if (!may_choose_way(plan)) return probes;
  if (dialect == Dialect::PostgreSql && !order_has_index(plan)) return probes;
  if (Tables(plan, scope, dialect).limit_has_index(*plan.entity)) return probes;
  const auto all = seeks_beside_order(plan);
  for (std::size_t i = 0; i < all.size() && probes.size() < most_probes; ++i) {
    const bool is_null = has_null(all[i]);
    if (dialect == Dialect::PostgreSql && !is_unknown_to_postgres(plan, all[i])) continue;
    const bool is_through = is_through_lookup(all[i]);
    if (is_through && !stand_in_front(plan, scope, all[i])) break;
    const std::size_t counted = is_null ? most_null : most;
    probes.push_back({probe(plan, scope, all[i], counted, dialect), i, counted, is_null, is_through});
  }
  return probes;
}

}  // namespace callisto::query
