#include "engine/importing/read/table.h"

#include "engine/base/text.h"
#include "engine/importing/read/csv.h"
#include "engine/importing/read/foreign_file.h"
#include "engine/json/read_wanted.h"

#include <algorithm>
#include <utility>

namespace callisto::importing {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// A JSON value as the text of a cell; nothing for what no cell can hold.
std::optional<std::string> cell_of(const json::Node& node) {
  switch (node.kind()) {
    case json::Node::Kind::Null:
      return std::string();
    case json::Node::Kind::Boolean:
      return std::string(node.boolean() ? "true" : "false");
    case json::Node::Kind::Number:
    case json::Node::Kind::String:
      return node.text();
    case json::Node::Kind::Array:
    case json::Node::Kind::Object:
      break;
  }
  return std::nullopt;
}

// Puts the cells of a line into `cells`, all that can be had; tells what is wrong with the others, or nothing.
// `number_of` gives the number of a column.
template <typename NumberOf>
std::string read_json_cells(std::string_view line, const json::Wanted& is_named, const NumberOf& number_of,
                            std::vector<std::string>& cells) {
  const auto node = json::parse_wanted(std::string(line), is_named);
  if (!node) return node.error().message;
  if (node->kind() != json::Node::Kind::Object) return "the line is no JSON object";
  std::string problem;
  for (const json::Member& member : node->members()) {
    const std::size_t number = number_of(member.name);
    auto cell = cell_of(member.value);
    if (!cell) problem = member.name + " is " + json::name(member.value.kind()) + ", which no cell can hold";
    if (cells.size() <= number) cells.resize(number + 1);
    cells[number] = std::move(cell).value_or("");
  }
  return problem;
}

bool is_blank(const CsvRow& row) { return row.problem.empty() && row.cells.size() == 1 && row.cells[0].empty(); }

}  // namespace

Format format_of(std::string_view path) {
  std::string name = text::ascii_lower(path);
  for (const std::string_view ending : {".rejected", ".gz"})
    while (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name.ends_with(".jsonl") || name.ends_with(".ndjson") ? Format::JsonLines : Format::Csv;
}

Result<Table> Table::read(std::string text, const TableOptions& options) {
  Table table;
  table.options_ = options;
  table.text_ = std::move(text);
  if (table.text_.starts_with(byte_order_mark)) table.header_begin_ = byte_order_mark.size();
  CALLISTO_CHECK(check_kind(std::string_view(table.text_).substr(table.header_begin_), options.format));
  if (options.format == Format::JsonLines) {
    table.read_json_lines();
  } else {
    CALLISTO_CHECK(table.read_csv());
  }
  return table;
}

Result<void> Table::read_csv() {
  std::size_t begin = header_begin_, line = 1;
  if (const auto told = told_separator(std::string_view(text_).substr(begin))) {
    options_.separator = *told;
    begin = text_.find_first_of("\r\n", begin);
    begin += text_.compare(begin, 2, "\r\n") == 0 ? 2 : 1;
    ++line;
  }
  CsvReader reader(text_, options_.separator, begin, line);
  CsvRow found;
  do {
    if (!reader.next(found)) return bad_format("the file is empty: a header with the names of the columns is missing");
  } while (is_blank(found));
  if (!found.problem.empty()) {
    const std::string header = text_.substr(found.begin, text_.find('\n', found.begin) - found.begin);
    const std::string other = other_separator(header, options_.separator);
    return bad_format("the header cannot be read: " + found.problem + (other.empty() ? other : "; " + other));
  }
  header_end_ = found.end;
  CALLISTO_CHECK(read_header(found.cells));
  while (reader.next(found)) {
    if (is_blank(found) && columns_.size() > 1) continue;
    const Row row{found.begin, found.end - found.begin, found.line};
    if (!found.problem.empty()) found.cells.pop_back();  // those before it are whole
    else found.problem = problem_of(row, found.cells);
    add(row, std::move(found.cells), std::move(found.problem));
  }
  return {};
}

std::string Table::problem_of(const Row& row, const std::vector<std::string>& cells) const {
  if (cells.size() != columns_.size())
    return "the row has " + std::to_string(cells.size()) + (cells.size() == 1 ? " cell" : " cells") + ", the header " +
           std::to_string(columns_.size());
  if (text::is_utf8(original_of(row))) return {};
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (is_named(columns_[i]) && !text::is_utf8(cells[i])) return "the row is not UTF-8 text";
  return {};
}

// A name that no map can mean is none, as is one that stood there before and that the map does not mean.
Result<void> Table::read_header(const std::vector<std::string>& names) {
  bool is_utf8 = true;
  for (const std::string& name : names) {
    is_utf8 = is_utf8 && text::is_utf8(name);
    const bool is_new = !name.empty() && text::is_utf8(name) && column_numbers_.emplace(name, columns_.size()).second;
    if (!is_new && is_named(name))
      return bad_format("the column " + text::quoted(name) + " occurs twice in the header");
    columns_.push_back(is_new ? name : std::string());
  }
  const bool has_all = std::all_of(options_.named.begin(), options_.named.end(),
                                   [&](const std::string& name) { return column_numbers_.count(name) != 0; });
  if (!is_utf8 && !has_all)
    return bad_format(
        "the header is not UTF-8 text; save the file as UTF-8 (spreadsheet programs call that CSV UTF-8)");
  if (columns_.size() == 1 && !has_all)
    if (std::string why = other_separator(columns_[0], options_.separator); !why.empty())
      return bad_format(std::move(why));
  if (const auto found = column_numbers_.find(options_.group_by); found != column_numbers_.end())
    group_by_ = found->second;
  return {};
}

void Table::read_json_lines() {
  const auto number_of = [this](const std::string& name) {
    const auto [known, is_new] = column_numbers_.emplace(name, columns_.size());
    if (is_new) columns_.push_back(name);
    if (is_new && name == options_.group_by) group_by_ = known->second;
    return known->second;
  };
  const json::Wanted is_wanted = [this](std::string_view name) { return is_named(name); };
  Row row{header_begin_, 0, 1};
  for (; row.begin < text_.size(); row.begin += row.size, ++row.line) {
    const std::size_t end = text_.find('\n', row.begin);
    row.size = (end == text_.npos ? text_.size() : end + 1) - row.begin;
    const std::string_view line = text::trim(original_of(row));
    if (line.empty()) continue;
    std::vector<std::string> cells;
    std::string problem = read_json_cells(line, is_wanted, number_of, cells);
    add(row, std::move(cells), std::move(problem));
  }
}

void Table::add(Row row, std::vector<std::string> cells, std::string problem) {
  const std::size_t number = rows_.size();
  rows_.push_back(row);
  clean(cells);
  const bool is_known = group_by_ && *group_by_ < cells.size() && text::is_utf8(cells[*group_by_]);
  if (options_.group_by.empty()) {
    groups_.push_back({{}, {number}});
  } else if (is_known && !cells[*group_by_].empty()) {
    group(number, cells);
  } else {
    left_alone_.push_back(number);
    problem = problem.empty() ? options_.group_by + " is empty, so the row belongs to no group"
                              : problem + "; its group cannot be told";
  }
  if (!problem.empty()) problems_.emplace(number, std::move(problem));
}

void Table::group(std::size_t row, const std::vector<std::string>& cells) {
  const std::string& name = cells[*group_by_];
  const auto [known, is_new] = group_numbers_.emplace(name, groups_.size());
  if (is_new) groups_.push_back({name, {}});
  groups_[known->second].rows.push_back(row);
}

void Table::clean(std::vector<std::string>& cells) const {
  if (options_.null.empty()) return;
  for (std::string& cell : cells)
    if (cell == options_.null) cell.clear();
}

std::vector<std::string> Table::cells(std::size_t row) const {
  std::vector<std::string> cells;
  if (options_.format == Format::Csv) {
    CsvRow found;
    CsvReader(original(row), options_.separator).next(found);
    cells = std::move(found.cells);
  } else {
    const auto number_of = [this](const std::string& name) { return column_numbers_.find(name)->second; };
    const json::Wanted is_wanted = [this](std::string_view name) { return is_named(name); };
    read_json_cells(text::trim(original(row)), is_wanted, number_of, cells);
  }
  clean(cells);
  return cells;
}

std::string_view Table::original(std::size_t row) const { return original_of(rows_[row]); }

std::string_view Table::original_of(const Row& row) const {
  return std::string_view(text_).substr(row.begin, row.size);
}

std::string_view Table::header() const {
  return std::string_view(text_).substr(header_begin_,
                                        options_.format == Format::Csv ? header_end_ - header_begin_ : 0);
}

}  // namespace callisto::importing
