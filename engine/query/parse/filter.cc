#include "engine/query/parse/filter_mistakes.h"
#include "engine/query/parse/given.h"
#include "engine/query/parse/parse.h"

#include <optional>
#include <utility>

namespace callisto::query {

namespace {

using Kind = Token::Kind;

std::optional<CompareOp> equality_op(Kind kind) {
  if (kind == Kind::Equal) return CompareOp::Equal;
  if (kind == Kind::NotEqual) return CompareOp::NotEqual;
  return std::nullopt;
}

std::optional<CompareOp> relational_op(Kind kind) {
  switch (kind) {
    case Kind::Less:
      return CompareOp::Less;
    case Kind::LessEqual:
      return CompareOp::LessEqual;
    case Kind::Greater:
      return CompareOp::Greater;
    case Kind::GreaterEqual:
      return CompareOp::GreaterEqual;
    default:
      return std::nullopt;
  }
}

class FilterParser {
 public:
  FilterParser(const Source& source, const Limits& limits)
      : source_(source), limits_(limits), in_(source), mistakes_(source, in_) {}

  Result<Expression> run() {
    CALLISTO_TRY(Expression root, disjunction());
    if (!in_.at(Kind::End)) return mistakes_.after_operand(root, depth_);
    CALLISTO_CHECK(count_flag(root));
    if (const auto* all = source_.given(); all && given_ < all->size())
      return source_.refused(0, {},
                             "has " + std::to_string(given_) + " '?' for " + std::to_string(all->size()) + " values");
    return root;
  }

 private:
  using Rule = Result<Expression> (FilterParser::*)();

  Result<Expression> disjunction() { return connective(Kind::Or, false, &FilterParser::conjunction); }
  Result<Expression> conjunction() { return connective(Kind::And, true, &FilterParser::equality); }
  Result<Expression> equality() { return comparison(&equality_op, &FilterParser::relational); }
  Result<Expression> relational() {
    CALLISTO_TRY(Expression whole, comparison(&relational_op, &FilterParser::negation));
    if (at_word("in") || at_word("not")) return membership(std::move(whole));
    return whole;
  }

  bool at_word(std::string_view word) const { return in_.at(Kind::Name) && in_.current().text == word; }

  Result<Expression> membership(Expression member) {
    Membership result{at_word("not"), in_.current().at, {}, {}};
    if (result.negated) in_.take();
    if (!at_word("in")) return in_.unexpected({"in"});
    CALLISTO_CHECK(mistakes_.check_operand(member, result.negated ? "" : "not in"));
    in_.take();
    if (!in_.at(Kind::Open)) return in_.unexpected({"'('"});
    do {
      in_.take();
      CALLISTO_CHECK(count_node(in_.current().at));
      if (in_.at(Kind::Placeholder)) {
        CALLISTO_CHECK(given_values(result.values));
        continue;
      }
      CALLISTO_TRY(Expression value, primary());
      CALLISTO_CHECK(mistakes_.check_operand(value));
      result.values.push_back(std::move(value));
    } while (in_.at(Kind::Comma));
    if (!in_.at(Kind::Close)) return in_.unexpected({"','", "')'"});
    const std::size_t at = member.at, end = in_.take().at + 1;
    result.member.push_back(std::move(member));
    return Expression{at, end, std::move(result)};
  }

  // One flat list however long the chain: `a || b || c` has three children.
  Result<Expression> connective(Kind symbol, bool conjunction, Rule rule) {
    CALLISTO_TRY(Expression first, (this->*rule)());
    if (!in_.at(symbol)) return first;
    CALLISTO_CHECK(count_flag(first));
    Connective all{conjunction, {}};
    const std::size_t at = first.at;
    all.children.push_back(std::move(first));
    while (in_.at(symbol)) {
      CALLISTO_CHECK(count_node(in_.current().at));
      in_.take();
      CALLISTO_TRY(Expression next, (this->*rule)());
      CALLISTO_CHECK(count_flag(next));
      all.children.push_back(std::move(next));
    }
    const std::size_t end = all.children.back().end;
    return Expression{at, end, std::move(all)};
  }

  Result<Expression> comparison(std::optional<CompareOp> (*op_of)(Kind), Rule rule) {
    CALLISTO_TRY(Expression left, (this->*rule)());
    const std::optional<CompareOp> op = op_of(in_.current().kind);
    if (!op) return left;
    const Token symbol = in_.take();
    CALLISTO_TRY(Expression right, (this->*rule)());
    CALLISTO_CHECK(mistakes_.check_operand(left));
    CALLISTO_CHECK(mistakes_.check_operand(right));
    CALLISTO_CHECK(count_node(symbol.at));
    if (op_of(in_.current().kind))
      return source_.refused(in_.current().at, in_.current().text, "comparisons cannot be chained; join them with &&");
    Comparison both{*op, symbol.at, {}};
    const std::size_t at = left.at, end = right.end;
    both.sides.reserve(2);
    both.sides.push_back(std::move(left));
    both.sides.push_back(std::move(right));
    return Expression{at, end, std::move(both)};
  }

  Result<Expression> negation() {
    if (!in_.at(Kind::Not)) return primary();
    const std::size_t at = in_.current().at;
    CALLISTO_CHECK(enter(at));
    CALLISTO_CHECK(count_node(at));
    in_.take();
    CALLISTO_TRY(Expression child, negation());
    CALLISTO_CHECK(count_flag(child));
    --depth_;
    Negation not_child;
    const std::size_t end = child.end;
    not_child.child.push_back(std::move(child));
    return Expression{at, end, std::move(not_child)};
  }

  Result<Expression> primary() {
    const std::size_t at = in_.current().at;
    if (in_.at(Kind::Open)) return group();
    if (in_.at(Kind::Augmenter)) return call();
    if (at_literal(in_)) {
      const std::size_t end = at + in_.current().text.size();
      return Expression{at, end, take_literal(in_)};
    }
    if (in_.at(Kind::Name)) return path_or_method();
    if (in_.at(Kind::Placeholder)) return given_value();
    return in_.unexpected(FilterMistakes::operand_words());
  }

  // The value that the next '?' stands for.
  Result<const Given*> given(const Token& mark) {
    const std::vector<Given>* all = source_.given();
    if (!all)
      return source_.refused(mark.at, "?", "'?' stands for a value that a script gives; write the value itself");
    if (given_ == all->size())
      return source_.refused(mark.at, "?", "has more '?' than values: " + std::to_string(all->size()) + " given");
    return &(*all)[given_++];
  }

  Result<Expression> given_value() {
    const std::size_t at = in_.current().at;
    CALLISTO_TRY(const Given* found, given(in_.take()));
    if (found->is_list) return source_.refused(at, "?", "'?' stands for a list here; write 'in (?)'");
    return Expression{at, at + 1, found->is_known ? literal_of(found->values.front()) : any_literal()};
  }

  // Behind `in`: one, or all of a list, which may be empty.
  Result<void> given_values(std::vector<Expression>& values) {
    const std::size_t at = in_.current().at;
    CALLISTO_TRY(const Given* found, given(in_.take()));
    if (!found->is_known) values.push_back(Expression{at, at + 1, any_literal()});
    for (const Value& value : found->values) {
      CALLISTO_CHECK(count_node(at));
      values.push_back(Expression{at, at + 1, literal_of(value)});
    }
    return {};
  }

  Result<Expression> group() {
    CALLISTO_CHECK(enter(in_.current().at));
    in_.take();
    CALLISTO_TRY(Expression inner, disjunction());
    if (!in_.at(Kind::Close)) return mistakes_.after_operand(inner, depth_);
    in_.take();
    --depth_;
    return inner;
  }

  Result<Expression> path_or_method() {
    CALLISTO_TRY(PathName path, parse_path(in_, "a property"));
    const std::size_t at = path.segments.front().at;
    const Segment last = path.segments.back();
    if (!in_.at(Kind::Open)) return Expression{at, last.at + last.name.size(), std::move(path)};
    if (path.segments.size() == 1) return mistakes_.no_function(last);
    if (const auto kind = list_method(last.name)) return rows(path, *kind);
    path.segments.pop_back();
    Method method{std::move(path), TextOp::Contains, {}};
    CALLISTO_TRY(method.op, text_op(last));
    CALLISTO_CHECK(count_node(last.at));
    in_.take();
    CALLISTO_TRY(Expression argument, method_argument());
    method.argument.push_back(std::move(argument));
    CALLISTO_TRY(const Token close, in_.expect(Kind::Close, "')'"));
    return Expression{at, close.at + 1, std::move(method)};
  }

  static std::optional<ListMethod::Kind> list_method(std::string_view name) {
    if (name == "Any") return ListMethod::Kind::Any;
    if (name == "All") return ListMethod::Kind::All;
    if (name == "Count") return ListMethod::Kind::Count;
    return std::nullopt;
  }

  // At the parenthesis behind list.Any.
  Result<Expression> rows(const PathName& path, ListMethod::Kind kind) {
    const Segment& list = path.segments.front();
    const Segment& method = path.segments.back();
    if (path.segments.size() > 2)
      return source_.refused(path.segments[1].at, path.segments[1].name,
                             "only lists of the record itself can be asked, as in " +
                                 std::string(path.segments[path.segments.size() - 2].name) + "." +
                                 std::string(method.name) + "(...)");
    CALLISTO_CHECK(enter(in_.current().at));
    CALLISTO_CHECK(count_node(method.at));
    in_.take();
    ListMethod result{list, kind, {}};
    if (kind == ListMethod::Kind::All || !in_.at(Kind::Close)) {
      CALLISTO_TRY(Expression predicate, disjunction());
      if (!in_.at(Kind::Close)) return mistakes_.after_operand(predicate, depth_);
      CALLISTO_CHECK(count_flag(predicate));
      result.predicate.push_back(std::move(predicate));
    }
    --depth_;
    return Expression{list.at, in_.take().at + 1, std::move(result)};
  }

  Result<TextOp> text_op(const Segment& name) const {
    for (const auto& [known, op] : text_methods)
      if (known == name.name) return op;
    return mistakes_.no_method(name);
  }

  Result<Expression> method_argument() {
    const std::size_t at = in_.current().at;
    if (in_.at(Kind::Augmenter)) return call();
    if (in_.at(Kind::Placeholder)) return given_value();
    if (!in_.at(Kind::Text)) return in_.unexpected({"a text in double quotes"});
    const std::size_t end = at + in_.current().text.size();
    return Expression{at, end, take_literal(in_)};
  }

  Result<Expression> call() {
    const Token name = in_.take();
    Call result{name.text, {}, {}};
    std::size_t end = name.at + 1 + name.text.size();
    if (in_.at(Kind::Open)) {
      const std::size_t open = in_.current().at;
      CALLISTO_CHECK(arguments(result));
      const Token close = in_.take();
      result.inside = source_.text().substr(open + 1, close.at - open - 1);
      end = close.at + 1;
    }
    return Expression{name.at, end, std::move(result)};
  }

  // Up to the closing parenthesis, which stays the current token.
  Result<void> arguments(Call& result) {
    do {
      in_.take_before_raw();
      if (in_.at(Kind::Invalid)) return in_.unexpected({"an argument"});
      const bool quoted = in_.at(Kind::Text);
      Token token = in_.take();
      if (token.text.empty()) {
        if (result.arguments.empty() && in_.at(Kind::Close)) return {};
        return in_.unexpected({"an argument"});
      }
      if (!quoted && token.text == "?" && source_.given()) {
        CALLISTO_TRY(const Given* found, given(token));
        result.arguments.push_back(argument_of(*found, token.at));
        continue;
      }
      result.arguments.push_back({quoted ? std::move(token.value) : std::string(token.text), quoted, token.at});
    } while (in_.at(Kind::Comma));
    if (!in_.at(Kind::Close)) return in_.unexpected({"','", "')'"});
    return {};
  }

  // API rule 2.8: an open parenthesis or `!` adds a level.
  Result<void> enter(std::size_t at) {
    if (++depth_ <= limits_.nesting) return {};
    return source_.refused(at, in_.current().text,
                           "more than " + std::to_string(limits_.nesting) + " levels of parentheses and '!'");
  }

  // A comparison, method call, flag, `!` or connective is a node.
  Result<void> count_node(std::size_t at) {
    if (++nodes_ <= limits_.nodes) return {};
    return source_.refused(
        at, {}, "more than " + std::to_string(limits_.nodes) + " comparisons, method calls, flags and operators");
  }
  Result<void> count_flag(const Expression& predicate) {
    if (!predicate.is_operand()) return {};
    return count_node(predicate.at);
  }

  const Source& source_;
  const Limits& limits_;
  TokenReader in_;
  const FilterMistakes mistakes_;
  std::size_t depth_ = 0;
  std::size_t nodes_ = 0;
  std::size_t given_ = 0;  // of source_.given(), so many have stood there
};

}  // namespace

Result<Expression> parse_filter(const Source& source, const Limits& limits) {
  if (source.text().size() > limits.filter_bytes)
    return source.refused(limits.filter_bytes, {},
                          "the text is longer than " + std::to_string(limits.filter_bytes) + " bytes");
  return FilterParser(source, limits).run();
}

}  // namespace callisto::query
