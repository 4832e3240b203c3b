// The grammar of RFC 7644 3.4.2.2.
#include "engine/base/text.h"
#include "engine/scim/protocol/filter.h"
#include "engine/scim/protocol/refusal.h"

#include <algorithm>
#include <array>

namespace callisto::scim {

namespace {

constexpr std::size_t deepest = 16;
constexpr std::size_t longest = 8192;
constexpr std::array<std::string_view, 9> operators{"eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"};

bool is_of_path(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == ':' ||
         c == '_' || c == '-' || c == '$';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Term> run() {
    if (text_.size() > longest) return wrong("it is longer than " + std::to_string(longest) + " bytes");
    CALLISTO_TRY(Term term, either(0));
    skip();
    if (at_ < text_.size()) return wrong("an operator is due");
    return term;
  }

 private:
  Error wrong(const std::string& what) const {
    return refuse(400, "invalidFilter", "The filter, column " + std::to_string(at_ + 1) + ": " + what + ".");
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool takes(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_path(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool takes_word(std::string_view wanted) {
    const std::size_t before = at_;
    if (text::equals_ignoring_ascii_case(word(), wanted)) return true;
    at_ = before;
    return false;
  }

  // "and" binds tighter than "or".
  Result<Term> either(std::size_t depth) {
    if (depth > deepest) return wrong("parentheses are too deep in each other");
    return chain(Term::Kind::Or, "or", [&] { return chain(Term::Kind::And, "and", [&] { return one(depth); }); });
  }

  template <typename Next>
  Result<Term> chain(Term::Kind kind, std::string_view between, const Next& next) {
    Term whole;
    whole.kind = kind;
    do {
      CALLISTO_TRY(Term term, next());
      whole.children.push_back(std::move(term));
    } while (takes_word(between));
    if (whole.children.size() == 1) return Term(std::move(whole.children.front()));
    return whole;
  }

  Result<Term> one(std::size_t depth) {
    if (takes('(')) return grouped(depth);
    const std::size_t before = at_;
    if (takes_word("not") && takes('(')) {
      CALLISTO_TRY(Term inner, grouped(depth));
      Term negated;
      negated.kind = Term::Kind::Not;
      negated.children.push_back(std::move(inner));
      return negated;
    }
    at_ = before;
    return comparison(depth);
  }

  Result<Term> grouped(std::size_t depth) {
    CALLISTO_TRY(Term inner, either(depth + 1));
    if (!takes(')')) return wrong("')' is due");
    return inner;
  }

  Result<Term> comparison(std::size_t depth) {
    Term term;
    term.path = word();
    if (term.path.empty()) return wrong("an attribute is due");
    if (at_ < text_.size() && text_[at_] == '[') return within(std::move(term), depth);
    term.op = text::ascii_lower(word());
    if (term.op == "pr") {
      term.kind = Term::Kind::Present;
      return term;
    }
    if (std::find(operators.begin(), operators.end(), term.op) == operators.end())
      return wrong("one of eq, ne, co, sw, ew, gt, ge, lt, le and pr is due");
    CALLISTO_TRY(term.value, literal());
    return term;
  }

  Result<Term> within(Term term, std::size_t depth) {
    ++at_;
    term.kind = Term::Kind::Within;
    CALLISTO_TRY(Term inner, either(depth + 1));
    term.children.push_back(std::move(inner));
    if (!takes(']')) return wrong("']' is due");
    if (at_ < text_.size() && text_[at_] == '.') {  // of the path of a change
      term.path += word();
    }
    return term;
  }

  // A JSON value without lists and objects.
  Result<json::Node> literal() {
    skip();
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
        if (text_[at_] == '\\') ++at_;
      at_ = std::min(at_ + 1, text_.size());
    } else {
      while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != ')' && text_[at_] != ']') ++at_;
    }
    std::string value(text_.substr(begin, at_ - begin));
    for (const std::string_view each : {"true", "false", "null"})
      if (text::equals_ignoring_ascii_case(value, each)) value = each;
    auto node = json::parse(value);
    const bool is_one = node && node->kind() != json::Node::Kind::Array && node->kind() != json::Node::Kind::Object;
    if (is_one && node->text().find('\0') == std::string::npos) return node;
    at_ = begin;
    return wrong("a value is due: a text in double quotes, a number, true, false or null");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Term> parse_filter(std::string_view text) { return Parser(text).run(); }

}  // namespace callisto::scim
