#include "engine/api/answers/csv_page.h"

#include "engine/base/base64.h"
#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/http/weight.h"
#include "engine/json/write.h"
#include "engine/records/values.h"

#include <algorithm>
#include <optional>

namespace callisto::api {

using query::ShapeNode;

namespace {

bool is(std::string_view a, std::string_view b) { return text::equals_ignoring_ascii_case(a, b); }

// RFC 4180 2.6: "Fields containing line breaks (CRLF), double quotes, and commas should be enclosed in double-quotes."
bool needs_quotes(std::string_view text) {
  return text.find_first_of(",\"\r\n") != text.npos || text.starts_with(' ') || text.ends_with(' ');
}

bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != text.npos;
}

std::string plain(const Value& value) {
  struct Visitor {
    std::string operator()(Null) const { return {}; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const {
      std::string text;
      json::append_double(text, number);
      return text;
    }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(DateTime moment) const {
      std::string text;
      append_iso8601(text, moment);
      return text;
    }
    std::string operator()(const Decimal& decimal) const {
      std::string text;
      json::append_decimal(text, decimal);
      return text;
    }
    std::string operator()(const Binary& binary) const { return encode_base64(binary.bytes, Base64::Padded); }
  };
  return std::visit(Visitor{}, value);
}

bool is_text(const Value& value) { return std::holds_alternative<std::string>(value); }

}  // namespace

// RFC 9110 12.5.1: the most specific range that fits a media type tells its weight.
CsvWish csv_wish(std::string_view accept) {
  CsvWish wish;
  std::optional<int> csv, texts, json;
  int any = 0;
  for (std::string_view each : text::split(accept, ',')) {
    const std::size_t end = std::min(each.find(';'), each.size());
    const std::string_view range = text::trim(each.substr(0, end));
    const std::string_view parameters = each.substr(std::min(end + 1, each.size()));
    const int wanted = http::weight_of(parameters);
    if (is(range, "text/csv")) csv = std::max(csv.value_or(0), wanted);
    else if (is(range, "text/*")) texts = wanted;
    else if (is(range, "application/json") || is(range, "application/*")) json = std::max(json.value_or(0), wanted);
    else if (range == "*/*") any = wanted;
    if (is(range, "text/csv"))
      for (const std::string_view parameter : text::split(parameters, ';'))
        wish.disarms_formulas = wish.disarms_formulas || is(text::trim(parameter), "formulas=text");
  }
  const int of_csv = csv.value_or(0);
  wish.is_wanted = of_csv > 0 && of_csv > json.value_or(0) && of_csv >= any;
  return wish;
}

CsvWriter::CsvWriter(const query::Plan& plan, bool disarms_formulas) : disarms_formulas_(disarms_formulas) {
  add(plan.shape, {});
}

void CsvWriter::add(const std::vector<ShapeNode>& shapes, const std::string& path) {
  for (const ShapeNode& shape : shapes) {
    if (shape.kind == ShapeNode::Kind::Object) add(shape.children, path + shape.name + ".");
    else columns_.push_back({path + shape.name, &shape});
    if (shape.kind == ShapeNode::Kind::Extension) ++extensions_;
  }
}

void CsvWriter::append_cell(std::string& out, std::string_view text) const {
  const std::string_view guard = disarms_formulas_ && is_formula(text) ? "'" : "";
  if (!needs_quotes(text)) {
    out.append(guard).append(text);
    return;
  }
  out.append("\"").append(guard);
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

// A number is no formula, whatever its sign.
void CsvWriter::append_value(std::string& out, const Value& value) const {
  if (is_text(value)) append_cell(out, std::get<std::string>(value));
  else out += plain(value);
}

void CsvWriter::append_names(std::string& out) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) append_cell(i > 0 ? out += ',' : out, columns_[i].name);
  out += "\r\n";
}

void CsvWriter::append_row(std::string& out, const records::Row& row, std::vector<std::size_t>& gaps) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) out += ',';
    const ShapeNode& shape = *columns_[i].shape;
    if (shape.kind == ShapeNode::Kind::Extension) gaps.push_back(out.size());
    else if (!row.is_null(shape.column) && shape.property->sealed) out += catalog::system::sealed_mask;
    else if (!row.is_null(shape.column)) append_value(out, records::read_value(row, shape.column, *shape.property));
  }
  out += "\r\n";
}

std::string CsvWriter::filled(const std::string& page, const std::vector<std::size_t>& gaps,
                              const std::vector<records::Extensions::Values>& values) const {
  std::vector<std::size_t> numbers;  // of the extensions, as their columns stand
  for (const Column& column : columns_)
    if (column.shape->kind == ShapeNode::Kind::Extension) numbers.push_back(column.shape->extension);
  std::string out;
  out.reserve(page.size() + gaps.size() * 8);
  std::size_t done = 0;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    out.append(page, done, gaps[i] - done);
    done = gaps[i];
    const records::Extensions::Values& of = values[numbers[i % extensions_]];
    append_value(out, of.distinct()[of.place(i / extensions_)]);
  }
  return out.append(page, done);
}

}  // namespace callisto::api
