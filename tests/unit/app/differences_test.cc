// What a shadow run tells of two answers to one request.
#include "engine/app/shadow/differences.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::app;

namespace {

Reply reply(int status, std::string body, std::vector<testing::Raised> raised = {}) {
  return {{status, {}, std::move(body), {}}, std::move(raised)};
}

std::string told(const Reply& today, const Reply& candidate) { return text_of(differences(today, candidate)); }

}  // namespace

TEST_CASE("what differs is told by its place, and a list has a place once") {
  struct Pair {
    const char *today, *candidate, *told;
  };
  const Pair pairs[] = {
      {R"({"A": 1})", R"({"A": 1})", ""},
      {R"({"A": 1, "B": 2})", R"({"B": 2, "A": 1})", ""},
      {R"({"A": 1})", R"({"A": 2})", "    body: A: 1 -> 2\n"},
      {R"({"A": 1.0})", R"({"A": 1.5})", "    body: A: 1.0 -> 1.5\n"},
      {R"({"A": 1})", R"({"A": "1"})", "    body: A: 1 -> \"1\"\n"},
      {R"({"A": true})", R"({"A": false})", "    body: A: true -> false\n"},
      {R"({"A": null})", R"({})", "    body: A: null -> not there\n"},
      {R"({})", R"({"A": {"B": [1]}})", "    body: A: not there -> {\"B\":[1]}\n"},
      {R"({"A": {"B": {"C": 1}}})", R"({"A": {"B": {"C": 2}}})", "    body: A.B.C: 1 -> 2\n"},
      {R"({"results": [{"A": 1}, {"A": 2}]})", R"({"results": [{"A": 3}, {"A": 4}]})",
       "    body: results[].A: 1 -> 3\n"},
      {R"({"results": [1, 2, 3]})", R"({"results": [1]})", "    body: results: 3 items -> 1 item\n"},
      {"7", "8", "    body: 7 -> 8\n"},
      {"a,b\n1,2\n", "a,b\n1,2,3\n", "    body: 8 bytes -> 10 bytes\n"},
  };
  for (const Pair& each : pairs) {
    INFO(each.today << " " << each.candidate);
    CHECK(told(reply(200, each.today), reply(200, each.candidate)) == each.told);
  }
}

TEST_CASE("a refusal is told with its words, and events by how often they were raised") {
  CHECK(told(reply(200, "{}"), reply(400, R"({"Message": "A: is mandatory", "Errors": [{"Property": "A"}]})")) ==
        "    status: 200 -> 400 A: is mandatory\n");
  CHECK(told(reply(200, "{}"),
             reply(400, R"({"Message": "2.", "Errors": [{"Property": "A", "Message": "a"}, {"Property": "B"}]})")) ==
        "    status: 200 -> 400 2. A: a B: \n");
  CHECK(told(reply(400, R"({"Message": "no"})"), reply(400, R"({"Message": "never"})")) ==
        "    status: 400 no -> 400 never\n");
  CHECK(told(reply(200, "{}", {{"Made", "book", 1}, {"Made", "book", 2}}), reply(200, "{}", {{"Made", "book", 2}})) ==
        "    event: Made of book: raised -> not raised\n");
  CHECK(told(reply(200, "{}"), reply(200, "{}", {{"Lost", "book", 1}})) ==
        "    event: Lost of book: not raised -> raised\n");
}

TEST_CASE("long values are cut between characters") {
  std::string text = "\"";
  for (int i = 0; i < 80; ++i) text += "\xC3\xA4";
  const std::string said = told(reply(200, text + "\""), reply(200, text + "b\""));
  CHECK(said.find("\xC3...") == said.npos);
  CHECK(said.find("\xA4... -> ") != said.npos);
}

TEST_CASE("answers that differ in the same places are one kind, with the first as its example") {
  Kinds kinds;
  kinds.add("GET book/{id}", "line 1: GET book/1", {{"body: A", "1", "2"}});
  kinds.add("GET book/{id}", "line 2: GET book/2", {{"body: A", "3", "4"}});
  kinds.add("GET book/{id}", "line 3: GET book/3", {{"body: B", "5", "6"}});
  CHECK(kinds.text() ==
        "GET book/{id}   2 answers, as in line 1: GET book/1\n    body: A: 1 -> 2\n"
        "GET book/{id}   1 answer, as in line 3: GET book/3\n    body: B: 5 -> 6\n");
}
