#include "engine/app/describing/asked_question.h"

#include "engine/base/text.h"
#include "engine/json/write.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace callisto::app {
namespace {

struct Place {
  std::size_t begin = 0, end = 0;  // of "{Lookup Priority}"
  std::string_view type, path;
};

// Texts are left out of what is kept, so that a brace is always a place.
std::vector<Place> places_in(std::string_view filter) {
  std::vector<Place> places;
  for (std::size_t begin = filter.find('{'); begin != filter.npos; begin = filter.find('{', begin + 1)) {
    const std::size_t end = filter.find('}', begin), blank = filter.find(' ', begin);
    if (end == filter.npos) break;
    const std::size_t type_end = std::min(end, blank);
    places.push_back({begin, end + 1, filter.substr(begin + 1, type_end - begin - 1),
                      type_end == end ? std::string_view() : filter.substr(type_end + 1, end - type_end - 1)});
  }
  return places;
}

const json::Node* value_of(const json::Node& record, std::string_view path) {
  const json::Node* node = &record;
  for (const std::string_view name : text::split(path, '.')) {
    node = node->kind() == json::Node::Kind::Object ? node->find(name) : nullptr;
    if (!node) return nullptr;
  }
  if (node->kind() == json::Node::Kind::Object) node = node->find("Ref");
  return node && !node->is_null() ? node : nullptr;
}

// One word of a text: what people search for.
std::string_view word_of(std::string_view text) {
  for (const std::string_view word : text::split(text, ' '))
    if (word.size() > 3) return word;
  return text;
}

std::optional<std::string> literal(const Place& place, const json::Node& record, bool is_part) {
  const json::Node* value = place.path.empty() ? nullptr : value_of(record, place.path);
  if (!value) return std::nullopt;
  if (place.type == "DateTime") return "@DateTime(" + value->text() + ")";
  if (place.type == "Boolean") return value->boolean() ? "true" : "false";
  if (value->kind() != json::Node::Kind::String) return value->text();
  std::string text;
  json::append_string(text, is_part ? word_of(value->text()) : std::string_view(value->text()));
  return text;
}

double number_in(const json::Node& line, std::string_view member) {
  const json::Node* node = line.find(member);
  double number = 0;
  if (node) std::from_chars(node->text().data(), node->text().data() + node->text().size(), number);
  return number;
}

std::string text_in(const json::Node& line, std::string_view member) {
  const json::Node* node = line.find(member);
  return node && node->kind() == json::Node::Kind::String ? node->text() : std::string();
}

}  // namespace

std::string AskedQuestion::text() const {
  std::string all = entity + (filter.empty() ? "" : ": ");
  std::size_t from = 0;
  for (const Place& place : places_in(filter)) {
    all.append(filter, from, place.begin - from).append("?");
    from = place.end;
  }
  all.append(filter, from);
  if (kind != "page") all += ", " + kind;
  return all + (order.empty() ? "" : ", by " + order);
}

std::vector<std::string> AskedQuestion::paths() const {
  std::vector<std::string> paths;
  for (const Place& place : places_in(filter))
    if (!place.path.empty() && std::find(paths.begin(), paths.end(), place.path) == paths.end())
      paths.emplace_back(place.path);
  return paths;
}

std::optional<std::string> AskedQuestion::filter_with(const json::Node& record) const {
  std::string all;
  std::size_t from = 0;
  for (const Place& place : places_in(filter)) {
    const std::string_view before = std::string_view(filter).substr(0, place.begin);
    const bool is_part = before.ends_with(".Contains(") || before.ends_with("With(");
    const auto value = literal(place, record, is_part);
    if (!value) return std::nullopt;
    all.append(filter, from, place.begin - from).append(*value);
    from = place.end;
  }
  return all.append(filter, from);
}

std::vector<AskedQuestion> read_asked(std::string_view lines) {
  std::vector<AskedQuestion> questions;
  for (const std::string_view line : text::split(lines, '\n')) {
    const auto read = json::parse(std::string(line));
    if (!read || read->kind() != json::Node::Kind::Object || text_in(*read, "Entity").empty()) continue;
    questions.push_back({text_in(*read, "Entity"), text_in(*read, "Kind"), text_in(*read, "Filter"),
                         text_in(*read, "OrderBy"), static_cast<std::uint64_t>(number_in(*read, "Asked")),
                         number_in(*read, "Milliseconds"), read->find("Joins") != nullptr});
  }
  std::stable_sort(questions.begin(), questions.end(),
                   [](const auto& a, const auto& b) { return a.milliseconds > b.milliseconds; });
  return questions;
}

}  // namespace callisto::app
