#include "engine/records/schema.h"

#include "engine/catalog/builder.h"
#include "engine/storage/migrate.h"
#include "tests/unit/storage/support.h"

#include <algorithm>
#include <set>

using namespace callisto;
using catalog::DataType;

namespace {

catalog::PropertyDefinition property(std::string name, DataType type) {
  catalog::PropertyDefinition definition;
  definition.property.name = std::move(name);
  definition.property.type = type;
  return definition;
}

catalog::PropertyDefinition key(std::string name) {
  auto definition = property(std::move(name), DataType::Integer);
  definition.property.is_key = definition.property.readonly = true;
  return definition;
}

catalog::PropertyDefinition lookup(std::string name, std::string target) {
  auto definition = property(std::move(name), DataType::Lookup);
  definition.target_entity = std::move(target);
  return definition;
}

catalog::EntityDefinition entity(std::string name, std::vector<catalog::PropertyDefinition> properties) {
  catalog::EntityDefinition definition;
  definition.name = std::move(name);
  definition.properties = std::move(properties);
  return definition;
}

// Ships and their crew; a sail is one child of ship, a steamer the other.
std::shared_ptr<const catalog::Catalog> fleet() {
  catalog::Definitions definitions;
  auto deleted = property("IsDeleted", DataType::Boolean);
  deleted.property.internal = true;
  definitions.common = {key("Ref"), property("Id", DataType::Text), lookup("Partition", "partition"), deleted};

  auto flag = property("Afloat", DataType::Boolean);
  flag.property.stored = {"Y", "N"};
  auto title = property("Title", DataType::Text);
  title.property.indexed = true;
  auto captain = property("CaptainId", DataType::Integer);
  captain.mirror = "Captain";
  auto built = property("Built", DataType::DateTime);
  built.property.indexed = true;
  auto ship = entity("ship", {title, flag, built, property("Length", DataType::Decimal),
                              property("Speed", DataType::Double), property("Plan", DataType::Binary),
                              property("Log", DataType::RichText), lookup("Captain", "person"), captain});
  ship.partitioned = true;
  auto sail = entity("sail", {property("Masts", DataType::Short), property("Crew", DataType::Integer)});
  auto steamer = entity("steamer", {property("Boilers", DataType::Long), property("Crew", DataType::Integer)});
  sail.extends = steamer.extends = "ship";
  auto voyage_ship = lookup("ShipId", "ship");
  auto voyage_order = key("Order");
  voyage_ship.property.is_key = voyage_ship.property.readonly = true;
  auto voyage = entity("voyage", {voyage_ship, voyage_order, lookup("Pilot", "person")});
  voyage.query_aliases = {{"Number", "Order"}};
  definitions.entities = {ship,
                          sail,
                          steamer,
                          voyage,
                          entity("person", {property("Name", DataType::Text)}),
                          entity("partition", {property("Name", DataType::Text)})};
  auto result = catalog::build(std::move(definitions));
  for (const auto& problem : result.problems) UNSCOPED_INFO(catalog::to_string(problem));
  REQUIRE(result.catalog);
  return result.catalog;
}

// Its tables. `parts`: of an entity `vessel` and, if it has any, its children.
std::vector<storage::TableSpec> tables_of(std::vector<catalog::EntityDefinition> parts) {
  catalog::Definitions definitions;
  auto deleted = property("IsDeleted", DataType::Boolean);
  deleted.property.internal = true;
  definitions.common = {key("Ref"), deleted};
  definitions.entities = std::move(parts);
  auto result = catalog::build(std::move(definitions));
  for (const auto& problem : result.problems) UNSCOPED_INFO(catalog::to_string(problem));
  REQUIRE(result.catalog);
  return records::tables_of(*result.catalog);
}

std::vector<std::string> ddl(const std::string& table) {
  for (const storage::TableSpec& spec : records::tables_of(*fleet())) {
    if (spec.name.text() != table) continue;
    std::vector<std::string> statements{storage::sqlite_dialect().create_table(spec).text()};
    for (const auto& index : spec.indexes)
      statements.push_back(storage::sqlite_dialect().create_index(spec.name, index).text());
    std::sort(statements.begin() + 1, statements.end());
    return statements;
  }
  FAIL("no table " << table);
  return {};
}

}  // namespace

TEST_CASE("a hierarchy is one table with the columns of all its entities") {
  CHECK(ddl("ship").front() ==
        "CREATE TABLE \"ship\" (\"Ref\" INTEGER PRIMARY KEY, \"Id\" TEXT, \"Partition\" BIGINT, \"IsDeleted\" BIGINT, "
        "\"RecordType\" TEXT, \"Title\" TEXT, \"Afloat\" TEXT, \"Built\" BIGINT, \"Length\" BIGINT, \"Speed\" DOUBLE, "
        "\"Plan\" BLOB, \"Log\" TEXT, \"Captain\" BIGINT, \"Masts\" BIGINT, \"Crew\" BIGINT, \"Boilers\" BIGINT)");
  auto tables = records::tables_of(*fleet());
  CHECK(tables.size() == 4);  // neither sail nor steamer
}

TEST_CASE(
    "types, ids and what is marked have an index, lookups one of what is set, and the partition one with deleted "
    "rows") {
  auto statements = ddl("ship");
  statements.erase(statements.begin());
  CHECK(statements == std::vector<std::string>{
                          "CREATE INDEX \"ix_ship_Built\" ON \"ship\" (\"Built\")",
                          "CREATE INDEX \"ix_ship_Partition_IsDeleted\" ON \"ship\" (\"Partition\", \"IsDeleted\")",
                          "CREATE INDEX \"ix_ship_RecordType\" ON \"ship\" (\"RecordType\")",
                          "CREATE INDEX \"ix_ship_Title\" ON \"ship\" (\"Title\" COLLATE folded)",
                          "CREATE INDEX \"px_ship_Captain\" ON \"ship\" (\"Captain\") WHERE \"Captain\" IS NOT NULL",
                          "CREATE UNIQUE INDEX \"ux_ship_Id\" ON \"ship\" (\"Id\" COLLATE folded)"});
}

TEST_CASE("a key of two parts is the primary key, and its first part needs no index of its own") {
  CHECK(ddl("voyage") ==
        std::vector<std::string>{
            "CREATE TABLE \"voyage\" (\"ShipId\" BIGINT NOT NULL, \"Order\" BIGINT NOT NULL, "
            "\"Id\" TEXT, \"Partition\" BIGINT, \"IsDeleted\" BIGINT, \"Pilot\" BIGINT, "
            "PRIMARY KEY (\"ShipId\", \"Order\"))",
            "CREATE INDEX \"px_voyage_Partition\" ON \"voyage\" (\"Partition\") WHERE \"Partition\" IS NOT NULL",
            "CREATE INDEX \"px_voyage_Pilot\" ON \"voyage\" (\"Pilot\") WHERE \"Pilot\" IS NOT NULL",
            "CREATE UNIQUE INDEX \"ux_voyage_Id\" ON \"voyage\" (\"Id\" COLLATE folded)"});
}

TEST_CASE("the tables of a catalog can be made and are then complete") {
  storage::DatabaseOptions options;
  options.url = "sqlite::memory:";
  auto database = storage::Database::open(options);
  REQUIRE(database);
  const auto tables = records::tables_of(*fleet());
  auto made = storage::apply(**database, {}, tables, DateTime{0});
  REQUIRE(made);
  CHECK_FALSE(made->statements.empty());
  auto again = storage::apply(**database, {}, tables, DateTime{0});
  REQUIRE(again);
  CHECK(again->statements.empty());
  CHECK(again->problems.empty());
}

TEST_CASE("the first child of an entity leaves its records what they are") {
  auto database = storage::open_database(GENERATE(from_range(storage::fresh_urls())));
  const auto vessel = entity("vessel", {property("Name", DataType::Text)});
  storage::must(storage::apply(*database, {}, tables_of({vessel}), DateTime{0}));
  storage::write_script(*database, "INSERT INTO vessel (\"Ref\", \"Name\") VALUES (1, 'Argo')");
  auto tug = entity("tug", {});
  tug.extends = "vessel";
  storage::must(storage::apply(*database, {}, tables_of({vessel, tug}), DateTime{0}));
  CHECK(storage::texts(*storage::must(database->connect_reader()), Sql("SELECT \"RecordType\" FROM vessel")) ==
        std::vector<std::string>{"vessel"});
}

TEST_CASE("indexes of long names are made once") {
  auto database = storage::open_database(GENERATE(from_range(storage::fresh_urls())));
  std::vector<catalog::PropertyDefinition> properties;
  for (const char last : {'A', 'B'}) {  // alike but for the end
    properties.push_back(property(std::string(59, 'L') + last, DataType::Text));
    properties.back().property.indexed = true;
  }
  const auto tables = tables_of({entity("vessel", properties)});
  CHECK(storage::must(storage::apply(*database, {}, tables, DateTime{0})).statements.size() == 4);
  CHECK(storage::must(storage::apply(*database, {}, tables, DateTime{0})).statements.empty());
}

TEST_CASE("a lookup has an index unless it says that it has none") {
  auto owner = lookup("Owner", "vessel");
  owner.property.unindexed = true;
  std::set<std::string> names;
  for (const storage::TableSpec& table : tables_of({entity("vessel", {owner, lookup("Twin", "vessel")})}))
    for (const storage::IndexSpec& index : table.indexes) names.insert(index.name.text());
  CHECK(names.count("px_vessel_Twin") == 1);
  CHECK(names.count("px_vessel_Owner") == 0);
}

TEST_CASE(
    "an index of several properties holds what every search asks, and takes the place of those of its first one") {
  catalog::Definitions definitions;
  auto deleted = property("IsDeleted", DataType::Boolean);
  deleted.property.internal = true;
  definitions.common = {key("Ref"), lookup("Partition", "vessel"), deleted};
  auto owner = lookup("Owner", "vessel");
  auto pilot = lookup("Pilot", "vessel");
  auto name = property("Name", DataType::Text);
  pilot.property.indexed = name.property.indexed = true;
  auto vessel = entity("vessel", {owner, pilot, name, property("Built", DataType::DateTime)});
  vessel.partitioned = true;
  vessel.indexes = {{{"Owner", "Built desc"}, {}, {}, {}, {}},
                    {{"Pilot", "Name"}, {"Built"}, {}, {}, {}},
                    {{"Built"}, {}, "Built != null", {}, {}},
                    {{"Partition", "Name"}, {}, {}, {}, {}}};
  auto tug = entity("tug", {property("Power", DataType::Integer)});
  tug.extends = "vessel";
  tug.indexes = {{{"Pilot", "Built"}, {}, "Built != null", {}, {}},  // of tugs alone
                 {{"Power", "Built"}, {}, {}, {}, {}}};
  auto sea_tug = entity("sea-tug", {});
  sea_tug.extends = "tug";
  definitions.entities = {vessel, tug, sea_tug};
  auto built = catalog::build(std::move(definitions));
  REQUIRE(built.catalog);
  const auto tables = records::tables_of(*built.catalog);
  std::set<std::string> statements;
  for (const storage::IndexSpec& index : tables.front().indexes) {
    std::string text = storage::sqlite_dialect().create_index(tables.front().name, index).text();
    if (const auto digest = text.find("\" ON"); index.name.text().starts_with("cx_")) text.erase(digest - 9, 9);
    statements.insert(text);
  }
  const std::string number = "((unicode(\"RecordType\") + length(\"RecordType\")) % 100)";
  CHECK(
      statements ==
      std::set<std::string>{
          "CREATE INDEX \"cx_vessel_Owner_Built\" ON \"vessel\" (\"Owner\", \"Built\" DESC, \"IsDeleted\", "
          "\"Partition\", " +
              number + ") WHERE \"Owner\" IS NOT NULL",
          "CREATE INDEX \"cx_vessel_Pilot_Name\" ON \"vessel\" (\"Pilot\", \"Name\" COLLATE folded, \"Built\", "
          "\"IsDeleted\", \"Partition\", " +
              number + ")",
          "CREATE INDEX \"cx_vessel_Built\" ON \"vessel\" (\"Built\", \"IsDeleted\", \"Partition\", " + number +
              ") WHERE \"Built\" IS NOT NULL",
          "CREATE INDEX \"cx_vessel_Partition_Name\" ON \"vessel\" (\"Partition\", \"Name\" COLLATE folded, "
          "\"IsDeleted\", " +
              number + ")",
          "CREATE INDEX \"cx_vessel_Pilot_Built\" ON \"vessel\" (\"Pilot\", \"Built\", \"IsDeleted\", \"Partition\", "
          "\"RecordType\", " +
              number + ") WHERE \"Built\" IS NOT NULL AND + +\"RecordType\" IN ('tug', 'sea-tug')",
          "CREATE INDEX \"cx_vessel_Power_Built\" ON \"vessel\" (\"Power\", \"Built\", \"IsDeleted\", \"Partition\", " +
              number + ")",
          "CREATE INDEX \"ix_vessel_Name\" ON \"vessel\" (\"Name\" COLLATE folded)",
          "CREATE INDEX \"ix_vessel_RecordType\" ON \"vessel\" (\"RecordType\")"});
}

TEST_CASE("a name that PostgreSQL would cut is told") {
  const std::string longer(64, 'a');
  catalog::Definitions definitions;
  definitions.entities = {entity(longer, {key("Ref")}),
                          entity("vessel", {key("Ref"), property('L' + longer, DataType::Text)})};
  for (auto& each : definitions.entities) each.deletable = false;
  const auto problems = catalog::build(std::move(definitions)).problems;
  REQUIRE(problems.size() == 2);
  CHECK_THAT(problems[0].message, Catch::Contains("a property's name has at most 63 characters; this one has 65"));
  CHECK_THAT(problems[1].message, Catch::Contains("an entity's name has at most 63 characters; this one has 64"));
}
