// A condition under construction: its text and what SQLite's parser needs to read it. all_of and any_of join flat lists
// with as few parentheses as the meaning allows, the deepest part first, because the parser's stack holds 100 symbols:
// an open group costs one of them if it comes first, and several if it comes later (decision 0009). Pure; any thread.
#pragma once

#include "engine/base/sql.h"

#include <vector>

namespace callisto::query::emit {

struct Condition {
  enum class Form { Atom, All, Any };
  Sql sql;
  int depth = 6;  // symbols on the parser's stack at the worst place; no simple comparison needs more
  Form form = Form::Atom;
};

// Conditions may be null where they do not hold: AND, OR and WHERE take that for false as long as nothing is negated,
// and only negated() negates. No parts: true (false for any_of).
Condition all_of(std::vector<Condition> parts);
Condition any_of(std::vector<Condition> parts);
// Holds exactly where `atom` does not, null included (API rule 2.6).
Condition negated(const Condition& atom);

}  // namespace callisto::query::emit
