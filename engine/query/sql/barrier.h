// The barrier between what a session may see and what a client asks for: a client's terms are evaluated only on rows
// within the session's limit, so the time of an answer reveals nothing about other rows. A database evaluates the terms
// of a WHERE in any order; only CASE guarantees one. Terms inside a CASE use no index, so comparisons that an index can
// answer come before it: they cost the same few nanoseconds whatever a row holds. Pure; any thread.
#pragma once

#include "engine/query/sql/tables.h"

#include <vector>

namespace callisto::query::emit {

// What hides rows of one table from the session.
struct Limit {
  std::vector<Condition> conditions;  // all of them hold for a visible row; empty: nothing is hidden
  std::vector<Condition> by_index;    // those of them that an index may answer
  bool is_rule = false;               // which leads to few rows, so that no term of the client need do that
};

// The limit of `entity` in `table`. What every session could ask for (rows below a deleted record) goes to `parts`.
Limit limit_of(Tables& tables, const catalog::Entity& entity, const Sql& table, Row row, std::vector<Condition>& parts);

// What the client asks: `leading` in front of the barrier; the others are evaluated on rows within the limit alone, and
// `covered` before a row is read, where the index that leads to it holds them.
struct Asked {
  std::vector<Condition> leading, covered, behind;
};

// Appends `limit` and what is asked of rows within it and `further` limits.
void append_asked(const Limit& limit, const std::vector<Condition>& further, Asked asked,
                  std::vector<Condition>& parts);

// The terms of a filter: those that lead to its rows by an index; where a rule leads there, those that an index may
// hold; the others.
struct Terms {
  std::vector<const Predicate*> leading, covered, others;
};
Terms terms_of(const Tables& tables, const Predicate& filter, bool limit_is_rule);

// The column of the searched row, spelled so that no index is used by it where the way to the rows needs another.
Sql by_no_index(const Tables& tables, const Sql& table, const catalog::Property& property);

// The column of the searched row where it is asked to be null, which is seldom rare: where an index leads by values to
// rows in the order asked for, no other one that begins with what is null is used.
Sql where_null(const Tables& tables, const Sql& table, const catalog::Property& property);

// Whether an index of the property's own leads to its values.
bool has_index(const catalog::Property& property);

}  // namespace callisto::query::emit
