#include "large_desk.h"

#include "engine/storage/database.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace callisto::tests {

namespace {

constexpr int copies = 40;
const std::string copied =
    R"("CreatedDate", "CreatedBy", "UpdatedDate", "UpdatedBy", "Partition", "IsDeleted", "RecordVersion", "RecordType",
    "CallRef", "ShortDescription", "Type", "Service", "State", "Priority", "Impact", "Urgency", "User", "Organization",
    "Analyst", "Group", "LoggedBy", "LoggedDate", "DueDate", "ClosedDate", "ClockStopped", "Breached",
    "LastHistoryOrder", "AttachmentCount")";

std::string with_copies(std::string sql) {
  for (int k = 1; k <= copies; ++k) {
    const std::string more = std::to_string(k * 10'000);
    sql += R"(INSERT INTO "call" ("Ref", "Id", )" + copied + R"() SELECT "Ref" + )" + more +
           R"(, 'copy-' || CAST("Ref" + )" + more + " AS VARCHAR(20)), " + copied +
           R"( FROM "call" WHERE "Ref" < 10000;)";
  }
  return sql;
}

}  // namespace

LargeDesk::LargeDesk(const std::string& before, const std::string& after) {
  { const ServerProcess first(folder_.path(), {"--samples"}); }
  {
    auto database = storage::Database::open({.url = database_url(folder_.path())});
    REQUIRE(database);
    const std::string script = with_copies(before) + after;
    REQUIRE((*database)->write([&](storage::Connection& connection) { return connection.run_script(script); }));
  }
  server_ = std::make_unique<ServerProcess>(folder_.path(), std::vector<std::string>{});
}

Query asked(const std::string& filter, const std::string& order, const std::string& top) {
  Query query{{"$orderby", order}, {"$top", top}, {"$select", "Ref"}};
  if (!filter.empty()) query.emplace_back("$filter", filter);
  return query;
}

Refs refs_of(const json::Node& page) {
  Refs refs;
  for (const json::Node& row : page.find("results")->items()) refs.push_back(text_of(row, "Ref"));
  return refs;
}

Refs part(const Refs& all, std::size_t from, std::size_t size) {
  const std::size_t begin = std::min(all.size(), from), end = std::min(all.size(), begin + size);
  return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::string chosen(const Client& client, const std::string& entity, const std::string& filter,
                   const std::string& order) {
  Query query = asked(filter, order, "30");
  query.emplace_back("$explain", "true");
  return text_of(*client.get_json("v1/" + entity, query).find("Choice"), "Chosen");
}

}  // namespace callisto::tests
