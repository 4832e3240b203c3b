#include "engine/storage/migrate.h"
#include "engine/storage/upkeep.h"
#include "tests/unit/storage/support.h"

using namespace callisto;
using namespace callisto::storage;

namespace {

SqlIdentifier id(std::string_view name) { return SqlIdentifier::of(name); }

IndexSpec substrings_of(std::vector<std::string_view> columns) {
  IndexSpec index{id("sx_ship"), {}, false, true};
  std::string name = "sx_ship";
  for (const std::string_view column : columns) {
    index.parts.push_back({id(column), true});
    name += "_" + std::string(column);
  }
  index.name = id(name);
  return index;
}

TableSpec ship(IndexSpec index) {
  return {id("ship"),
          {{id("Ref"), ColumnType::Whole}, {id("Name"), ColumnType::Text}, {id("Port"), ColumnType::Text}},
          {id("Ref")},
          {std::move(index)}};
}

struct Harbour {
  Harbour() { bring_to(substrings_of({"Name"})); }

  void bring_to(IndexSpec wanted) {
    index = std::move(wanted);
    must(apply(*database, {}, {ship(index)}, DateTime{0}));
  }
  std::size_t take_up(std::size_t most) {
    std::size_t rows = 0;
    must(database->write([&](Connection& connection) -> Result<void> {
      CALLISTO_TRY(rows, index_substrings(connection, id("ship"), index, most));
      return {};
    }));
    return rows;
  }
  // Keys that the index gives for some trigrams, without those that wait.
  std::vector<std::string> found(const char* trigrams) {
    return texts(*reader, Sql("SELECT rowid FROM \"ship~trigrams\" WHERE \"ship~trigrams\" MATCH ?1"),
                 {Value(std::string(trigrams))});
  }
  std::vector<std::string> waiting() { return texts(*reader, Sql("SELECT key FROM \"ship~unindexed\" ORDER BY key")); }

  std::unique_ptr<Database> database = open_database("sqlite::memory:");
  std::unique_ptr<Connection> reader = must(database->connect_reader());
  IndexSpec index;
};

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("rows wait until they are taken up in the index of substrings, oldest keys first") {
  Harbour harbour;
  write_script(*harbour.database, "INSERT INTO ship VALUES (1, 'ARGO', 'x'), (2, 'Argonaut', NULL), (3, NULL, 'argo')");
  CHECK(harbour.waiting() == Keys{"1", "2", "3"});
  CHECK(harbour.take_up(2) == 2);
  CHECK(must(has_unindexed(*harbour.reader, id("ship"))));
  CHECK(harbour.found("\"arg\"") == Keys{"1", "2"});
  CHECK(harbour.take_up(2) == 1);
  CHECK(harbour.take_up(2) == 0);
  CHECK_FALSE(must(has_unindexed(*harbour.reader, id("ship"))));
  CHECK(harbour.found("\"arg\" AND \"nau\"") == Keys{"2"});
}

TEST_CASE("a row waits again when a text of the index is written, and is found by its new text") {
  Harbour harbour;
  write_script(*harbour.database, "INSERT INTO ship VALUES (1, 'Argo', 'x'), (2, 'Beagle', 'y')");
  harbour.take_up(9);
  write_script(*harbour.database, "UPDATE ship SET Port = 'z'");
  CHECK(harbour.waiting().empty());
  write_script(*harbour.database, "UPDATE ship SET Name = 'Endeavour' WHERE Ref = 1; DELETE FROM ship WHERE Ref = 2");
  CHECK(harbour.waiting() == Keys{"1", "2"});
  harbour.take_up(9);
  CHECK(harbour.found("\"end\"") == Keys{"1"});
  CHECK(harbour.found("\"arg\"").empty());
  CHECK(harbour.found("\"bea\"").empty());
}

TEST_CASE("however often a row is written before it is taken up, the text goes that the index knows") {
  Harbour harbour;
  write_script(*harbour.database, "INSERT INTO ship VALUES (1, 'Argo', 'x')");
  harbour.take_up(9);
  write_script(*harbour.database,
               "UPDATE ship SET Name = 'Beagle'; UPDATE ship SET Name = 'Endeavour'; DELETE FROM ship;"
               "INSERT INTO ship VALUES (1, 'Fram', 'y')");
  harbour.take_up(9);
  for (const char* gone : {"\"arg\"", "\"bea\"", "\"end\""}) CHECK(harbour.found(gone).empty());
  CHECK(harbour.found("\"fra\"") == Keys{"1"});
}

TEST_CASE("deleted rows are not in the index, rows stand by their partition, and move with it") {
  Harbour harbour;
  IndexSpec index = substrings_of({"Name"});
  index.name = id("sx_ship_by_port");
  index.rows = {id("Gone"), id("Port"), id("Kind"), {"tanker"}};
  harbour.index = index;
  must(apply(*harbour.database, {},
             {{id("ship"),
               {{id("Ref"), ColumnType::Whole},
                {id("Name"), ColumnType::Text},
                {id("Port"), ColumnType::Text},
                {id("Gone"), ColumnType::Whole},
                {id("Kind"), ColumnType::Text}},
               {id("Ref")},
               {index}}},
             DateTime{0}));
  write_script(*harbour.database,
               "INSERT INTO ship VALUES (1, 'Argo', 3, 0, 'tanker'), (-2, 'Argo', 3, NULL, 'tanker'), "
               "(3, 'Argo', 3, 1, 'tanker'), (4, 'Argo', NULL, 0, 'tanker'), (5, 'Argo', 3, 0, 'liner')");
  harbour.take_up(9);
  const auto number = [](std::int64_t partition, std::int64_t key) {
    return std::to_string(((partition + 1) << 40) | (key & 0xFFFFFFFFFF));
  };
  CHECK(harbour.found("\"arg\"") == Keys{number(-1, 4), number(-1, 5), number(3, 1), number(3, -2)});
  write_script(*harbour.database,
               "UPDATE ship SET Port = 8 WHERE Ref = 1; UPDATE ship SET Gone = 1 - Gone WHERE Ref > 2");
  CHECK(harbour.waiting() == Keys{"1", "3", "4", "5"});
  harbour.take_up(9);
  CHECK(harbour.found("\"arg\"") == Keys{number(3, 3), number(3, -2), number(8, 1)});
}

TEST_CASE("a row that waits already waits once, whatever the statement says of conflicts") {
  Harbour harbour;
  write_script(
      *harbour.database,
      "INSERT INTO ship VALUES (1, 'Argo', 'x'); DELETE FROM ship; INSERT OR FAIL INTO ship VALUES (1, 'Beagle', 'y');"
      "UPDATE OR ABORT ship SET Name = 'Endeavour'");
  CHECK(harbour.waiting() == Keys{"1"});
  harbour.take_up(9);
  CHECK(harbour.found("\"end\"") == Keys{"1"});
}

TEST_CASE("texts are folded, and go on behind what would end them") {
  Harbour harbour;
  must(harbour.database->write([](Connection& connection) -> Result<void> {
    const Value name = std::string("a\0\xC3\x84RGER\"s", 10);
    CALLISTO_CHECK(connection.execute(Sql("INSERT INTO ship VALUES (1, ?1, NULL)"), {name}));
    return {};
  }));
  harbour.take_up(9);
  CHECK(harbour.found("\"\xC3\xA4rg\" AND \"r\"\"s\"") == Keys{"1"});
}

TEST_CASE("an index of other texts takes up every row again, once") {
  Harbour harbour;
  write_script(*harbour.database, "INSERT INTO ship VALUES (1, 'Argo', 'Iolcus'), (2, 'Beagle', 'Plymouth')");
  harbour.take_up(9);
  harbour.bring_to(substrings_of({"Name", "Port"}));
  CHECK(harbour.waiting() == Keys{"1", "2"});
  CHECK(harbour.found("\"arg\"").empty());
  harbour.take_up(9);
  CHECK(harbour.found("\"arg\" AND \"iol\"") == Keys{"1"});
  harbour.bring_to(substrings_of({"Name", "Port"}));
  CHECK(harbour.waiting().empty());
  CHECK(texts(*harbour.reader, Sql("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")) ==
        Keys{"sx_ship_Name_Port", "sx_ship_Name_Port~changed", "sx_ship_Name_Port~removed"});
  write_script(*harbour.database, "UPDATE ship SET Port = 'Woolwich' WHERE Ref = 2");
  CHECK(harbour.waiting() == Keys{"2"});
}

TEST_CASE("the tables of the index are nobody's") {
  Harbour harbour;
  CHECK(texts(*harbour.reader, harbour.reader->dialect().list_tables()) == Keys{"schema_migration", "ship"});
}

TEST_CASE("PostgreSQL finds substrings by an index of trigrams, where it has one") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const auto database = open_database(server->new_database());
  const IndexSpec index = substrings_of({"Name", "Port"});
  must(apply(*database, {}, {ship(index)}, DateTime{0}));
  CHECK(must(apply(*database, {}, {ship(index)}, DateTime{0})).statements.empty());
  const auto reader = must(database->connect_reader());
  CHECK(texts(*reader, Sql("SELECT indexdef FROM pg_indexes WHERE indexname = 'sx_ship_Name_Port'")).size() == 1);
  write_script(*database, "SET LOCAL enable_seqscan = off");
  const auto plan =
      must(reader->explain(Sql("SELECT 1 FROM ship WHERE folded(\"Name\") LIKE ?1"), {Value(std::string("%argo%"))}));
  CHECK_FALSE(plan.empty());
}
