// Texts of options -> ast.h. One grammar rule, one function (API rule 2.7); limits that need no catalog are kept
// here, before recursion could hurt. Pure; any thread. The results hold views into the source's text.
#pragma once

#include "engine/base/result.h"
#include "engine/query/bind.h"
#include "engine/query/parse/ast.h"
#include "engine/query/parse/diagnostics.h"
#include "engine/query/parse/lexer.h"

#include <vector>

namespace callisto::query {

Result<Expression> parse_filter(const Source& source, const Limits& limits);
Result<std::vector<SelectItem>> parse_select(const Source& source, const Limits& limits);
Result<std::vector<OrderItem>> parse_orderby(const Source& source, const Limits& limits);
Result<std::vector<AggregateItem>> parse_aggregate(const Source& source, const Limits& limits);
Result<std::vector<JoinItem>> parse_joins(const Source& source, const Limits& limits);

// Rules that several options share. Each begins at the current token.
Result<PathName> parse_path(TokenReader& in, const char* description);
bool at_literal(const TokenReader& in);
Literal take_literal(TokenReader& in);  // at_literal must hold

}  // namespace callisto::query
