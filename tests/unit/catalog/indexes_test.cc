// Indexes of several properties: what an entity's file may ask for.
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::test;
using catalog::DataType;

namespace {

using Index = catalog::EntityDefinition::IndexDefinition;

Index index(std::vector<std::string> properties, std::string where = {}, std::vector<std::string> covers = {}) {
  Index definition;
  definition.properties = std::move(properties);
  definition.where = std::move(where);
  definition.covers = std::move(covers);
  definition.origin = {"entities/ship.lua", 7};
  definition.lines = {{"properties/Nmae", 8}, {"where", 9}};
  return definition;
}

catalog::BuildResult built(std::vector<Index> indexes, std::vector<Index> of_child = {}) {
  catalog::Definitions definitions;
  definitions.common = {key("Ref"), property("Id", DataType::Text)};
  auto pilot = property("PilotId", DataType::Integer);
  pilot.mirror = "Pilot";
  auto secret = property("Secret", DataType::Text);
  secret.property.sealed = true;
  auto ship =
      entity("ship", {property("Name", DataType::Text), property("Built", DataType::DateTime),
                      property("Plan", DataType::Binary), property("Pilot", DataType::Lookup, "ship"), pilot, secret});
  ship.deletable = false;
  ship.indexes = std::move(indexes);
  auto tug = entity("tug", {property("Power", DataType::Integer)});
  tug.extends = "ship";
  tug.indexes = std::move(of_child);
  definitions.entities = {ship, tug};
  return catalog::build(std::move(definitions));
}

std::string only_problem(std::vector<Index> indexes, std::vector<Index> of_child = {}) {
  const auto result = built(std::move(indexes), std::move(of_child));
  REQUIRE(result.problems.size() == 1);
  return to_string(result.problems.front());
}

}  // namespace

TEST_CASE("an index knows its properties, their direction, and the rows that it holds") {
  const auto result =
      built({index({"Name", "Built desc"}, "Built != null && Name != null", {"PilotId"})}, {index({"Power", "Name"})});
  REQUIRE(result.catalog);
  const catalog::Entity& ship = *result.catalog->find("ship");
  REQUIRE(ship.indexes.size() == 1);
  const catalog::Index& made = ship.indexes.front();
  REQUIRE(made.parts.size() == 2);
  CHECK((made.parts[0].property->name == "Name" && !made.parts[0].descending));
  CHECK((made.parts[1].property->name == "Built" && made.parts[1].descending));
  CHECK(made.covers.front()->name == "Pilot");
  CHECK(made.set.size() == 2);
  CHECK((ship.find_property("Name")->leads_index && ship.find_property("Name")->in_index));
  CHECK((!ship.find_property("Built")->leads_index && ship.find_property("Built")->in_index));
  CHECK_FALSE(ship.find_property("Pilot")->in_index);
  CHECK(result.catalog->find("tug")->find_property("Power")->leads_index);
}

TEST_CASE("an index of a type holds its rows alone: what it begins with has no index among all") {
  const auto result = built({index({"Name", "Built"})}, {index({"Name", "Built"}), index({"Pilot", "Power"})});
  REQUIRE(result.catalog);
  const catalog::Entity& tug = *result.catalog->find("tug");
  CHECK(tug.indexes.size() == 2);
  CHECK_FALSE(tug.find_property("Pilot")->in_index);
  CHECK_FALSE(tug.find_property("Pilot")->leads_index);
  CHECK((tug.find_property("Power")->in_index && !tug.find_property("Power")->leads_index));
  const auto own = built({}, {index({"Power", "Pilot"})});  // which is null in all other ships
  REQUIRE(own.catalog);
  CHECK(own.catalog->find("tug")->find_property("Power")->leads_index);
  CHECK(own.catalog->find("ship")->find_property("Pilot")->in_index);
}

TEST_CASE("what an index cannot be is told with its place") {
  CHECK(only_problem({index({"Nmae"})}) ==
        "entities/ship.lua:8: unknown property 'Nmae' in an index of 'ship'; did you mean 'Name'?");
  CHECK_THAT(only_problem({index({"Name"}, {}, {"Nmae"})}), Catch::Contains("unknown property 'Nmae'"));
  CHECK_THAT(only_problem({index({"Power"})}), Catch::Contains("unknown property 'Power' in an index of 'ship'"));
  CHECK(only_problem({index({"Name", "Name desc"})}) == "entities/ship.lua:7: the index names 'Name' twice");
  CHECK(only_problem({index({"Plan"})}) == "entities/ship.lua:7: an index cannot hold 'Plan', which is Binary");
  CHECK(only_problem({index({"Secret"})}) == "entities/ship.lua:7: an index cannot hold 'Secret', which is sealed");
  CHECK_THAT(only_problem({index({"Name"}, "Name == \"x\"")}),
             Catch::StartsWith("entities/ship.lua:9: 'where' of an index says"));
  CHECK_THAT(only_problem({index({"Name"}, "Nmae != null")}), Catch::Contains("unknown property 'Nmae'"));
}

TEST_CASE("two indexes of one order, or one that another begins with, are told") {
  CHECK(
      only_problem({index({"Name", "Built"}), index({"Name", "Built"})}) ==
      "entities/ship.lua:7: an index of 'ship' does what that at entities/ship.lua:7 does; leave the shorter one out");
  CHECK_THAT(only_problem({index({"Name"}), index({"Name", "Built"})}), Catch::Contains("leave the shorter one out"));
  CHECK_THAT(only_problem({}, {index({"Power", "Name"}), index({"Power"})}),
             Catch::Contains("an index of 'tug' does what"));
  CHECK(built({index({"Name", "Built"}), index({"Name", "Built desc"}), index({"Name", "Pilot"}),
               index({"Name"}, {}, {"Built"}), index({"Name"}, "Name != null")})
            .catalog);
}
