// Views for people who read the database with other tools: what they show, on every kind of database, and how they are
// kept.
#include "engine/records/report_views.h"

#include "engine/catalog/builder.h"
#include "engine/records/schema.h"
#include "engine/storage/dialect.h"
#include "engine/storage/migrate.h"
#include "tests/unit/storage/support.h"

#include <set>

namespace {

using namespace callisto;
using namespace callisto::storage;
using catalog::DataType;

catalog::PropertyDefinition property(std::string name, DataType type) {
  catalog::PropertyDefinition definition;
  definition.property.name = std::move(name);
  definition.property.type = type;
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

// Ships and their captains; a sail is a kind of ship. `more`: of ship.
std::shared_ptr<const catalog::Catalog> fleet(std::vector<catalog::PropertyDefinition> more = {}) {
  catalog::Definitions definitions;
  auto ref = property("Ref", DataType::Integer);
  ref.property.is_key = ref.property.readonly = true;
  auto deleted = property("IsDeleted", DataType::Boolean);
  deleted.property.internal = true;
  definitions.common = {ref, property("Id", DataType::Text), deleted};
  auto flag = property("Afloat", DataType::Boolean);
  flag.property.stored = {"Y", "N"};
  auto code = property("Code", DataType::Text);
  code.property.sealed = true;
  auto notes = property("Notes", DataType::Text);
  notes.property.internal = true;
  auto pay = property("Pay", DataType::Decimal);
  pay.property.scale = 3;
  more.insert(more.end(), {property("Name", DataType::Text), flag, property("Sound", DataType::Boolean),
                           property("Built", DataType::DateTime), pay, property("Plan", DataType::Binary), code, notes,
                           lookup("Captain", "person"), lookup("Mate", "person"), lookup("Flagship", "ship")});
  auto ship = entity("ship", std::move(more));
  auto sail = entity("sail", {property("Masts", DataType::Short)});
  sail.extends = "ship";
  definitions.entities = {ship, sail,
                          entity("person", {property("Name", DataType::Text), property("MateName", DataType::Text)})};
  auto result = catalog::build(std::move(definitions));
  for (const auto& problem : result.problems) UNSCOPED_INFO(catalog::to_string(problem));
  REQUIRE(result.catalog);
  return result.catalog;
}

struct Fleet {
  explicit Fleet(const std::string& url) : database(open_database(url)), reader(must(database->connect_reader())) {
    bring(*fleet());
    write_script(
        *database,
        "INSERT INTO person (\"Ref\", \"Name\", \"IsDeleted\") VALUES (1, 'Ada', 0), (2, 'Bo', 1);"
        "INSERT INTO ship (\"Ref\", \"RecordType\", \"Name\", \"Afloat\", \"Sound\", \"Built\", \"Pay\", \"Captain\", "
        "\"Mate\", \"Flagship\", \"IsDeleted\") VALUES "
        "(1, 'ship', 'Argo', 'Y', 1, 1767945428123, 1234567, 1, 2, NULL, 0),"
        "(2, 'sail', 'Bounty', 'N', 0, 0, -5, NULL, NULL, 1, NULL),"
        "(3, 'ship', 'Cutty', NULL, NULL, NULL, NULL, 9, NULL, NULL, 1);");
  }
  std::vector<std::string> bring(const catalog::Catalog& catalog) {
    must(apply(*database, engine_migrations(), records::tables_of(catalog), DateTime{0}));
    return must(records::bring_views(*database, records::report_views(catalog, records::dialect_of(*reader))));
  }
  std::vector<std::string> ask(const Sql& sql) { return texts(*reader, sql); }
  bool is_sqlite() { return records::dialect_of(*reader) == query::Dialect::Sqlite; }
  std::set<std::string> columns(std::string_view view) {
    const auto found = is_sqlite() ? texts(*reader, Sql("SELECT name FROM pragma_table_info(?1)"), {std::string(view)})
                                   : texts(*reader,
                                           Sql("SELECT attname FROM pg_attribute WHERE attrelid = "
                                               "to_regclass(quote_ident(?1)) AND attnum > 0 AND NOT attisdropped"),
                                           {std::string(view)});
    return {found.begin(), found.end()};
  }

  std::unique_ptr<Database> database;
  std::unique_ptr<Connection> reader;
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a view shows dates, numbers, flags and names, and no secret") {
  Fleet desk(GENERATE(from_range(fresh_urls())));
  CHECK(desk.columns("report_ship") == std::set<std::string>{"Ref", "Id", "Name", "Afloat", "Sound", "Built", "Pay",
                                                             "Captain", "CaptainName", "Mate", "MateName", "Flagship",
                                                             "FlagshipName"});
  CHECK(desk.columns("report_sail").count("Masts") == 1);
  CHECK(desk.columns("report_person") == std::set<std::string>{"Ref", "Id", "Name", "MateName"});
  CHECK(desk.ask(Sql("SELECT \"Name\" FROM report_ship ORDER BY \"Ref\"")) == Texts{"Argo", "Bounty"});
  CHECK(desk.ask(Sql("SELECT \"Name\" FROM report_sail")) == Texts{"Bounty"});
  CHECK(desk.ask(Sql("SELECT \"Name\" FROM report_person")) == Texts{"Ada"});
  // A deleted one keeps its name where it stands.
  CHECK(desk.ask(Sql(
            "SELECT COALESCE(\"CaptainName\", '-') || COALESCE(\"MateName\", '-') || COALESCE(\"FlagshipName\", '-') "
            "FROM report_ship ORDER BY \"Ref\"")) == Texts{"AdaBo-", "--Argo"});
  CHECK(desk.ask(Sql("SELECT \"Name\" FROM report_ship WHERE \"Afloat\" AND \"Sound\"")) == Texts{"Argo"});
  CHECK(desk.ask(Sql("SELECT \"Name\" FROM report_ship WHERE NOT \"Afloat\"")) == Texts{"Bounty"});
  CHECK(desk.ask(Sql("SELECT CAST(CAST(\"Pay\" * 1000 AS INTEGER) AS TEXT) FROM report_ship ORDER BY \"Ref\"")) ==
        Texts{"1234567", "-5"});
  const Sql date = desk.is_sqlite()
                       ? Sql("SELECT \"Built\" FROM report_ship ORDER BY \"Ref\"")
                       : Sql("SELECT to_char(\"Built\" AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') FROM "
                             "report_ship ORDER BY \"Ref\"");
  CHECK(desk.ask(date) == Texts{"2026-01-09T07:57:08.123Z", "1970-01-01T00:00:00.000Z"});
}

TEST_CASE("views: nothing is done where nothing is new") {
  Fleet desk(GENERATE(from_range(fresh_urls())));
  write_script(*desk.database, "CREATE VIEW mine AS SELECT 1 AS one FROM report_ship");
  CHECK(desk.bring(*fleet()).empty());
}

TEST_CASE("views: a property comes and goes") {
  Fleet desk(GENERATE(from_range(fresh_urls())));
  CHECK(desk.bring(*fleet({property("Built2", DataType::DateTime)})).empty());
  CHECK(desk.columns("report_ship").count("Built2") == 1);
  CHECK(desk.bring(*fleet()).empty());
  CHECK(desk.columns("report_ship").count("Built2") == 0);
}

TEST_CASE("views: a property gets another name") {
  Fleet desk(GENERATE(from_range(fresh_urls())));
  auto renamed = property("Hull", DataType::Text);
  CHECK(desk.bring(*fleet({renamed})).empty());
  auto now = property("Body", DataType::Text);
  now.property.formerly = {"Hull"};
  CHECK(desk.bring(*fleet({now})).empty());
  CHECK((desk.columns("report_ship").count("Body") == 1 && desk.columns("report_sail").count("Hull") == 0));
}

TEST_CASE("views: an entity goes") {
  Fleet desk(GENERATE(from_range(fresh_urls())));
  CHECK(must(records::bring_views(*desk.database, {})).empty());
  CHECK(desk.columns("report_ship").empty());
}

TEST_CASE("views: a table that somebody made has the name") {
  Fleet desk(GENERATE(from_range(fresh_urls())));
  write_script(*desk.database, "DROP VIEW report_person; CREATE TABLE report_person (mine INTEGER)");
  CHECK(desk.bring(*fleet()).empty());
  CHECK(desk.columns("report_person") == std::set<std::string>{"mine"});
}

TEST_CASE("views: a view of somebody else stands on one") {
  Fleet desk(GENERATE(from_range(fresh_urls())));
  if (desk.is_sqlite()) return;  // which lets it break
  write_script(*desk.database, "CREATE VIEW mine AS SELECT \"Name\" FROM report_sail");
  const auto refused = desk.bring(*fleet({property("Built2", DataType::DateTime)}));
  REQUIRE(refused.size() == 1);
  CHECK_THAT(refused.front(), Catch::Contains("the view report_sail stays as it is"));
  CHECK(desk.columns("report_ship").count("Built2") == 1);
  CHECK(desk.columns("report_sail").count("Built2") == 0);
}
