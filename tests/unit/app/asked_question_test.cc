// What a server was asked, read again, with values of a record in the places of those that were left out.
#include "engine/app/describing/asked_question.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::app;

namespace {

AskedQuestion one(const std::string& filter) { return {"thing", "page", filter, "Due", 1, 2, false}; }

json::Node record(const std::string& text) { return *json::parse(text); }

}  // namespace

TEST_CASE("questions are read by the time that they took, and lines that are none are passed over") {
  const auto read = read_asked(
      "{\"Entity\":\"a\",\"Kind\":\"page\",\"Filter\":\"X == {Lookup X}\",\"OrderBy\":\"Y\",\"Asked\":3,"
      "\"Milliseconds\":1.5,\"Longest\":1}\n"
      "nonsense\n[]\n{}\n\n"
      "{\"Entity\":\"b\",\"Kind\":\"count\",\"Asked\":2,\"Milliseconds\":90,\"Longest\":80}\n");
  REQUIRE(read.size() == 2);
  CHECK(read[0].entity == "b");
  CHECK(read[0].text() == "b, count");
  CHECK(read[1].text() == "a: X == ?, by Y");
  CHECK(read[1].asked == 3);
}

TEST_CASE("each place takes the record's own value, as the query language writes it") {
  const json::Node found = record(
      R"({"State":3,"Name":"say \"hi\" there","On":true,"At":"2026-03-15T07:05:00.000Z","Who":{"Ref":9,"Name":"Ann"}})");
  const std::pair<const char*, const char*> filters[] = {
      {"State == {Lookup State}", "State == 3"},
      {"(On == {Boolean On} && At > {DateTime At})", "(On == true && At > @DateTime(2026-03-15T07:05:00.000Z))"},
      {"Name == {Text Name}", R"(Name == "say \"hi\" there")"},
      {"Name.Contains({Text Name})", R"(Name.Contains("\"hi\""))"},
      {"Who == {Lookup Who} || Who.Name.StartsWith({Text Who.Name})", R"(Who == 9 || Who.Name.StartsWith("Ann"))"},
      {"State in ({Lookup State}, {Lookup State})", "State in (3, 3)"},
      {"Solution == null", "Solution == null"},
  };
  for (const auto& [kept, asked] : filters) CHECK(one(kept).filter_with(found) == asked);
  CHECK(one("Who.Name == {Text Who.Name} && State == {Lookup State} && Who.Name != {Text Who.Name}").paths() ==
        std::vector<std::string>{"Who.Name", "State"});
}

TEST_CASE("what the record has no value for is not asked") {
  const json::Node found = record(R"({"State":null,"Who":{"Name":"Ann"}})");
  for (const char* filter : {"State == {Lookup State}", "Gone == {Text Gone}", "history.Count() > {Long}",
                             "Who.Name.First == {Text Who.Name.First}"})
    CHECK_FALSE(one(filter).filter_with(found));
}
