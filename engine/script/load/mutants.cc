#include "engine/script/mutants.h"

#include "engine/script/load/scanner.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace callisto::script {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<std::string_view, 8> droppable{"from",  "offered", "allowed",  "mandatory",
                                                    "needs", "raises",  "moves_to", "due"};
// Longer signs first.
constexpr std::array<Pair, 6> of_code{{{"==", "~="}, {"~=", "=="}, {"<=", ">"}, {">=", "<"}, {"<", ">="}, {">", "<="}}};
constexpr std::array<Pair, 2> of_words{{{"and", "or"}, {"or", "and"}}};
constexpr std::array<Pair, 8> of_filters{{{" == ", " != "},
                                          {" != ", " == "},
                                          {" <= ", " > "},
                                          {" >= ", " < "},
                                          {" < ", " >= "},
                                          {" > ", " <= "},
                                          {" && ", " || "},
                                          {" || ", " && "}}};
constexpr std::string_view mark = "-- no mutant: ";

std::string trimmed(std::string_view sign) {
  return std::string(sign.starts_with(' ') ? sign.substr(1, sign.size() - 2) : sign);
}

bool opens(std::string_view token) { return token == "function" || token == "if" || token == "do"; }

class Writer {
 public:
  explicit Writer(std::string_view source) : source_(source), scanner_(source, Scanner::Texts::Told) {}

  std::vector<Mutant> write() && {
    while (scanner_.next()) {
      const std::size_t at = place();
      if (scanner_.token == "{") ++braces_;
      if (scanner_.token == "}") --braces_;
      if (braces_ == 1 && (before_ == "{" || before_ == ",")) drop_option(at);
      if (scanner_.token == "=") option_ = before_;
      const bool is_prose = before_ == "=" && (option_ == "description" || option_ == "title");
      if (is_text(scanner_.token) && !is_prose) turn_filter(at);
      else if (!is_text(scanner_.token) && at >= behind_sign_) turn_code(at);
      before_ = scanner_.token;
    }
    return std::move(mutants_);
  }

 private:
  std::size_t place() const { return static_cast<std::size_t>(scanner_.token.data() - source_.data()); }

  void add(std::size_t begin, std::size_t length, std::string_view instead, std::string words) {
    const std::size_t end = std::min(source_.find('\n', begin), source_.size());
    const std::size_t start = source_.rfind('\n', begin) + 1;  // npos + 1 is 0
    if (source_.substr(start, end - start).find(mark) != std::string_view::npos) return;
    mutants_.push_back({begin, length, std::string(instead), scanner_.line, std::move(words)});
  }

  void turn(std::size_t begin, const Pair& pair) {
    add(begin, pair.first.size(), pair.second, "`" + trimmed(pair.first) + "` becomes `" + trimmed(pair.second) + "`");
  }

  // `name = value,` of the table that a file returns.
  void drop_option(std::size_t at) {
    if (std::find(droppable.begin(), droppable.end(), scanner_.token) == droppable.end()) return;
    Scanner value = scanner_;
    if (!value.next() || value.token != "=") return;
    const auto end = end_of_value(value);
    if (end) add(at, *end - at, "", "`" + std::string(scanner_.token) + "` is left out");
  }

  // Behind the comma, or before the brace that closes the table.
  std::optional<std::size_t> end_of_value(Scanner& value) const {
    for (int depth = 0; value.next();) {
      const auto at = static_cast<std::size_t>(value.token.data() - source_.data());
      if (depth == 0 && value.token == ",") return at + 1;
      if (depth == 0 && value.token == "}") return at;
      if (value.token == "{" || value.token == "(" || opens(value.token)) ++depth;
      if (value.token == "}" || value.token == ")" || value.token == "end") --depth;
    }
    return std::nullopt;
  }

  void turn_code(std::size_t at) {
    for (const Pair& pair : of_words)
      if (scanner_.token == pair.first) return turn(at, pair);
    if (scanner_.token == "not") return add(at, scanner_.token.size(), "", "`not` is left out");
    for (const Pair& pair : of_code) {
      if (!source_.substr(at).starts_with(pair.first)) continue;
      behind_sign_ = at + pair.first.size();
      return turn(at, pair);
    }
  }

  void turn_filter(std::size_t begin) {
    for (std::size_t at = 1; at + 1 < scanner_.token.size(); ++at) {
      const std::string_view rest = scanner_.token.substr(at);
      for (const Pair& pair : of_filters)
        if (rest.starts_with(pair.first)) turn(begin + at, pair);
      const bool negates = rest[0] == '!' && (rest[1] == '@' || std::isalpha(static_cast<unsigned char>(rest[1])) != 0);
      if (negates) add(begin + at, 1, "", "`!` is left out");
    }
  }

  std::string_view source_;
  Scanner scanner_;
  int braces_ = 0;
  std::size_t behind_sign_ = 0;  // of two characters, which are two tokens
  std::string_view before_;
  std::string_view option_;  // before the last `=`
  std::vector<Mutant> mutants_;
};

}  // namespace

std::vector<Mutant> mutants_of(std::string_view source) { return Writer(source).write(); }

std::string mutated(std::string_view source, const Mutant& mutant) {
  return std::string(source).replace(mutant.begin, mutant.length, mutant.instead);
}

}  // namespace callisto::script
