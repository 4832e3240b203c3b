// A join without an index reads what it joins once: the database makes an index of the joined property for the
// statement, and of no other.
#include "tests/api/server_process.h"

#include <catch2/catch.hpp>

using namespace callisto::tests;

TEST_CASE("a join by anything finds rows by an index of the property that it names, which it makes where there is none",
          "[sqlite]") {
  // Texts and numbers; within an entity, to a child and to another entity; those that may be null, and those that not.
  const auto [from, joined, property, source] = GENERATE(table<std::string, std::string, std::string, std::string>({
      {"call", "call", "CustomString2", "CustomString2"},
      {"call", "incident", "Number2", "Number1"},
      {"call", "incident", "CustomString1", "ShortDescription"},
      {"incident", "call", "ShortDescription", "CustomString1"},
      {"call", "knowledge", "Title", "ShortDescription"},
      {"configuration-item", "call", "CustomString2", "Name"},
      {"knowledge", "person", "Name", "Title"},
  }));
  const std::string join = "A:" + joined + "(" + property + "==" + source + ")";
  for (const char* option : {"$leftJoin", "$innerJoin"})
    for (const char* order : {"", "A.Ref", "Ref desc"}) {
      Query query{{"$explain", "true"}, {"$select", "Ref,A.Ref"}, {"$top", "30"}, {option, join}};
      if (*order) query.emplace_back("$orderby", order);
      const Answer answer = get("admin", "v1/" + from, query);
      INFO(encoded(query) << " -> " << answer.body);
      REQUIRE(answer.status == 200);
      CHECK(answer.body.find("BLOOM") == std::string::npos);
      // An inner join may be turned round, and an index may hold more than the property.
      const auto is_found_by = [&](const std::string& name) {
        return answer.body.find("(" + name + "=?") != std::string::npos ||
               answer.body.find(" AND " + name + "=?)") != std::string::npos;
      };
      CHECK((is_found_by(property) || is_found_by(source)));
    }
}

TEST_CASE("a join finds texts that are equal when their case is ignored, however many bytes they have", "[sqlite]") {
  const auto count = [](const std::string& join) {
    return get("admin", "v1/person", {{"$count", "true"}, {"$innerJoin", join}}).body;
  };
  CHECK(count("A:person(Name==Name)") == count("A:person(Ref==Ref)"));
}
