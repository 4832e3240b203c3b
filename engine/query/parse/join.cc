#include "engine/query/parse/parse.h"

#include <utility>

namespace callisto::query {

namespace {

using Kind = Token::Kind;

// TargetProperty == Path or literal.
Result<JoinClause> parse_clause(TokenReader& in) {
  JoinClause clause;
  CALLISTO_TRY(const Token property, in.expect(Kind::Name, "a property of the joined entity"));
  clause.target_property = {property.text, property.at};
  CALLISTO_CHECK(in.expect(Kind::Equal, "'=='"));
  clause.source_at = in.current().at;
  if (at_literal(in)) {
    clause.source = take_literal(in);
    return clause;
  }
  if (!in.at(Kind::Name)) return in.unexpected({"a property", "a literal"});
  CALLISTO_TRY(clause.source, parse_path(in, "a property"));
  return clause;
}

// Alias:Target(clause && ...). The target is read raw: kebab-case names are no tokens of the grammar.
Result<JoinItem> parse_item(TokenReader& in, const Limits& limits) {
  JoinItem item;
  CALLISTO_TRY(const Token alias, in.expect(Kind::Name, "an alias"));
  item.alias = {alias.text, alias.at};
  if (!in.at(Kind::Colon)) return in.unexpected({"':'"});
  in.take_before_raw();
  if (!in.at(Kind::Raw) || in.current().text.empty()) return in.unexpected({"an entity"});
  const Token target = in.take();
  item.target = {target.text, target.at};
  CALLISTO_CHECK(in.expect(Kind::Open, "'('"));
  do {
    const std::size_t at = in.current().at;
    CALLISTO_TRY(JoinClause clause, parse_clause(in));
    if (item.clauses.size() == limits.nodes)
      return in.source().refused(at, {}, "more than " + std::to_string(limits.nodes) + " comparisons in a join");
    item.clauses.push_back(std::move(clause));
  } while (in.skip(Kind::And));
  if (!in.at(Kind::Close)) return in.unexpected({"'&&'", "')'"});
  in.take();
  return item;
}

}  // namespace

Result<std::vector<JoinItem>> parse_joins(const Source& source, const Limits& limits) {
  TokenReader in(source);
  std::vector<JoinItem> items;
  do {
    CALLISTO_TRY(JoinItem item, parse_item(in, limits));
    items.push_back(std::move(item));
  } while (in.skip(Kind::Comma));
  if (!in.at(Kind::End)) return in.unexpected({"','", "the end"});
  return items;
}

}  // namespace callisto::query
