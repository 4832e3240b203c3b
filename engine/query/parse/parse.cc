#include "engine/query/parse/parse.h"

#include <utility>

namespace callisto::query {

using Kind = Token::Kind;

Result<PathName> parse_path(TokenReader& in, const char* description) {
  PathName path;
  do {
    CALLISTO_TRY(const Token name, in.expect(Kind::Name, description));
    path.segments.push_back({name.text, name.at});
  } while (in.skip(Kind::Dot));
  return path;
}

bool at_literal(const TokenReader& in) {
  if (in.at(Kind::Number) || in.at(Kind::Text)) return true;
  const std::string_view word = in.current().text;
  return in.at(Kind::Name) && (word == "true" || word == "false" || word == "null");
}

Literal take_literal(TokenReader& in) {
  Token token = in.take();
  if (token.kind == Kind::Number) return {Literal::Kind::Number, false, std::string(token.text)};
  if (token.kind == Kind::Text) return {Literal::Kind::Text, false, std::move(token.value)};
  if (token.text == "null") return {};
  return {Literal::Kind::Boolean, token.text == "true", {}};
}

}  // namespace callisto::query
