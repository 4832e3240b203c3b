#include "engine/app/describing/findings.h"

#include "engine/app/opening/prepare.h"
#include "engine/base/text.h"
#include "engine/records/examine.h"
#include "engine/script/program.h"

#include <cctype>
#include <fstream>
#include <utility>

namespace callisto::app {

namespace {

constexpr std::size_t longest_excerpt = 160;

std::string line_of(const catalog::Origin& origin) {
  std::ifstream in(origin.file, std::ios::binary);
  std::string line;
  for (int number = 0; number < origin.line; ++number)
    if (!std::getline(in, line)) return {};
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return text::is_utf8(line) ? line : std::string();
}

bool is_part_of_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::size_t find_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_part_of_word(line[at - 1]) || !is_part_of_word(word.front());
    const bool ends = end == line.size() || !is_part_of_word(line[end]) || !is_part_of_word(word.back());
    if (begins && ends) return at;
  }
  return line.npos;
}

void point_at(Finding& finding, std::size_t byte, std::size_t length) {
  finding.column = text::column(finding.excerpt, byte);
  finding.length = length;
}

// Where the message begins to quote words of the line: what a syntax error is near to comes before what it expects.
std::size_t first_quote(const std::string& message) {
  const std::size_t near = message.find(" near '");
  return message.find('\'', near == message.npos ? 0 : near);
}

// A filter knows its own place; elsewhere the first word that the message quotes and the line has is meant.
void point(Finding& finding) {
  const auto& [origin, message, suggestion, filter, position] = finding.problem;
  const std::string_view line = finding.excerpt;
  if (const std::size_t at = filter.empty() ? line.npos : line.find(filter); at != line.npos && position > 0) {
    point_at(finding, at, 1);
    finding.column += position - 1;
  }
  for (std::size_t open = first_quote(message); open != message.npos;) {
    const std::size_t close = message.find('\'', open + 1);
    if (close == message.npos) return;
    const std::string_view word = std::string_view(message).substr(open + 1, close - open - 1);
    const std::size_t at = word.empty() ? line.npos : find_word(line, word);
    if (at != line.npos && finding.column == 0) return point_at(finding, at, text::length(word));
    if (at != line.npos && text::column(line, at) == finding.column) finding.length = text::length(word);
    open = message.find('\'', close + 1);
  }
}

void add(std::vector<Finding>& findings, Severity severity, std::vector<catalog::Problem> problems) {
  for (catalog::Problem& problem : problems) {
    Finding finding{severity, std::move(problem), {}};
    if (finding.problem.origin.line > 0) finding.excerpt = line_of(finding.problem.origin);
    if (!finding.excerpt.empty()) point(finding);
    findings.push_back(std::move(finding));
  }
}

// The line with a caret below. Tabs stay tabs, so that the caret stands where a terminal shows the place.
std::string framed(const Finding& finding, bool colours) {
  if (finding.excerpt.empty() || text::length(finding.excerpt) > longest_excerpt) return {};
  std::string lines = "    " + finding.excerpt + "\n";
  if (finding.column == 0) return lines;
  std::size_t before = 1;
  lines += "    ";
  for (const char byte : finding.excerpt) {
    if (before == finding.column) break;
    if ((static_cast<unsigned char>(byte) & 0xC0U) == 0x80U) continue;  // a character's later bytes
    lines += byte == '\t' ? '\t' : ' ';
    ++before;
  }
  lines.append(finding.column - before, ' ');  // behind the end of the line
  lines += colours ? "\033[32;1m^" : "^";
  lines.append(finding.length > 1 ? finding.length - 1 : 0, '~');
  return lines + (colours ? "\033[0m\n" : "\n");
}

std::string title(const Finding& finding, bool colours) {
  const auto& [file, line] = finding.problem.origin;
  const bool is_warning = finding.severity == Severity::Warning;
  std::string place = (file.empty() ? "callisto" : file) + (line > 0 ? ":" + std::to_string(line) : "") + ": ";
  std::string kind = is_warning ? "warning: " : "";
  if (colours) place = "\033[1m" + place + "\033[0m", kind = "\033[33m" + kind + "\033[0m";
  return place + kind + finding.problem.message + "\n";
}

}  // namespace

Result<Checked> check_desk(const Settings& settings, const Clock& clock, Random& random) {
  Checked checked;
  std::vector<std::string> settings_problems;
  prepare(settings, settings_problems);
  for (std::string& problem : settings_problems)
    checked.findings.push_back({Severity::Error, {{}, std::move(problem), {}}, {}});
  CALLISTO_TRY(auto read, read_model(settings, clock, random));
  add(checked.findings, Severity::Error, std::move(read.problems));
  if (!checked.findings.empty()) return checked;
  add(checked.findings, Severity::Warning, script::left_behind_in(script_folders(settings)));
  add(checked.findings, Severity::Warning, records::examine(*read.model));
  checked.model = std::move(read.model);
  return checked;
}

std::string to_text(const std::vector<Finding>& findings, bool colours) {
  std::string all;
  for (const Finding& finding : findings) {
    all += title(finding, colours) + framed(finding, colours);
    if (!finding.problem.suggestion.empty()) all += "    " + finding.problem.suggestion + "\n";
  }
  return all;
}

}  // namespace callisto::app
