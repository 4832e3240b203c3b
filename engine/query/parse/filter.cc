#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/query/parse/given.h"
#include "engine/query/parse/parse.h"

#include <array>
#include <iterator>
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

const std::vector<std::string>& operand_words() {
  static const std::vector<std::string> words{"a property", "a literal", "an augmenter"};
  return words;
}

class FilterParser {
 public:
  FilterParser(const Source& source, const Limits& limits) : source_(source), limits_(limits), in_(source) {}

  Result<Expression> run() {
    CALLISTO_TRY(Expression root, disjunction());
    if (!in_.at(Kind::End)) return after_operand(root);
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
    CALLISTO_CHECK(check_operand(member, result.negated ? "" : "not in"));
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
      CALLISTO_CHECK(check_operand(value));
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
    CALLISTO_CHECK(check_operand(left));
    CALLISTO_CHECK(check_operand(right));
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
    return in_.unexpected(operand_words());
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
    if (!in_.at(Kind::Close)) return after_operand(inner);
    in_.take();
    --depth_;
    return inner;
  }

  Result<Expression> path_or_method() {
    CALLISTO_TRY(PathName path, parse_path(in_, "a property"));
    const std::size_t at = path.segments.front().at;
    const Segment last = path.segments.back();
    if (!in_.at(Kind::Open)) return Expression{at, last.at + last.name.size(), std::move(path)};
    if (path.segments.size() == 1) return no_function(last);
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
      if (!in_.at(Kind::Close)) return after_operand(predicate);
      CALLISTO_CHECK(count_flag(predicate));
      result.predicate.push_back(std::move(predicate));
    }
    --depth_;
    return Expression{list.at, in_.take().at + 1, std::move(result)};
  }

  Error no_function(const Segment& name) const {
    if (!operator_for_word(name.name).empty()) return no_operand(name);
    std::string method = text::nearest(name.name, {"Contains", "StartsWith", "EndsWith"});
    if (method.empty()) method = "Contains";
    return source_.refused(name.at, name.name,
                           text::quoted(name.name) + " is no function; a method follows its property, as in Property." +
                               method + "(\"text\")");
  }

  // not Closed: the word of another language was read as a property.
  Error no_operand(const Segment& word) const {
    std::string meant(operator_for_word(word.name));
    if (meant == word.name) meant.clear();
    return source_.unexpected(word.at, word.name, operand_words(), std::move(meant));
  }

  Result<TextOp> text_op(const Segment& name) const {
    static constexpr std::string_view of_lists[] = {"Any", "All", "Count"};
    static constexpr std::array<std::pair<std::string_view, TextOp>, 3> methods{
        {{"Contains", TextOp::Contains}, {"StartsWith", TextOp::StartsWith}, {"EndsWith", TextOp::EndsWith}}};
    std::vector<std::string_view> names;
    std::vector<std::string> expected;
    for (const auto& [known, op] : methods) {
      if (known == name.name) return op;
      names.push_back(known);
      expected.emplace_back(known);
    }
    names.insert(names.end(), std::begin(of_lists), std::end(of_lists));
    std::string suggestion = text::nearest(name.name, names);
    std::string problem = text::quoted(name.name) + " is no method";
    if (suggestion.empty()) problem += "; there are " + listed(expected);
    return source_.refused(name.at, name.name, problem, std::move(suggestion), std::move(expected));
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

  // The text goes on behind a complete expression.
  Error after_operand(const Expression& last) const {
    const auto* word = std::get_if<PathName>(&last.form);
    if (word && word->segments.size() == 1 && at_operand() && !operator_for_word(word->segments[0].name).empty())
      return no_operand(word->segments[0]);
    if (const auto date = bare_date(last); !date.empty()) return date_without_augmenter(date);
    std::vector<std::string> expected;
    if (last.is_operand()) expected = {"an operator"};
    expected.insert(expected.end(), {"'&&'", "'||'"});
    if (depth_ > 0) expected.emplace_back("')'");
    else expected.emplace_back("the end");
    return in_.unexpected(std::move(expected));
  }

  bool at_operand() const {
    return in_.at(Kind::Name) || in_.at(Kind::Augmenter) || in_.at(Kind::Not) || at_literal(in_);
  }

  // CreatedDate > 2026-03-15 is read as the number 2026 with another behind it. Empty where no such date stands there.
  std::string_view bare_date(const Expression& last) const {
    if (in_.current().at != last.end || !in_.current().text.starts_with('-')) return {};
    std::size_t start = last.end;
    while (start > 0 && source_.text()[start - 1] >= '0' && source_.text()[start - 1] <= '9') --start;
    const std::string_view rest = source_.text().substr(start);
    const std::string_view date = rest.substr(0, rest.find_first_of(" \t)&|"));
    return parse_iso8601(date) ? date : std::string_view();
  }

  Error date_without_augmenter(std::string_view date) const {
    const auto at = static_cast<std::size_t>(date.data() - source_.text().data());
    return source_.refused(at, date, text::quoted(date) + " is no number", "@DateTime(" + std::string(date) + ")",
                           operand_words());
  }

  // `in`: the operator that takes the place of a '!' in front of the property.
  Result<void> check_operand(const Expression& side, std::string in = {}) const {
    if (side.is_operand()) return {};
    if (!std::holds_alternative<Negation>(side.form)) in.clear();
    return source_.refused(side.at, source_.text().substr(side.at, side.end - side.at),
                           "a condition is no operand of a comparison; compare a property, a literal or an augmenter",
                           std::move(in), operand_words());
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
