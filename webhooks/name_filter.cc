#include "webhooks/name_filter.h"

#include "engine/base/text.h"
#include "webhooks/regex_cost.h"

#include <algorithm>
#include <optional>
#include <regex>

namespace callisto::webhooks {

struct NameFilter::Expression {
  std::wregex regex;
};

namespace {

constexpr std::size_t longest_expression = 512;

// No matches of groups are kept: each state would carry a copy of them.
constexpr auto flags = std::regex_constants::ECMAScript | std::regex_constants::icase | std::regex_constants::nosubs |
                       std::regex_constants::__polynomial;

// `utf8` must be UTF-8.
std::wstring widened(std::string_view utf8) {
  std::wstring out;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[at++]);
    const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    unsigned c = more == 0 ? lead : lead & (0x3FU >> more);
    for (int i = 0; i < more; ++i) c = (c << 6) | (static_cast<unsigned char>(utf8[at++]) & 0x3FU);
    out += static_cast<wchar_t>(c);
  }
  return out;
}

// Characters outside ASCII folded; of the others std::regex takes care, and \S is not \s.
std::string folded_outside_ascii(std::string_view pattern) {
  std::string out;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  for (auto at = pattern.begin(); at != pattern.end();) {
    const auto foreign = std::find_if_not(at, pattern.end(), is_ascii);
    const auto end = std::find_if(foreign, pattern.end(), is_ascii);
    out.append(at, foreign);
    out += text::fold(std::string_view(foreign, end));
    at = end;
  }
  return out;
}

// std::regex refuses them as well, but computes their number first, in a long that may overflow.
bool has_back_reference(std::string_view expression) {
  for (std::size_t at = 0; (at = expression.find('\\', at)) < expression.size() - 1; at += 2)
    if (expression[at + 1] >= '1' && expression[at + 1] <= '9') return true;
  return false;
}

constexpr const char* no_back_references =
    "back-references such as \\1 are not allowed, because they can take for ever; spell the text out";

const char* words_for(std::regex_constants::error_type code) {
  using namespace std::regex_constants;
  if (code == error_paren)  // also what libstdc++ says where the text ends too early for it
    return "a parenthesis is not closed or was never opened, or nothing stands before a *, +, ? or {";
  if (code == error_brack) return "a [ is not closed";
  if (code == error_brace || code == error_badbrace) return "a {count} is broken; write {3}, {3,} or {3,7}";
  if (code == error_range) return "a range in [...] runs backwards";
  if (code == error_badrepeat) return "nothing stands before a *, +, ? or {; a literal one is written \\*";
  if (code == error_escape) return "a backslash stands before what cannot be escaped";
  if (code == error_ctype || code == error_collate) return "a [:class:] or [.name.] is unknown";
  if (code == error_complexity || code == error_backref) return no_back_references;
  return "it is too complicated; shorten it";
}

std::optional<std::string> limit_broken(std::string_view expression) {
  if (!text::is_utf8(expression)) return "it is no UTF-8";
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; };
  if (std::any_of(expression.begin(), expression.end(), control)) return "it holds a control character; write \\xHH";
  if (text::length(expression) > longest_expression) return "it is longer than 512 characters; shorten it";
  if (has_back_reference(expression)) return no_back_references;
  const RegexCost cost = cost_of(expression);
  if (cost.depth > RegexCost::deepest) return "its groups are nested deeper than 16; flatten it";
  if (cost.steps > RegexCost::most_steps)
    return "its counted repeats or lookaheads would take too long; use smaller counts, and no lookahead in another";
  return std::nullopt;
}

Result<std::wregex> compile(std::string_view expression) {
  auto broken = limit_broken(expression);
  if (!broken) {
    try {
      const std::wstring pattern = widened(folded_outside_ascii(expression));
      std::wregex regex;
      regex.imbue(std::locale::classic());
      regex.assign(pattern, flags);  // alone: "a)(b" would do inside the group below
      // A search would start anew at each character; so the whole name is matched, in one pass.
      regex.assign(L"[\\s\\S]*(?:" + pattern + L")[\\s\\S]*", flags);
      return regex;
    } catch (const std::regex_error& error) { broken = words_for(error.code()); }
  }
  return bad_format("AttachmentNameFilter: " + text::quoted(text::well_formed(expression)) +
                    " is not a usable regular expression: " + *broken);
}

std::wstring looked_at(std::string_view name) {
  std::wstring wide = widened(text::fold(text::well_formed(name)));
  constexpr std::size_t tail = longest_name / 2;
  if (wide.size() > longest_name) wide.erase(longest_name - tail, wide.size() - longest_name);
  return wide;
}

}  // namespace

Result<NameFilter> NameFilter::parse(std::string_view text) {
  NameFilter filter;
  std::size_t steps = 0;
  for (const std::string_view part : text::split(text, ';')) {
    const std::string_view expression = text::trim(part);
    if (expression.empty()) continue;
    CALLISTO_TRY(std::wregex regex, compile(expression));
    steps += cost_of(expression).steps;
    filter.expressions_.push_back(std::make_shared<const Expression>(Expression{std::move(regex)}));
  }
  if (steps > RegexCost::most_steps)
    return bad_format("AttachmentNameFilter: its expressions together would take too long; use fewer or shorter ones");
  return filter;
}

bool NameFilter::matches(std::string_view name) const {
  if (expressions_.empty()) return true;
  const std::wstring wide = looked_at(name);
  try {
    return std::any_of(expressions_.begin(), expressions_.end(),
                       [&](const auto& expression) { return std::regex_match(wide, expression->regex); });
  } catch (const std::regex_error&) { return false; }
}

}  // namespace callisto::webhooks
