// What is said of a filter that is none: the place, what was expected there, and what was meant as far as that can be
// told. Pure; the thread of the parser.
#pragma once

#include "engine/query/parse/ast.h"
#include "engine/query/parse/diagnostics.h"
#include "engine/query/parse/lexer.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::query {

inline constexpr std::array<std::pair<std::string_view, TextOp>, 3> text_methods{
    {{"Contains", TextOp::Contains}, {"StartsWith", TextOp::StartsWith}, {"EndsWith", TextOp::EndsWith}}};

class FilterMistakes {
 public:
  // Both outlive it.
  FilterMistakes(const Source& source, const TokenReader& in) : source_(source), in_(in) {}

  static const std::vector<std::string>& operand_words();

  Error no_function(const Segment& name) const;
  Error no_method(const Segment& name) const;
  // The text goes on behind a complete expression, inside so many parentheses.
  Error after_operand(const Expression& last, std::size_t depth) const;
  // `in`: the operator that takes the place of a '!' in front of the property.
  Result<void> check_operand(const Expression& side, std::string in = {}) const;

 private:
  Error no_operand(const Segment& word) const;
  bool at_operand() const;
  std::string_view bare_date(const Expression& last) const;
  Error date_without_augmenter(std::string_view date) const;

  const Source& source_;
  const TokenReader& in_;
};

}  // namespace callisto::query
