// The values that a script gives for a filter's `?`, as the literals and arguments that they would be in its text.
// Pure; any thread.
#pragma once

#include "engine/query/options.h"
#include "engine/query/parse/ast.h"

#include <cstddef>

namespace callisto::query {

Literal any_literal();  // of a value that is not known yet
Literal literal_of(const Value& value);
Call::Argument argument_of(const Given& given, std::size_t at);  // as it would stand between the parentheses of a call

}  // namespace callisto::query
