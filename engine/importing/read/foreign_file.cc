#include "engine/importing/read/foreign_file.h"

#include "engine/base/text.h"

#include <algorithm>
#include <utility>

namespace callisto::importing {

namespace {

using namespace std::string_view_literals;

struct Kind {
  std::string_view begin, what;
};

constexpr std::string_view as_utf8 = "; save it as UTF-8 (spreadsheet programs call that CSV UTF-8)";
constexpr Kind kinds[] = {
    {"\xFF\xFE\0\0"sv, "the file is UTF-32"},
    {"\0\0\xFE\xFF"sv, "the file is UTF-32"},
    {"\xFF\xFE"sv, "the file is UTF-16"},
    {"\xFE\xFF"sv, "the file is UTF-16"},
    {"PK\x03\x04"sv, "the file is a zip archive, as workbooks (.xlsx, .ods) are"},
    {"\xD0\xCF\x11\xE0"sv, "the file is a workbook of an old spreadsheet program (.xls)"},
    {"\xFD"
     "7zXZ"sv,
     "the file is packed with xz"},
    {"BZh"sv, "the file is packed with bzip2"},
    {"\x28\xB5\x2F\xFD"sv, "the file is packed with zstd"},
    {"%PDF"sv, "the file is a PDF document"},
};

std::string spelled(char separator) { return separator == '\t' ? "\\t" : std::string(1, separator); }

Result<void> check_json(std::string_view content) {
  if (content.starts_with('['))
    return bad_format("the file is a JSON array; write an object on each line (jq -c '.[]' does that)");
  const std::string_view line = text::trim(content.substr(0, content.find('\n')));
  if (line == "{") return bad_format("an object spans several lines; write each on one line (jq -c . does that)");
  return {};
}

// [{ or {", and not the brackets in which some databases put the names of columns.
bool looks_like_json(std::string_view content) {
  const std::string_view behind = text::trim(content.substr(std::min<std::size_t>(1, content.size())));
  return (content.starts_with('[') && behind.starts_with('{')) || (content.starts_with('{') && behind.starts_with('"'));
}

}  // namespace

Result<void> check_kind(std::string_view text, Format format) {
  for (const Kind& kind : kinds) {
    if (!text.starts_with(kind.begin)) continue;
    const bool is_packed = kind.what.find("packed") != kind.what.npos;
    return bad_format(std::string(kind.what) +
                      (is_packed ? "; unpack it, or pack it with gzip" : std::string(as_utf8)));
  }
  if (text.substr(0, text.find('\n')).find('\0') != text.npos)
    return bad_format("the first line has NUL characters, as UTF-16 and binary files have" + std::string(as_utf8));
  const std::string_view content = text::trim(text);
  if (format == Format::JsonLines) return check_json(content);
  if (looks_like_json(content))
    return bad_format("the file looks like JSON; say format = \"jsonl\" in the map, or call the file .jsonl");
  return {};
}

std::optional<char> told_separator(std::string_view text) {
  constexpr std::string_view word = "sep=";
  constexpr std::string_view line_ends = "\r\n";
  const bool is_told = text.size() > word.size() + 1 &&
                       text::equals_ignoring_ascii_case(text.substr(0, word.size()), word) &&
                       text[word.size()] != '"' && line_ends.find(text[word.size()]) == line_ends.npos &&
                       line_ends.find(text[word.size() + 1]) != line_ends.npos;
  return is_told ? std::optional(text[word.size()]) : std::nullopt;
}

std::string other_separator(std::string_view only_column, char separator) {
  char likely = separator;
  std::ptrdiff_t most = 0;
  for (const char c : {',', ';', '\t', '|'}) {
    const auto count = std::count(only_column.begin(), only_column.end(), c);
    if (c == separator || count <= most) continue;
    most = count;
    likely = c;
  }
  if (most == 0) return {};
  return "the header is one column, " + text::quoted(only_column) + ": '" + spelled(likely) +
         "' seems to separate its columns, and '" + spelled(separator) + "' is read; say separator = \"" +
         spelled(likely) + "\" in the map";
}

}  // namespace callisto::importing
