// Tokens of $filter, $select, $orderby and the joins, read one at a time. Views point into the option's text, which
// must outlive them. Nothing here allocates except texts whose escapes are resolved. One thread.
#pragma once

#include "engine/base/result.h"
#include "engine/query/parse/diagnostics.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::query {

struct Token {
  enum class Kind {
    End,
    Name,
    Augmenter,
    Number,
    Text,
    Raw,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Not,
    Open,
    Close,
    Comma,
    Dot,
    Colon,
    Star,
    Placeholder,
    Invalid
  };
  Kind kind = Kind::End;
  std::size_t at = 0;             // byte offset
  std::string_view text;          // as written; Augmenter: without '@'
  std::string value;              // Text: quotes and escapes resolved
  const char* problem = nullptr;  // Invalid: ", which is no number"
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();

  // What stands unquoted up to the next ',', '(', ')' or '"', without the blanks around it; or a quoted text. An
  // argument such as 2026-03-15T08:05:00+01:00 is no token of the grammar.
  Token next_raw();

 private:
  void skip_blanks();
  Token token(Token::Kind kind, std::size_t length);
  Token invalid(std::size_t end, const char* problem);
  Token symbol();
  Token name();
  Token augmenter();
  Token number();
  Token quoted_text();
  const char* escape(std::string& value);
  bool hex4(std::size_t at, unsigned& unit) const;
  char ahead(std::size_t distance) const { return at_ + distance < text_.size() ? text_[at_ + distance] : '\0'; }

  std::string_view text_;
  std::size_t at_ = 0;
};

// A lexer with its current token and the errors a parser makes at it.
class TokenReader {
 public:
  explicit TokenReader(const Source& source) : source_(source), lexer_(source.text()), current_(lexer_.next()) {}

  const Source& source() const { return source_; }
  const Token& current() const { return current_; }
  bool at(Token::Kind kind) const { return current_.kind == kind; }
  Token take();                 // the current token, moving on to the next
  Token take_before_raw();      // the same, but what follows is read by Lexer::next_raw
  bool skip(Token::Kind kind);  // take it if it is there

  Result<Token> expect(Token::Kind kind, const char* description);
  Error unexpected(std::vector<std::string> expected) const;

 private:
  const Source& source_;
  Lexer lexer_;
  Token current_;
};

}  // namespace callisto::query
