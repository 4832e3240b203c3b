// Sql: statement text that only string literals, checked identifiers and numbered parameters can extend, so that no
// text of a request can ever become SQL. A plain value; any thread.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace callisto {

class SqlLiteral {
 public:
  template <std::size_t N>
  consteval SqlLiteral(const char (&text)[N]) : text_(text, N - 1) {}
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// A table or column name. Letters, digits and '_' only, so quoting it is always safe.
class SqlIdentifier {
 public:
  SqlIdentifier() = default;
  static bool is_valid(std::string_view name) {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
    for (char c : name)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
    return true;
  }
  // An invalid name yields an empty identifier; callers check with is_valid first (the catalog does).
  static SqlIdentifier of(std::string_view name) { return is_valid(name) ? SqlIdentifier(name) : SqlIdentifier(); }
  // A table of the engine's own that stands beside this one; '~' keeps it apart from all that of() makes.
  SqlIdentifier beside(SqlLiteral purpose) const { return SqlIdentifier(text_ + '~' + std::string(purpose.text())); }
  const std::string& text() const { return text_; }
  bool operator==(const SqlIdentifier&) const = default;

 private:
  explicit SqlIdentifier(std::string_view name) : text_(name) {}
  std::string text_;
};

class Sql {
 public:
  Sql() = default;
  Sql(SqlLiteral literal) : text_(literal.text()) {}

  Sql& operator<<(SqlLiteral literal) {
    text_ += literal.text();
    return *this;
  }
  Sql& operator<<(const SqlIdentifier& name) {
    text_ += '"';
    text_ += name.text();
    text_ += '"';
    return *this;
  }
  Sql& operator<<(const Sql& part) {
    text_ += part.text_;
    return *this;
  }
  // A table alias: prefix and number, such as t3.
  Sql& alias(char prefix, std::size_t number) {
    text_ += prefix;
    return number_(number);
  }
  // The `number`th parameter, 1-based: ?3 (SQLite) and, rewritten by the storage, $3 (PostgreSQL).
  Sql& parameter(std::size_t number) {
    text_ += '?';
    return number_(number);
  }
  // A text of the program or the desk's own definitions, where no parameter can stand (a default); never a request's.
  Sql& constant(std::string_view text) {
    text_ += '\'';
    for (const char c : text) text_.append(c == '\'' ? 2 : 1, c);
    text_ += '\'';
    return *this;
  }
  // A constant that the program itself chose (a limit, a discriminator); never a request's.
  Sql& integer(std::size_t number) { return number_(number); }

  // A plan of the statement serves all values of its parameters. PostgreSQL keeps it then; SQLite always does.
  void plan_once(bool whether) { is_planned_once_ = whether; }
  bool is_planned_once() const { return is_planned_once_; }

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  Sql& number_(std::size_t number) {
    char digits[24];
    auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text_.append(digits, end);
    return *this;
  }
  std::string text_;
  bool is_planned_once_ = false;
};

}  // namespace callisto
