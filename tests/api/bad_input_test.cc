// Collections of filters and attack strings in every place of a search or a record that a client may write to: what is
// no request is refused with words that help, and nothing that is sent widens a result or breaks the server.
#include "bad_input.h"
#include "engine/base/percent.h"

#include "engine/base/text.h"
#include "engine/http/url.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

const char* const person = "analyst";  // sees one partition of the sample desk

std::string segment(std::string_view text) {
  std::string encoded_text;
  append_encoded(encoded_text, text);
  return encoded_text;
}

int count(const Query& query) {
  Query counting = query;
  counting.emplace_back("$count", "true");
  return counted(get(person, "v1/call", counting));
}

bool is_number(std::string_view text, long least, long most) {
  const bool digits = !text.empty() && text.size() < 12 &&
                      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return false;
  const long value = std::stol(std::string(text));
  return value >= least && value <= most;
}

std::vector<std::string> visible_texts() {
  std::vector<std::string> texts;
  const json::Node page = get_json(person, "v1/call", {{"$select", "ShortDescription"}, {"$top", "2147483647"}});
  for (const json::Node& row : member(page, "results").items()) texts.push_back(member(row, "ShortDescription").text());
  return texts;
}

// Every text as a literal: what it matches is what compares so, no row more.
void check_literals(const std::vector<std::string>& strings) {
  const std::vector<std::string> rows = visible_texts();
  REQUIRE(rows.size() > 10);
  for (const std::string& each : strings) {
    const std::string quoted = literal(each);
    INFO(quoted);
    if (is_unspeakable(each)) {
      check_refusal(get(person, "v1/call", {{"$filter", "ShortDescription == " + quoted}}), each);
      continue;
    }
    const auto equal = [&](const std::string& row) { return text::compare_folded(row, each) == 0; };
    const auto holds = [&](const std::string& row) { return text::contains_folded(row, text::fold(each)); };
    CHECK(count({{"$filter", "ShortDescription == " + quoted}}) == std::count_if(rows.begin(), rows.end(), equal));
    CHECK(count({{"$filter", "ShortDescription.Contains(" + quoted + ")"}}) ==
          std::count_if(rows.begin(), rows.end(), holds));
    CHECK(count({{"$innerJoin", "H:CallHistory(TicketId == Ref && ActionTitle == " + quoted + ")"}}) == 0);
  }
}

// A comparison of two literals is legal.
bool is_literal(const std::string& text) {
  static const std::set<std::string_view> known{"0",    "3.10E+17", "031003000270000", "null",
                                                "0000", "00000000", "5e-324"};
  return known.count(text) == 1;
}

// One place of a search. `means` tells whether a text is legal there, and may so give 200.
struct Place {
  std::string option, before, after;
  bool (*means)(const std::string& text);
};

const std::vector<Place>& places() {
  static const auto nothing = [](const std::string&) { return false; };
  static const std::vector<Place> all{
      {"$filter", "", "", [](const std::string& text) { return text == "true" || text == "false"; }},
      {"$filter", "Ref == 1 && ", " == 1", is_literal},
      {"$filter", "@", "", nothing},
      {"$filter", "ShortDescription.", "(\"x\")", nothing},
      {"$filter", "CreatedDate > @DateTime(", ")", nothing},
      {"$select", "", "", [](const std::string& text) { return text == "*"; }},
      {"$select", "Ref,User.", "", nothing},
      {"$orderby", "", "", nothing},
      {"$orderby", "Ref ", "", [](const std::string& text) { return text == "asc" || text == "desc"; }},
      {"$innerJoin", "", "", nothing},
      {"$leftJoin", "H:", "(TicketId == Ref)", nothing},
      {"$partition", "", "", nothing},
      {"$top", "", "", [](const std::string& text) { return is_number(text, 1, 2147483647); }},
      {"$skip", "", "", [](const std::string& text) { return is_number(text, 0, 2147483647); }},
      {"$count", "", "", [](const std::string& text) { return text == "true" || text == "false"; }},
  };
  return all;
}

void check_place(const Place& place, const std::string& each) {
  const std::string value = place.before + each + place.after;
  const Answer answer = get(person, "v1/call", {{place.option, value}, {"$inlinecount", "true"}, {"x", "y"}});
  INFO(place.option << " = " << value << " -> " << answer.status << " " << answer.body.substr(0, 500));
  if (place.means(each)) {
    CHECK(answer.status == 200);
    return;
  }
  if (place.option == "$partition" && is_number(each, 0, 2147483647)) {
    CHECK((each == "1" ? answer.status == 200 : answer.status == 403));
    return;
  }
  CHECK(answer.status == 400);
  check_refusal(answer, value);
}

void check_path(const std::string& path, const std::string& each) {
  const Answer answer = get(person, path + segment(each), {{"$top", "1"}});
  INFO(path << segment(each) << " -> " << answer.status << " " << answer.body.substr(0, 500));
  CHECK((answer.status == 404 || answer.status == 400));
  check_refusal(answer, each);
}

}  // namespace

TEST_CASE("the shared filter cases over HTTP: accepted ones answer, the others are refused where they are wrong") {
  const auto data = shared_data("filter/filter_cases_dev.json");
  if (!data) return;
  for (const json::Node& each : member(*data, "cases").items()) {
    const std::string filter = member(each, "filter").text();
    // Lists of values became part of the language after the cases were written (decision 0038).
    const std::string id = member(each, "id").text();
    const std::string expected = id == "f169" || id == "f170" ? "accept" : member(each, "expect").text();
    const Answer answer = get("admin", "v1/" + member(each, "entity").text(), {{"$filter", filter}, {"$top", "5"}});
    INFO(id << " " << filter << " -> " << answer.status);
    if (expected == "accept" || (expected == "either" && answer.status == 200)) {
      CHECK(answer.status == 200);
      continue;
    }
    CHECK(answer.status == 400);
    const json::Node body = check_refusal(answer, filter);
    CHECK(member(body, "Type").text() == "QueryException");
    CHECK(member(body, "Option").text() == "$filter");
    const std::string place = "$filter, column " + member(body, "Position").text() + ": ";
    CHECK(member(body, "Message").text().starts_with(place));
  }
}

TEST_CASE("attack strings and naughty strings as literals match what they say, and nothing else") {
  check_literals(injection_strings());
  check_literals(naughty_strings());
}

TEST_CASE("attack strings in every option are refused, unless they mean something there") {
  for (const std::string& each : injection_strings())
    for (const Place& place : places()) check_place(place, each);
}

TEST_CASE("attack strings as names of options, entities, keys and lists are refused") {
  for (const std::string& each : injection_strings()) {
    for (const char* path : {"v1/", "v1/call/", "v1/call/2/", "v1/call/2/attachment/"}) check_path(path, each);
    const Answer answer = get(person, "v1/call", {{"$" + each, "1"}, {"$top", "1"}});
    INFO("$" << each << " -> " << answer.status << " " << answer.body.substr(0, 500));
    CHECK(answer.status == 400);
    check_refusal(answer, each);
  }
}

TEST_CASE("naughty strings in every option and path are answered, never by 500") {
  for (const std::string& each : naughty_strings()) {
    for (const Place& place : places()) {
      const std::string value = place.before + each + place.after;
      const Answer answer = get(person, "v1/call", {{place.option, value}, {"x", "y"}});
      INFO(place.option << " = " << value << " -> " << answer.status << " " << answer.body.substr(0, 500));
      if (answer.status != 200) check_refusal(answer, value);
      CHECK((answer.status == 200 || answer.status == 400 || answer.status == 403));
    }
    if (each.empty()) continue;
    const Answer answer = get(person, "v1/call/" + segment(each));
    INFO(each << " -> " << answer.status << " " << answer.body.substr(0, 500));
    if (answer.status != 200) check_refusal(answer, each);
    CHECK((answer.status == 404 || answer.status == 400 || is_number(each, 1, 100000)));
  }
}

TEST_CASE("dates and GUIDs of the collection are read or refused as ISO 8601 and RFC 9562 say") {
  const auto data = shared_data("badinput/formats_dev.json");
  if (!data) return;
  // An hour is an offset in ISO 8601, and GUIDs are written without hyphens too.
  const std::set<std::string> wider{"1985-04-12T23:20:50+01", "2eb8aa08aa9811eab4aa73b441d16380"};
  for (const json::Node& each : member(*data, "cases").items()) {
    const std::string& format = member(each, "format").text();
    const std::string& text = member(each, "text").text();
    const bool is_date = format == "date" || format == "date-time";
    if (!is_date && format != "uuid") continue;
    const std::string quoted = literal(text);
    const Answer answer =
        get(person, "v1/call",
            {{"$filter", is_date ? "CreatedDate > @DateTime(" + quoted + ")" : "Id == @Guid(" + quoted + ")"}});
    INFO(text << " " << member(each, "why").text() << " -> " << answer.status << " " << answer.body.substr(0, 300));
    const bool accepted = member(each, "valid").boolean() || wider.count(text) == 1;
    CHECK(answer.status == (accepted ? 200 : 400));
    if (!accepted) check_refusal(answer, text);
  }
}
