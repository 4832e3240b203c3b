#include "bad_input.h"

#include "engine/base/text.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>

namespace callisto::tests {

namespace {

// What only a look inside could tell; all in lower case.
const std::vector<std::string> inside{"select ",       "from \"",        "where t", "sqlite",    "syntax error",
                                      "no such table", "no such column", "collate", "oauth_",    "recordtype",
                                      "t0.",           "schema",         "/work",   ".cc",       ".lua",
                                      "callisto.db",   "civetweb",       "std::",   "exception:"};

// API rule 5.1: which Type and SubStatus a status may have.
bool fits(int status, const std::string& type, const std::string& sub_status) {
  static const std::set<std::string> rows{"404 ResourceNotFoundException ResourceNotFound",
                                          "404 RecordNotFoundException RecordNotFound",
                                          "404 LinkedRecordNotFoundException LinkedRecordNotFound",
                                          "400 QueryException None",
                                          "400 FormatException None",
                                          "401 AuthenticationException None",
                                          "403 UnauthorizedAccessException NotAllowed",
                                          "405 MethodNotAllowedException NotAllowed",
                                          "405 NotSupportedException NotSupported",
                                          "415 UnsupportedMediaTypeException NotSupported",
                                          "413 FormatException None",
                                          "414 FormatException None",
                                          "431 FormatException None"};
  return rows.count(std::to_string(status) + " " + type + " " + sub_status) == 1;
}

std::vector<std::string> texts_of(std::string_view file, std::string_view member_name) {
  std::vector<std::string> texts;
  const auto data = shared_data(file);
  if (!data) return texts;
  for (const json::Node& each : member(*data, "cases").items())
    texts.push_back(member_name.empty() ? each.text() : member(each, member_name).text());
  return texts;
}

}  // namespace

std::optional<json::Node> shared_data(std::string_view file) {
  std::ifstream in(test::source_folder() + "/../shared/data/" + std::string(file));
  if (!in) {
    WARN("skipped: " << file << " is not beside this repository");
    return std::nullopt;
  }
  std::ostringstream text;
  text << in.rdbuf();
  auto parsed = json::parse(text.str(), json::Limits{32, 1'000'000});
  INFO(file);
  REQUIRE(parsed);
  return *std::move(parsed);
}

std::vector<std::string> injection_strings() { return texts_of("badinput/injection_strings_dev.json", "text"); }
std::vector<std::string> naughty_strings() { return texts_of("badinput/naughty_strings_dev.json", {}); }

std::string literal(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\0') quoted += "\\u0000";
    else quoted += c;
  }
  return quoted + "\"";
}

bool is_unspeakable(std::string_view text) { return text.find('\0') != text.npos || !text::is_utf8(text); }

const json::Node& member(const json::Node& node, std::string_view name) {
  const json::Node* found = node.find(name);
  INFO("member " << name);
  REQUIRE(found != nullptr);
  return *found;
}

json::Node check_refusal(const Answer& answer, std::string_view input) {
  INFO(answer.status << " " << answer.body.substr(0, 500));
  CHECK(answer.headers.at("content-type") == "application/json; charset=utf-8");
  auto body = json::parse(answer.body);
  REQUIRE(body);
  CHECK(fits(answer.status, member(*body, "Type").text(), member(*body, "SubStatus").text()));
  const std::string message = text::ascii_lower(member(*body, "Message").text());
  CHECK_FALSE(message.empty());
  const std::string given = text::ascii_lower(input);
  for (const std::string& word : inside) {
    if (message.find(word) == message.npos || given.find(word) != given.npos) continue;
    INFO("the message tells of '" << word << "'");
    CHECK(false);
  }
  return *std::move(body);
}

int counted(const Answer& answer) {
  INFO(answer.status << " " << answer.body.substr(0, 500));
  const bool is_number =
      answer.status == 200 && !answer.body.empty() && answer.body.size() < 10 &&
      std::all_of(answer.body.begin(), answer.body.end(), [](char c) { return c >= '0' && c <= '9'; });
  CHECK(is_number);
  return is_number ? std::stoi(answer.body) : -1;
}

}  // namespace callisto::tests
