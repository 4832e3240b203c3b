// Html: markup that only string literals and escaped text can extend, so that no text of a request, of a client or of
// a database can ever become markup (as Sql is for statements). A plain value; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto {

class HtmlLiteral {
 public:
  template <std::size_t N>
  consteval HtmlLiteral(const char (&text)[N]) : text_(text, N - 1) {}
  consteval explicit HtmlLiteral(std::string_view constant) : text_(constant) {}  // a text compiled into the program
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

class Html {
 public:
  Html() = default;
  Html(HtmlLiteral literal) : text_(literal.text()) {}

  Html& operator<<(HtmlLiteral literal) {
    text_ += literal.text();
    return *this;
  }
  Html& operator<<(const Html& part) {
    text_ += part.text_;
    return *this;
  }
  // Escaped for element content and for attribute values in double or single quotes. `text` is UTF-8.
  Html& text(std::string_view text);

  bool empty() const { return text_.empty(); }
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

}  // namespace callisto
