#include "engine/script/load/load_problem.h"

#include "engine/base/text.h"
#include "engine/catalog/problems.h"
#include "engine/script/load/blocks.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace callisto::script {
namespace {

constexpr std::string_view line_prefix = "source:";

// The word between `before` and the next quote, where the message says that.
std::optional<std::string> word_after(const std::string& message, std::string_view before) {
  std::size_t at = message.find(before);
  if (at == std::string::npos) return std::nullopt;
  at += before.size();
  return message.substr(at, message.find('\'', at) - at);
}

// Splits "source:12: what" into its line and what it says.
std::pair<int, std::string> split_line(const std::string& message) {
  if (message.rfind(line_prefix, 0) != 0) return {0, message};
  int line = 0;
  const char* end = message.data() + message.size();
  auto number = std::from_chars(message.data() + line_prefix.size(), end, line);
  if (number.ec != std::errc() || end - number.ptr < 2 || number.ptr[0] != ':') return {0, message};
  return {line, std::string(number.ptr + 2, end)};
}

// Types and values of other languages.
constexpr std::pair<std::string_view, std::string_view> foreign_words[] = {
    {"string", "text"},  {"varchar", "text"},  {"int", "integer"},        {"number", "integer"},
    {"bool", "boolean"}, {"date", "datetime"}, {"timestamp", "datetime"}, {"reference", "lookup"},
    {"True", "true"},    {"TRUE", "true"},     {"yes", "true"},           {"False", "false"},
    {"FALSE", "false"},  {"no", "false"},      {"None", "nil"},           {"NULL", "null"}};

// What stands in for words of Lua that scripts have not.
constexpr std::pair<std::string_view, std::string_view> withheld_words[] = {
    {"os", "the present moment is datetime.now(); there are no files and no environment"},
    {"print", "write log.info(...), a line in the server's log"},
    {"io", "there are no files; keep what is needed in properties of records"},
    {"coroutine", "write a plain function"},
    {"load", "write the code itself"},
    {"loadstring", "write the code itself"},
    {"dofile", "write require \"lib.name\", which is lib/name.lua"},
    {"loadfile", "write require \"lib.name\", which is lib/name.lua"},
    {"xpcall", "write pcall(function, ...)"}};

std::string instead_of(const std::string& message) {
  for (const auto& [word, instead] : withheld_words)
    if (message == text::quoted(word) + " is not available to scripts") return std::string(instead);
  return {};
}

// Of quotes that a word processor made; empty where there are none.
std::string straight_quotes_for(std::string_view text) {
  for (const char* curly : {"\u201c", "\u201d", "\u201e", "\u2018", "\u2019"})
    if (text.find(curly) != text.npos) return "write straight quotes, \"...\", in place of " + std::string(curly);
  return {};
}

std::string word_meant(const std::string& word, const std::vector<std::string>& nouns) {
  for (const auto& [foreign, own] : foreign_words)
    if (word == foreign) return "did you mean '" + std::string(own) + "'?";
  if (std::string mend = straight_quotes_for(word); !mend.empty()) return mend;
  std::string near = catalog::did_you_mean(word, {nouns.begin(), nouns.end()});
  return near.empty() ? "write it in quotes if it is a text: \"" + word + "\"" : near;
}

std::string_view line_at(std::string_view text, int number) {
  for (; number > 1 && !text.empty(); --number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

// What mends a syntax error, as far as that can be told.
std::string remedy(const std::string& message, const Source& source, int line, const std::vector<std::string>& nouns) {
  const auto near = word_after(message, "near '");
  if (!near) return {};
  const std::string_view text = line_at(source.text, line);
  if (std::string mend = straight_quotes_for(text); !mend.empty()) return mend;
  for (const std::string& noun : nouns)
    if (const auto at = text.find(noun + " " + *near); at != text.npos && (at == 0 || text[at - 1] == ' '))
      return "write its name in quotes: " + noun + " \"" + *near + "\"";
  const bool is_symbol = near->find_first_not_of(",;)}]") == std::string::npos;
  if (is_symbol || *near == "<eof>" || *near == "end")
    if (const auto block = find_open_block(source.text, line))
      return "is the '" + block->closer() + "' of the '" + block->opener + "' in line " + std::to_string(block->line) +
             " missing?";
  return message.find("'}' expected") != std::string::npos ? "is a comma missing before it?" : std::string();
}

}  // namespace

catalog::Problem unknown_word(catalog::Origin origin, std::string message, const std::vector<std::string>& nouns) {
  const auto word = word_after(message, "unknown word '");
  std::string mend = word ? word_meant(*word, nouns) : instead_of(message);
  return {std::move(origin), std::move(message), std::move(mend)};
}

catalog::Problem problem_of(const Failure& failure, const Source& source, const std::vector<std::string>& nouns) {
  auto [line, message] = split_line(failure.message);
  catalog::Origin origin{source.file, line};
  if (failure.kind == Failure::Kind::Time)
    return {origin, "takes longer than " + std::to_string(load_time_ms) + " ms to load", {}};
  if (failure.kind == Failure::Kind::Memory)
    return {origin, "needs more than " + std::to_string(load_memory_mib) + " MiB to load", {}};
  if (failure.kind == Failure::Kind::Reject) return {origin, "'reject' can only be called for a request", {}};
  if (failure.kind == Failure::Kind::Forbid) return {origin, "'forbid' can only be called for a request", {}};
  if (auto word = word_after(message, "attempt to call global '"))  // a library in a noun's place
    return unknown_word(origin, "unknown word " + text::quoted(*word), nouns);
  std::string fix = remedy(message, source, line, nouns);
  return {origin, std::move(message), std::move(fix)};
}

}  // namespace callisto::script
