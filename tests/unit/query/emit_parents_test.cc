// What limits rows that hang on others (API rule 2.14): which lists do, and the conditions that come of it.
#include "engine/query/emit_sql.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;
using catalog::DataType;

namespace {

using Lists = std::vector<catalog::EntityDefinition::SubResourceDefinition>;

// `lists` below every document, and files that hang on documents and on people.
std::shared_ptr<const catalog::Catalog> with_lists(Lists lists) {
  auto entities = typed_entities();
  auto file = entity("file", {property("Of", DataType::Integer), property("Kind", DataType::Text)});
  auto scan = entity("scan", {});
  scan.extends = "file";
  for (auto& each : entities)
    if (each.name == "document") each.sub_resources = lists;
  entities.insert(entities.end(), {file, scan});
  return typed_catalog(std::move(entities));
}

std::string limits(const std::shared_ptr<const catalog::Catalog>& catalog, std::string_view entity,
                   const Scope& scope = Scope{1}) {
  PlanBuilder builder(catalog, entity);
  const std::string text = emit_count(builder.plan, scope, Dialect::Sqlite).sql.text();
  return text.substr(text.find(" WHERE ") + 7);
}

}  // namespace

TEST_CASE("rows whose key is their parent's are visible where that is; rows that merely name it are everywhere") {
  CHECK(limits(with_lists({{"notes", "note", "DocumentId", "", {}}}), "note") ==
        "likely(EXISTS (SELECT 1 FROM \"document\" t1 WHERE t1.\"Ref\" = t0.\"DocumentId\" AND "
        "likely(t1.\"IsDeleted\" = 0) AND likely(t1.\"Partition\" IN (?1)))) AND likely(t0.\"IsDeleted\" = 0)");
  CHECK(limits(with_lists({{"ranked", "note", "Rank", "", {}}}), "note") == "likely(t0.\"IsDeleted\" = 0)");
  CHECK(limits(with_lists({{"cities", "city", "Region", "", {}}}), "city") == "likely(t0.\"IsDeleted\" = 0)");
}

TEST_CASE("a list of files limits what extends the file, and of a search of its parent the rows of that type") {
  const std::string exists =
      "EXISTS (SELECT 1 FROM \"document\" t1 WHERE t1.\"Ref\" = t0.\"Of\" AND likely(t1.\"IsDeleted\" = 0) AND ";
  const auto files = with_lists({{"files", "file", "Of", "Kind", {}}});
  CHECK_THAT(limits(files, "file"),
             Catch::Matchers::Contains("likely(NOT (t0.\"Kind\" IN (") && Catch::Matchers::Contains(exists));
  CHECK_THAT(limits(files, "scan"), Catch::Matchers::Contains(exists));
  const auto scans = with_lists({{"scans", "scan", "Of", "Kind", {}}});
  CHECK_THAT(limits(scans, "file"), Catch::Matchers::Contains("likely(NOT (t0.\"RecordType\" IN (") &&
                                        Catch::Matchers::Contains(") OR NOT (t0.\"Kind\" IN (") &&
                                        Catch::Matchers::Contains(exists));
}

TEST_CASE("what hangs on a deleted row is hidden with it from searches, and from nothing else") {
  const auto notes = with_lists({{"notes", "note", "DocumentId", "", {}}});
  const std::string gone = "t1.\"IsDeleted\" = 0";
  CHECK_THAT(limits(notes, "note", Scope{}), Catch::Matchers::Contains(gone));
  Scope own;
  own.with_deleted = true;
  PlanBuilder builder(notes, "note");
  CHECK(emit_count(builder.plan, own, Dialect::Sqlite).sql.text() == "SELECT COUNT(*) FROM \"note\" t0");
  builder.plan.names_deleted = true;
  CHECK(emit_count(builder.plan, {}, Dialect::Sqlite).sql.text() == "SELECT COUNT(*) FROM \"note\" t0");
}

TEST_CASE("rows below what a rule leads to are found from there, unless the filter leads to fewer") {
  const auto notes = with_lists({{"notes", "note", "DocumentId", "", {}}});
  PlanBuilder own(notes, "document");
  own.plan.filter = compare(own.path("Author"), CompareOp::Equal, own.whole(7));
  const catalog::Action read;
  Access access;
  for (const catalog::Entity* type : own.plan.entity->final_types())
    access.emplace(type, RowLimit{false, &read, {&own.plan}});
  const Scope scope{std::nullopt, &access};
  const std::string from_there = "t0.\"DocumentId\" IN (SELECT t1.\"Ref\" FROM \"document\" t1 WHERE ";
  CHECK_THAT(limits(notes, "note", scope), Catch::Matchers::StartsWith(from_there));
  PlanBuilder of_one(notes, "note");
  of_one.plan.filter = compare(of_one.path("DocumentId"), CompareOp::Equal, of_one.whole(3));
  CHECK_THAT(emit_count(of_one.plan, scope, Dialect::Sqlite).sql.text(),
             Catch::Matchers::Contains("EXISTS (SELECT 1 FROM \"document\"") &&
                 !Catch::Matchers::Contains("\"DocumentId\" IN ("));
  CHECK_THAT(emit_count(PlanBuilder(notes, "note").plan, scope, Dialect::PostgreSql).sql.text(),
             Catch::Matchers::Contains("\"DocumentId\" IN (SELECT t1.\"Ref\" FROM \"document\" t1 WHERE "));
}

TEST_CASE("PostgreSQL asks each row of a walk in order for its parent, and makes a list of them for a count") {
  const auto notes = with_lists({{"notes", "note", "DocumentId", "", {}}});
  PlanBuilder page(notes, "note");
  page.plan.top = 30;
  page.plan.order = {{page.path("DocumentId"), true}, {page.path("Order"), false}};
  const auto has_offset = Catch::Matchers::Contains(" OFFSET 0)");
  CHECK_THAT(emit_rows(page.plan, Scope{1}, Dialect::PostgreSql).sql.text(), has_offset);
  CHECK_THAT(emit_rows(page.plan, Scope{1}, Dialect::Sqlite).sql.text(), !has_offset);
  CHECK_THAT(emit_count(page.plan, Scope{1}, Dialect::PostgreSql).sql.text(), !has_offset);
  page.plan.order = {{page.path("Writer.Name"), false}, {page.path("DocumentId"), false}, {page.path("Order"), false}};
  CHECK_THAT(emit_rows(page.plan, Scope{1}, Dialect::PostgreSql).sql.text(), !has_offset);  // all are sorted
}
