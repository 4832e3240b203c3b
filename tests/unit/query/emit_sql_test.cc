#include "engine/query/emit_sql.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;
using catalog::DataType;

namespace {

// Bindings as words: c0 (c0~ folded, in its other forms with their names), p0, plan, k0, a text in quotes, top, skip.
std::string shown(const Binding& binding) {
  struct Visitor {
    std::string operator()(const ConstantBinding& b) const {
      constexpr const char* forms[] = {"", "~", " trigrams", " pattern"};
      return "c" + std::to_string(b.index) + forms[static_cast<int>(b.form)];
    }
    std::string operator()(const PartitionBinding& b) const { return "p" + std::to_string(b.index); }
    std::string operator()(const PlanPartitionBinding&) const { return "plan"; }
    std::string operator()(const KeyBinding& b) const { return "k" + std::to_string(b.index); }
    std::string operator()(const TextBinding& b) const { return "'" + b.text + "'"; }
    std::string operator()(Paging b) const { return b == Paging::Top ? "top" : b == Paging::Skip ? "skip" : "end"; }
  };
  return std::visit(Visitor(), binding);
}

std::string shown(const Statement& statement) {
  std::string text = statement.sql.text() + " :";
  for (const Binding& binding : statement.bindings) text += " " + shown(binding);
  return text;
}

std::string rows(const PlanBuilder& builder, const Scope& scope = {}, Dialect dialect = Dialect::Sqlite) {
  return shown(emit_rows(builder.plan, scope, dialect));
}

// What stands between the fixed beginning and end of a search over regions, which nothing limits.
std::string where(const PlanBuilder& builder, Dialect dialect = Dialect::Sqlite) {
  std::string text = emit_count(builder.plan, {}, dialect).sql.text();
  const auto at = text.find(" WHERE ");
  return at == std::string::npos ? "" : text.substr(at + 7);
}

PlanBuilder over(std::string_view entity) { return PlanBuilder(typed_catalog(), entity); }

}  // namespace

TEST_CASE("a search selects its columns, hides deleted rows and pages in a total order") {
  auto builder = over("city");
  builder.plan.columns.push_back(builder.path("Name"));
  CHECK(rows(builder) ==
        "SELECT t0.\"Ref\", t0.\"Name\" FROM \"city\" t0 WHERE likely(t0.\"IsDeleted\" = 0) ORDER BY t0.\"Ref\" "
        "LIMIT ?1 OFFSET ?2 : top skip");
}

TEST_CASE("SQLite is told of the conditions that most rows meet, lest it search by their indexes") {
  auto builder = over("person");
  const auto people = [&](Dialect dialect) { return emit_count(builder.plan, Scope{1}, dialect).sql.text(); };
  CHECK(people(Dialect::Sqlite) ==
        "SELECT COUNT(*) FROM \"person\" t0 WHERE likely(t0.\"Partition\" IN (?1)) AND "
        "likely(t0.\"IsDeleted\" = 0)");
  CHECK(people(Dialect::PostgreSql) ==
        "SELECT COUNT(*) FROM \"person\" t0 WHERE t0.\"Partition\" IN (?1) AND "
        "t0.\"IsDeleted\" = 0");
}

TEST_CASE("a filter that names deletion decides alone, and what cannot be deleted has no such condition") {
  auto builder = over("city");
  builder.plan.names_deleted = true;
  CHECK(where(builder).empty());
  CHECK(where(over("region")).empty());
}

TEST_CASE("text compares by the folded collation and null is the lowest sort key") {
  auto builder = over("region");
  builder.plan.filter = compare(builder.path("Name"), CompareOp::Equal, builder.words("North"));
  builder.plan.order.insert(builder.plan.order.begin(), {builder.path("Name"), true});
  CHECK(rows(builder) ==
        "SELECT t0.\"Ref\" FROM \"region\" t0 WHERE t0.\"Name\" COLLATE folded = ?1 "
        "ORDER BY t0.\"Name\" COLLATE folded DESC, +t0.\"Ref\" LIMIT ?2 OFFSET ?3 : c0~ top skip");
  CHECK(rows(builder, {}, Dialect::PostgreSql) ==
        "SELECT t0.\"Ref\" FROM \"region\" t0 WHERE folded(t0.\"Name\") COLLATE \"C\" = ?1 "
        "ORDER BY folded(t0.\"Name\") COLLATE \"C\" DESC NULLS LAST, t0.\"Ref\" LIMIT 100 : c0~");
}

TEST_CASE("the methods of texts are functions of the database") {
  auto builder = over("region");
  const auto name = builder.path("Name");
  const auto needle = builder.words("x");
  builder.plan.filter = any({matches(name, TextOp::Contains, needle), matches(name, TextOp::StartsWith, needle),
                             matches(name, TextOp::EndsWith, needle)});
  CHECK(where(builder) ==
        "contains_folded(t0.\"Name\", ?1) OR starts_with_folded(t0.\"Name\", ?2) OR ends_with_folded(t0.\"Name\", ?3)");
  CHECK(where(builder, Dialect::PostgreSql) ==
        "folded(t0.\"Name\") LIKE ?1 OR folded(t0.\"Name\") LIKE ?2 OR "
        "folded(t0.\"Name\") LIKE ?3");
}

TEST_CASE("negation reaches the atoms, which stay exact for null") {
  auto builder = over("region");
  const auto ref = builder.path("Ref");
  const auto name = builder.path("Name");
  builder.plan.filter = opposite(any({compare(ref, CompareOp::Greater, builder.whole(2)), is_null(name),
                                      opposite(all({compare(name, CompareOp::NotEqual, builder.words("a")),
                                                    opposite(compare(ref, CompareOp::Less, builder.whole(9)))}))}));
  CHECK(where(builder) ==
        "(t0.\"Ref\" > ?1) IS NOT TRUE AND (t0.\"Name\" COLLATE folded = ?2) IS NOT TRUE AND (t0.\"Ref\" < ?3) IS NOT "
        "TRUE AND t0.\"Name\" IS NOT NULL");
}

TEST_CASE("only an OR inside an AND needs parentheses") {
  auto builder = over("region");
  auto is = [&](std::int64_t ref) { return compare(builder.path("Ref"), CompareOp::Equal, builder.whole(ref)); };
  builder.plan.filter = any({all({is(1), is(2)}), is(3)});
  CHECK(where(builder) == "t0.\"Ref\" = ?1 AND t0.\"Ref\" = ?2 OR t0.\"Ref\" = ?3");
  builder.plan.filter = all({any({is(1), is(2)}), is(3)});
  CHECK(where(builder) == "(t0.\"Ref\" = ?1 OR t0.\"Ref\" = ?2) AND t0.\"Ref\" = ?3");
}

TEST_CASE("a path to a constant is a subquery, limited to the session's partitions at each level") {
  auto builder = over("item");
  builder.plan.names_deleted = true;
  builder.plan.filter = compare(builder.path("Owner.Manager.City.Name"), CompareOp::NotEqual, builder.words("Ulm"));
  CHECK(shown(emit_count(builder.plan, Scope{2}, Dialect::Sqlite)) ==
        "SELECT COUNT(*) FROM \"item\" t0 WHERE "
        "CASE WHEN likely(t0.\"RecordType\" IN (?3, ?4) OR t0.\"Partition\" IN (?1, ?2)) THEN "
        "(t0.\"Owner\" IN (SELECT t1.\"Ref\" FROM \"person\" t1 WHERE "
        "t1.\"Manager\" IN (SELECT t2.\"Ref\" FROM \"person\" t2 WHERE "
        "t2.\"City\" IN (SELECT t3.\"Ref\" FROM \"city\" t3 WHERE t3.\"Name\" COLLATE folded = ?5) "
        "AND likely(t2.\"Partition\" IN (?1, ?2))) AND likely(t1.\"Partition\" IN (?1, ?2)))) IS NOT TRUE END "
        "AND likely(t0.\"RecordType\" IN (?3, ?4) OR t0.\"Partition\" IN (?1, ?2)) : p0 p1 'item' 'part' c0~");
}

TEST_CASE("a session without partitions sees no partitioned row") {
  auto builder = over("person");
  builder.plan.names_deleted = true;
  CHECK(shown(emit_count(builder.plan, Scope{0}, Dialect::Sqlite)) ==
        "SELECT COUNT(*) FROM \"person\" t0 WHERE 1 = 0 :");
  CHECK(shown(emit_count(builder.plan, Scope{}, Dialect::Sqlite)) == "SELECT COUNT(*) FROM \"person\" t0 :");
}

TEST_CASE("what a session may read limits every table in its own place") {
  const auto known = typed_catalog();
  const auto in = [&](std::string_view entity) { return PlanBuilder(known, entity); };
  const auto limit = [](PlanBuilder& rule, const catalog::Action& action) {
    return RowLimit{false, &action, {&rule.plan}};
  };
  const catalog::Action read;
  auto own = in("person");
  own.plan.filter = any({compare(own.path("Name"), CompareOp::Equal, own.words("me")),
                         compare(own.path("Manager.Name"), CompareOp::Equal, own.words("me"))});
  auto theirs = in("document");
  theirs.plan.filter = compare(theirs.path("Author.Name"), CompareOp::Equal, theirs.words("me"));
  const Access access{{own.plan.entity, limit(own, read)},
                      {in("city").plan.entity, RowLimit{false, &read, {}}},
                      {theirs.plan.entity, limit(theirs, read)},
                      {in("report").plan.entity, RowLimit{true, &read, {}}}};
  const auto counted = [&](const PlanBuilder& builder) {
    return shown(emit_count(builder.plan, Scope{1, &access}, Dialect::Sqlite));
  };
  auto builder = in("item");
  builder.plan.names_deleted = true;
  builder.plan.filter = compare(builder.path("Owner.City.Name"), CompareOp::Equal, builder.words("Ulm"));
  CHECK(counted(builder) ==
        "SELECT COUNT(*) FROM \"item\" t0 WHERE t0.\"Owner\" IN (SELECT t1.\"Ref\" FROM \"person\" t1 WHERE "
        "t1.\"City\" IN (SELECT t3.\"Ref\" FROM \"city\" t3 WHERE CASE WHEN 1 = 0 THEN t3.\"Name\" COLLATE folded = ?6 "
        "END) AND "
        "(t1.\"Manager\" IN (SELECT t2.\"Ref\" FROM \"person\" t2 WHERE t2.\"Name\" COLLATE folded = ?5 AND "
        "likely(t2.\"Partition\" IN (?1))) OR t1.\"Name\" COLLATE folded = ?4) AND likely(t1.\"Partition\" IN (?1))) "
        "AND likely(t0.\"RecordType\" IN (?2, ?3) OR t0.\"Partition\" IN (?1)) : p0 'item' 'part' c0~ c1~ c0~");
  auto mixed = in("document");
  mixed.plan.names_deleted = true;
  CHECK_THAT(counted(mixed), Catch::Matchers::Contains("t0.\"RecordType\" IN (?1) AND t0.\"Author\" IN (SELECT") ||
                                 Catch::Matchers::Contains("(t0.\"Author\" IN (SELECT"));
  CHECK_THAT(counted(mixed), Catch::Matchers::Contains("OR t0.\"RecordType\" IN ("));
}

TEST_CASE("one partition asked for limits partitioned rows only") {
  auto builder = over("item");
  builder.plan.names_deleted = true;
  builder.plan.partition = 7;
  CHECK(shown(emit_count(builder.plan, {}, Dialect::Sqlite)) ==
        "SELECT COUNT(*) FROM \"item\" t0 WHERE likely(t0.\"RecordType\" IN (?2, ?3) OR t0.\"Partition\" = ?1) "
        ": plan 'item' 'part'");
  auto people = over("person");
  people.plan.partition = 7;
  CHECK(where(people) == "likely(t0.\"IsDeleted\" = 0) AND likely(t0.\"Partition\" = ?1)");
}

TEST_CASE("a child of a hierarchy is the rows of its final types") {
  auto builder = over("report");
  const std::string reports = "SELECT COUNT(*) FROM \"document\" t0 WHERE likely(t0.\"IsDeleted\" = 0) AND ";
  CHECK(shown(emit_count(builder.plan, {}, Dialect::Sqlite)) == reports + "t0.\"RecordType\" IN ('report') :");
  builder.plan.order.insert(builder.plan.order.begin(), {builder.path("Due"), true});
  CHECK(shown(emit_count(builder.plan, {}, Dialect::Sqlite)) == reports + "likely(t0.\"RecordType\" IN ('report')) :");
}

TEST_CASE("columns that are compared with one another are joined, each relation once") {
  auto builder = over("item");
  builder.plan.filter = all({compare(builder.path("Name"), CompareOp::Equal, builder.path("Owner.Name")),
                             compare(builder.path("Owner.Manager.Name"), CompareOp::Less, builder.path("Owner.Name"))});
  CHECK(shown(emit_count(builder.plan, Scope{1}, Dialect::Sqlite)) ==
        "SELECT COUNT(*) FROM \"item\" t0 "
        "LEFT JOIN \"person\" t1 ON t1.\"Ref\" = t0.\"Owner\" AND likely(t1.\"Partition\" IN (?1)) "
        "LEFT JOIN \"person\" t2 ON t2.\"Ref\" = t1.\"Manager\" AND likely(t2.\"Partition\" IN (?1)) "
        "WHERE CASE WHEN likely(t0.\"RecordType\" IN (?2, ?3) OR t0.\"Partition\" IN (?1)) THEN "
        "t0.\"Name\" COLLATE folded IS t1.\"Name\" COLLATE folded AND "
        "t2.\"Name\" COLLATE folded < t1.\"Name\" COLLATE folded END AND "
        "likely(t0.\"RecordType\" IN (?2, ?3) OR t0.\"Partition\" IN (?1)) AND "
        "likely(t0.\"IsDeleted\" = 0) : p0 'item' 'part'");
}

TEST_CASE("an explicit join hides deleted rows and takes null for no match") {
  auto builder = over("document");
  const catalog::Catalog& catalog = *builder.plan.catalog;
  const catalog::Entity& note = *catalog.find("note");
  builder.plan.joins.push_back({"Last",
                                &note,
                                false,
                                {{note.find_property("Ref"), builder.path("Ref")},
                                 {note.find_property("Order"), builder.whole(1)},
                                 {note.find_property("Words"), builder.path("Author.Name")}}});
  builder.plan.filter = compare(builder.joined(1, "Writer.Name"), CompareOp::Equal, builder.words("x"));
  builder.plan.columns.push_back(builder.joined(1, "Words"));
  CHECK(rows(builder) ==
        "SELECT t0.\"Ref\", t1.\"Words\" FROM \"document\" t0 "
        "LEFT JOIN \"person\" t2 ON t2.\"Ref\" = t0.\"Author\" "
        "LEFT JOIN \"note\" t1 ON t1.\"DocumentId\" = t0.\"Ref\" AND t1.\"Order\" = ?1 AND "
        "t1.\"Words\" COLLATE folded = t2.\"Name\" COLLATE folded "
        "AND likely(t1.\"IsDeleted\" = 0) "
        "WHERE t1.\"Writer\" IN (SELECT t3.\"Ref\" FROM \"person\" t3 WHERE t3.\"Name\" COLLATE folded = ?2) "
        "AND likely(t0.\"IsDeleted\" = 0) ORDER BY t0.\"Ref\" LIMIT ?3 OFFSET ?4 : c0 c1~ top skip");
}

TEST_CASE("flags stored as text are true for every text of the specification") {
  auto builder = over("person");
  builder.plan.names_deleted = true;
  const std::string is_true = "upper(t0.\"Active\") IN ('Y', 'YES', 'T', 'TRUE', 'ON', '1', 'P', 'A')";
  builder.plan.filter = flag(builder.path("Active"));
  CHECK(where(builder) == is_true);
  builder.plan.filter = compare(builder.path("Active"), CompareOp::Equal, builder.constant(false, DataType::Boolean));
  CHECK(where(builder) == "CAST(" + is_true + " AS INTEGER) = ?1");
}

TEST_CASE("numbers of different kinds compare without rounding or overflow") {
  auto builder = over("document");
  builder.plan.names_deleted = true;
  auto comparing = [&](const char* left, const char* right) {
    builder.plan.filter = compare(builder.path(left), CompareOp::Less, builder.path(right));
    return where(builder);
  };
  CHECK(comparing("Size", "Weight") == "t0.\"Size\" < t0.\"Weight\"");
  CHECK(comparing("Price", "Price") == "t0.\"Price\" < t0.\"Price\"");
  CHECK(comparing("Price", "Weight") == "CAST(t0.\"Price\" AS DOUBLE PRECISION) / 100.0 < t0.\"Weight\"");
  CHECK(comparing("Price", "Tax") ==
        "(t0.\"Price\" / 100, t0.\"Price\" % 100 * 10000000000000000) < "
        "(t0.\"Tax\" / 10000, t0.\"Tax\" % 10000 * 100000000000000)");
}

TEST_CASE("looked-up columns are joined after the page is cut where rows would be sorted or skipped with them") {
  auto builder = over("item");
  builder.plan.columns.push_back(builder.path("Owner.Name"));
  const std::string columns = "SELECT t0.\"Ref\", t1.\"Name\" FROM ";
  const std::string joined = "\"item\" t0 LEFT JOIN \"person\" t1 ON t1.\"Ref\" = t0.\"Owner\" ";
  CHECK(rows(builder) ==
        columns + joined + "WHERE likely(t0.\"IsDeleted\" = 0) ORDER BY t0.\"Ref\" LIMIT ?1 OFFSET ?2 : top skip");
  builder.plan.skip = 30;
  CHECK(rows(builder) ==
        columns +
            "(SELECT t2.\"Ref\" AS k FROM \"item\" t2 WHERE likely(t2.\"IsDeleted\" = 0) ORDER BY t2.\"Ref\" LIMIT ?1 "
            "OFFSET ?2) AS page CROSS JOIN " +
            joined + "WHERE t0.\"Ref\" = page.k ORDER BY t0.\"Ref\" : top skip");
  builder.plan.top = 2147483647;
  CHECK(rows(builder) ==
        columns + joined + "WHERE likely(t0.\"IsDeleted\" = 0) ORDER BY t0.\"Ref\" LIMIT ?1 OFFSET ?2 : top skip");
}

TEST_CASE("PostgreSQL finds the keys first where it would not weigh all tables that are looked up") {
  const auto is_keys_first = [](std::size_t relations, Dialect dialect) {
    auto builder = over("item");
    std::string path = "Owner";
    for (std::size_t i = 0; i < relations; ++i, path += ".Manager")
      builder.plan.columns.push_back(builder.path(path + ".Name"));
    return rows(builder, {}, dialect).find(" AS page CROSS JOIN ") != std::string::npos;
  };
  CHECK_FALSE(is_keys_first(6, Dialect::PostgreSql));
  CHECK(is_keys_first(7, Dialect::PostgreSql));
  CHECK(is_keys_first(20, Dialect::PostgreSql));
  CHECK_FALSE(is_keys_first(20, Dialect::Sqlite));
}

TEST_CASE("many inner joins keep their order, which SQLite would look for at length") {
  const auto inner_joined = [](int count, Dialect dialect) {
    auto builder = over("document");
    const catalog::Entity& note = *builder.plan.catalog->find("note");
    for (int i = 0; i < count; ++i)
      builder.plan.joins.push_back({"N", &note, true, {{note.find_property("Ref"), builder.path("Ref")}}});
    return rows(builder, {}, dialect);
  };
  CHECK(inner_joined(10, Dialect::Sqlite).find("CROSS") == std::string::npos);
  CHECK(inner_joined(11, Dialect::Sqlite).find("CROSS JOIN \"note\" t11 ON ") != std::string::npos);
  CHECK(inner_joined(11, Dialect::PostgreSql).find("CROSS") == std::string::npos);
}

TEST_CASE("a record is found by every part of its key, never when deleted, and below a parent where one is given") {
  auto builder = over("note");
  builder.plan.names_deleted = true;
  Scope scope;
  const std::string record = "SELECT t0.\"DocumentId\", t0.\"Order\" FROM \"note\" t0 WHERE ";
  const std::string by_key = "t0.\"DocumentId\" = ?1 AND t0.\"Order\" = ?2 AND likely(t0.\"IsDeleted\" = 0)";
  CHECK(shown(emit_record(builder.plan, scope, Dialect::Sqlite)) == record + by_key + " : k0 k1");
  scope.parent = Parent{builder.path("Rank").property, builder.path("Words").property, {"report", "document"}};
  CHECK(shown(emit_record(builder.plan, scope, Dialect::Sqlite)) ==
        record + by_key + " AND t0.\"Rank\" = ?3 AND t0.\"Words\" IN (?4, ?5) : k0 k1 k2 'report' 'document'");
  CHECK(
      shown(emit_count(builder.plan, scope, Dialect::Sqlite)) ==
      "SELECT COUNT(*) FROM \"note\" t0 WHERE t0.\"Rank\" = ?1 AND t0.\"Words\" IN (?2, ?3) : k0 'report' 'document'");
}

TEST_CASE("constants are bound as the database stores them") {
  auto builder = over("document");
  const std::vector<Value> values{true, DateTime{5}, Decimal{1234, 2}, std::string("STRASSE"), Null{}};
  auto bound = [&](std::size_t index, bool folded) {
    return bound_value(ConstantBinding{index, folded ? TextForm::Folded : TextForm::AsIs}, values[index]);
  };
  CHECK(bound(0, false) == Value(std::int64_t{1}));
  CHECK(bound(1, false) == Value(std::int64_t{5}));
  CHECK(bound(2, false) == Value(std::int64_t{1234}));
  CHECK(bound(3, true) == Value(std::string("strasse")));
  CHECK(bound(3, false) == Value(std::string("STRASSE")));
  CHECK(is_null(bound(4, true)));
}

namespace {

std::string candidates(const PlanBuilder& builder) {
  const auto statement = emit_candidates(builder.plan, {}, Dialect::Sqlite, 9);
  return statement ? shown(*statement) : "none";
}

}  // namespace

TEST_CASE("a filter that asks for a literal in searchable texts can be answered by the index of substrings") {
  auto builder = over("document");
  const Path title = builder.path("Title"), body = builder.path("Body"), city = builder.path("Author.City.Name");
  const auto printer = builder.words("printer"), ink = builder.words("ink");
  const auto short_one = builder.words("ab"), with_null = builder.words(std::string("a\0bcd", 5));
  const auto contains = [](const Path& path, ConstantRef word) { return matches(path, TextOp::Contains, word); };
  const std::string begin =
      "SELECT COUNT(*) FROM (SELECT ((\"document~trigrams\".rowid + 549755813888) & 1099511627775) - 549755813888 FROM "
      "\"document~trigrams\" "
      "WHERE \"document~trigrams\" MATCH ";
  const std::string end = " UNION ALL SELECT key FROM \"document~unindexed\" LIMIT 9) : ";
  struct Row {
    Predicate filter;
    std::string wanted;
  };
  const std::vector<Row> rows{
      {contains(title, printer), begin + "?1" + end + "c0 trigrams"},
      {matches(title, TextOp::StartsWith, printer), begin + "?1" + end + "c0 trigrams"},
      {matches(title, TextOp::EndsWith, printer), begin + "?1" + end + "c0 trigrams"},
      {all({contains(title, ink), contains(body, printer), flag(builder.path("Done"))}),
       begin + "?1 || ' AND ' || ?2" + end + "c0 trigrams c1 trigrams"},
      {any({contains(title, ink), contains(body, printer)}),
       begin + "?1 || ' OR ' || ?2" + end + "c1 trigrams c0 trigrams"},
      {all({contains(title, ink), any({contains(body, printer), contains(title, printer)})}),
       begin + "'(' || ?1 || ' OR ' || ?2 || ')' || ' AND ' || ?3" + end + "c0 trigrams c0 trigrams c1 trigrams"},
      {all(std::vector<Predicate>(5, contains(title, ink))),
       begin + "?1 || ' AND ' || ?2 || ' AND ' || ?3 || ' AND ' || ?4" + end +
           "c1 trigrams c1 trigrams c1 trigrams c1 trigrams"},
      {any({contains(title, ink), flag(builder.path("Done"))}), "none"},
      {any(std::vector<Predicate>(9, contains(title, ink))), "none"},
      {opposite(contains(title, ink)), "none"},
      {contains(city, printer), "none"},
      {contains(title, short_one), "none"},
      {contains(title, with_null), "none"},
      {compare(title, CompareOp::Equal, printer), "none"},
  };
  for (const Row& row : rows) {
    builder.plan.filter = row.filter;
    INFO(row.wanted);
    CHECK(candidates(builder) == row.wanted);
    CHECK_FALSE(emit_candidates(builder.plan, {}, Dialect::PostgreSql, 9));
  }
  builder.plan.filter = contains(title, ink);
  builder.plan.entity = builder.plan.catalog->find("note");
  CHECK(candidates(builder) == "none");  // a key of two parts
}

TEST_CASE("the candidates are one more condition, and the filter still decides") {
  auto builder = over("document");
  builder.plan.filter = matches(builder.path("Title"), TextOp::Contains, builder.words("printer"));
  CHECK(shown(emit_count(builder.plan, {}, Dialect::Sqlite, Reach::Candidates)) ==
        "SELECT COUNT(*) FROM \"document\" t0 WHERE t0.\"Ref\" IN (SELECT ((\"document~trigrams\".rowid + "
        "549755813888) & 1099511627775) "
        "- 549755813888 FROM \"document~trigrams\" WHERE "
        "\"document~trigrams\" MATCH ?1 UNION ALL SELECT key FROM \"document~unindexed\") AND "
        "contains_folded(t0.\"Title\", ?2) AND likely(t0.\"IsDeleted\" = 0) : c0 trigrams c0~");
}

TEST_CASE("of limited sessions only those use the index of substrings to whom it tells nothing of others' rows") {
  auto builder = over("document");
  builder.plan.filter = matches(builder.path("Title"), TextOp::Contains, builder.words("printer"));
  const auto statement = [&](const Scope& scope) {
    const auto found = emit_candidates(builder.plan, scope, Dialect::Sqlite, 9);
    return found ? shown(*found) : "none";
  };
  CHECK(
      statement(Scope{2}) ==
      "SELECT COUNT(*) FROM (SELECT ((\"document~trigrams\".rowid + 549755813888) & 1099511627775) - 549755813888 FROM "
      "(SELECT ?1 AS partition UNION ALL SELECT ?2 AS partition) CROSS JOIN \"document~trigrams\" WHERE "
      "\"document~trigrams\" MATCH ?3 AND \"document~trigrams\".rowid BETWEEN (((partition + 1) & 8388607) << 40) AND "
      "((((partition + 1) & 8388607) << 40) + 1099511627775) UNION ALL SELECT key FROM \"document~unindexed\" LIMIT 9) "
      ": p0 p1 c0 trigrams");
  const catalog::Action read;
  const Access all{{builder.plan.entity, RowLimit{true, &read, {}}}};
  CHECK(statement(Scope{std::nullopt, &all}) != "none");
  const Access none{{builder.plan.catalog->find("report"), RowLimit{false, &read, {}}}};
  CHECK(statement(Scope{std::nullopt, &none}) == "none");
  builder.plan.names_deleted = true;  // the index does not hold deleted rows
  CHECK(statement(Scope{}) == "none");
}

TEST_CASE("terms that an index answers stand in front of the barrier, all others behind it") {
  auto builder = over("document");
  const auto asked = [&](Predicate filter) {
    builder.plan.filter = std::move(filter);
    const std::string text = emit_count(builder.plan, Scope{1}, Dialect::Sqlite).sql.text();
    return text.substr(text.find(" WHERE ") + 7);
  };
  const Predicate key = compare(builder.path("Ref"), CompareOp::Equal, builder.whole(7));
  const Predicate text = matches(builder.path("Title"), TextOp::StartsWith, builder.words("x"));
  const std::string limit = "likely(t0.\"Partition\" IN (?1))", hidden = "likely(t0.\"IsDeleted\" = 0)";
  const std::string usual = "likely(+t0.\"Partition\" IN (?1))";  // the key leads: no index of the partition is of use
  CHECK(asked(all({key, text})) == "CASE WHEN " + usual +
                                       " THEN starts_with_folded(t0.\"Title\", ?3) END AND "
                                       "t0.\"Ref\" = ?2 AND " +
                                       usual + " AND " + hidden);
  CHECK(asked(any({key, text})) == "CASE WHEN " + limit +
                                       " THEN t0.\"Ref\" = ?2 OR starts_with_folded(t0.\"Title\", ?3) END "
                                       "AND " +
                                       limit + " AND " + hidden);
  CHECK(asked(opposite(key)) ==
        "CASE WHEN " + limit + " THEN (t0.\"Ref\" = ?2) IS NOT TRUE END AND " + limit + " AND " + hidden);
}

TEST_CASE("a text becomes its trigrams, side by side, and a pattern") {
  const auto bound = [](TextForm form, const char* words) {
    return std::get<std::string>(bound_value(ConstantBinding{0, form}, Value(std::string(words))));
  };
  CHECK(bound(TextForm::Trigrams, "abc") == R"(("abc"))");
  CHECK(bound(TextForm::Trigrams, "ABCD") == R"(("abc" AND "bcd"))");
  CHECK(bound(TextForm::Trigrams, "abcdef") == R"(("abc" AND "def"))");
  CHECK(bound(TextForm::Trigrams, "abcdefgh") == R"(("abc" AND "def" AND "fgh"))");
  CHECK(bound(TextForm::Trigrams, "\"a\" OR *") == R"(("""a""" AND " or" AND "r *"))");
  CHECK(bound(TextForm::Trigrams, "\xC3\x84rg\xC3\xA4R") == "(\"\xC3\xA4rg\" AND \"g\xC3\xA4r\")");
  CHECK(bound(TextForm::LikePattern, "100%_\\") == "%100\\%\\_\\\\%");
}

TEST_CASE("PostgreSQL is told how many rows a page has, where that is not many") {
  auto builder = over("region");
  const auto end = [&](std::optional<std::int64_t> top, std::int64_t skip) {
    builder.plan.top = top;
    builder.plan.skip = skip;
    const std::string sql = rows(builder, {}, Dialect::PostgreSql);
    return sql.substr(sql.find(" LIMIT "));
  };
  CHECK(end(30, 0) == " LIMIT 30 :");
  CHECK(end(0, 0) == " LIMIT 0 :");
  CHECK(end(30, 60) ==
        " LIMIT 30 OFFSET ?1) AS page CROSS JOIN \"region\" t0 WHERE t0.\"Ref\" = page.k ORDER BY t0.\"Ref\" : skip");
  CHECK(end(1001, 0) == " LIMIT ?1 OFFSET ?2 : top skip");
}

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

// Documents of authors with a name, and the documents before them, with all that a statement binds.
std::string by_author(Dialect dialect, bool counted, bool joined) {
  PlanBuilder builder(typed_catalog(typed_entities(), document_states()), "document");
  const auto author = compare(builder.path("Author.Name"), CompareOp::Equal, builder.words("nobody"));
  const auto before = compare(builder.path("Previous.Count"), CompareOp::Equal, builder.whole(3));
  builder.plan.filter = all({author, before});
  if (joined) {
    Join join;
    join.target = builder.plan.catalog->find("tool");
    join.on = {{join.target->find_property("Name"), builder.path("Item.Name")}};
    builder.plan.joins.push_back(std::move(join));
  }
  const Statement statement = counted ? emit_count(builder.plan, {}, dialect) : emit_rows(builder.plan, {}, dialect);
  const std::string last = "?" + std::to_string(statement.bindings.size());
  CHECK(has(statement.sql.text(), last));  // each is somewhere in the text
  return statement.sql.text();
}

}  // namespace

TEST_CASE(
    "a page asks once whether any record is as a term asks of what a lookup leads to; so does PostgreSQL's count") {
  for (const bool counted : {false, true})
    for (const bool joined : {false, true}) {
      CAPTURE(counted, joined);
      const std::string sql = by_author(Dialect::PostgreSql, counted, joined);
      const auto once = sql.find("EXISTS (SELECT 1 FROM \"person\" t");
      REQUIRE(once != sql.npos);
      CHECK(has(sql.substr(once, sql.find(')', once + 40) - once), " WHERE folded("));  // of no row of the search
      CHECK_FALSE(has(sql, "EXISTS (SELECT 1 FROM \"document\""));                      // those with states are many
      CHECK(has(by_author(Dialect::Sqlite, counted, joined), "LIMIT CASE WHEN EXISTS (SELECT 1 FROM \"person\"") !=
            counted);
    }
}

TEST_CASE("PostgreSQL does not take a beginning for rarer than the range of texts that it lies in") {
  auto entities = typed_entities();
  for (auto& entity : entities)
    if (entity.name == "region") entity.properties.front() = indexed(property("Name", DataType::Text));
  PlanBuilder builder(typed_catalog(std::move(entities)), "region");
  builder.plan.filter = matches(builder.path("Name"), TextOp::StartsWith, builder.words("x"));
  CHECK(where(builder, Dialect::PostgreSql) ==
        "folded(t0.\"Name\") COLLATE \"C\" >= ?2 AND folded(t0.\"Name\") COLLATE \"C\" < ?3 AND "
        "CASE WHEN folded(t0.\"Name\") LIKE ?1 THEN TRUE END");
}
