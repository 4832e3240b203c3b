// Searches as CSV: what JSON answers, row by row, for programs that read tables.
#include "engine/importing/read/csv.h"
#include "tests/api/server_process.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::tests;

namespace {

const Client& analyst() {
  static const Client client(sample_server(), sample_server().token("analyst"));
  return client;
}

Answer csv(const std::string& path, const Query& query, const std::string& accept = "text/csv") {
  const std::string target = "/service.api/api/" + path + encoded(query);
  static const std::string token = sample_server().token("analyst");
  return sample_server().send("GET", target, {"Authorization: Bearer " + token, "Accept: " + accept});
}

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& text) {
  Rows rows;
  importing::CsvReader reader(text, ',');
  for (importing::CsvRow row; reader.next(row);) rows.push_back(row.cells);
  return rows;
}

// A cell as JSON has it, below dots.
std::string cell_of(const json::Node& row, std::string_view path) {
  const std::size_t dot = path.find('.');
  const json::Node* found = row.find(path.substr(0, dot));
  REQUIRE(found != nullptr);
  if (dot != path.npos) return found->kind() == json::Node::Kind::Object ? cell_of(*found, path.substr(dot + 1)) : "";
  if (found->is_null()) return "";
  if (found->kind() == json::Node::Kind::Boolean) return found->boolean() ? "true" : "false";
  return std::string(found->text());
}

}  // namespace

TEST_CASE("a search answers the same rows and values as CSV and as JSON") {
  const auto [path, select] = GENERATE(table<std::string, std::string>({
      {"v1/call", "Ref,ShortDescription,Description,LoggedDate,ClosedDate,Priority,User.Name,User.Location.Name"},
      {"v1/call", "Ref,@AssignmentState,State,User.Name"},
      {"v1/person", "Ref,Name,Email,IsUser,Manager.Name"},
      {"v1/knowledge", "Ref,Title,Views"},
      {"v1/call/2/history", "Order,Description,Date"},
  }));
  const Query query{{"$select", select}, {"$top", "60"}, {"$orderby", path == "v1/call/2/history" ? "Order" : "Ref"}};
  const Answer answer = csv(path, query);
  INFO(path << " " << select << " -> " << answer.body.substr(0, 500));
  REQUIRE(answer.status == 200);
  CHECK(answer.headers.at("content-type").starts_with("text/csv"));
  const Rows rows = rows_of(answer.body);
  const auto json_rows = analyst().get_json(path, query).find("results")->items();
  REQUIRE(rows.size() == json_rows.size() + 1);
  for (std::size_t i = 0; i < json_rows.size(); ++i)
    for (std::size_t column = 0; column < rows[0].size(); ++column)
      CHECK(rows[i + 1].at(column) == cell_of(json_rows[i], rows[0][column]));
}

TEST_CASE("commas, quotes, line ends and formulas stay what they are in CSV, or are disarmed where asked") {
  const Client& client = analyst();
  const std::string title = "=1+1, \\\"quoted\\\"\\r\\nnext line";
  const Answer made =
      client.send("POST", "v1/incident", "{\"ShortDescription\": \"csv\", \"Description\": \"" + title + "\"}");
  REQUIRE(made.status == 200);
  const Query query{
      {"$filter", "ShortDescription == \"csv\""}, {"$select", "Description,ShortDescription"}, {"$top", "1"}};
  CHECK(csv("v1/call", query).body == "Description,ShortDescription\r\n\"=1+1, \"\"quoted\"\"\r\nnext line\",csv\r\n");
  CHECK(csv("v1/call", query, "text/csv;formulas=text").body ==
        "Description,ShortDescription\r\n\"'=1+1, \"\"quoted\"\"\r\nnext line\",csv\r\n");
}

TEST_CASE("CSV is answered where it is wished more than JSON, and JSON otherwise") {
  const auto [accept, type] = GENERATE(table<std::string, std::string>({
      {"text/csv", "text/csv"},
      {"TEXT/CSV; header=present", "text/csv"},
      {"text/csv, */*;q=0.1", "text/csv"},
      {"application/json;q=0.5, text/csv;q=0.9", "text/csv"},
      {"application/json, text/csv;q=0.9", "application/json"},
      {"application/json, text/csv", "application/json"},  // as clients made by generators list what they read
      {"text/csv;q=0", "application/json"},
      {"text/html,application/xhtml+xml,*/*;q=0.8", "application/json"},
      {"*/*", "application/json"},
      {"text/*", "application/json"},
      {"text/csvx", "application/json"},
  }));
  const Answer answer = csv("v1/call", {{"$top", "1"}}, accept);
  INFO(accept);
  CHECK(answer.status == 200);
  CHECK(answer.headers.at("content-type").starts_with(type));
  CHECK(answer.headers.at("vary").find("Accept") != std::string::npos);
}

TEST_CASE("a page of CSV leads to the next one, and tells how many rows there are") {
  const Answer first = csv("v1/call", {{"$top", "2"}, {"$select", "Ref"}, {"$inlinecount", "true"}});
  REQUIRE(first.headers.count("link") == 1);
  CHECK(std::stoi(first.headers.at("x-total-count")) > 2);
  CHECK(first.headers.at("content-disposition").find("call.csv") != std::string::npos);
  const std::string link = first.headers.at("link");
  const std::string target = link.substr(1, link.find('>') - 1);
  CHECK(link.ends_with("rel=\"next\""));
  static const std::string token = sample_server().token("analyst");
  const Answer second = sample_server().send("GET", target, {"Authorization: Bearer " + token, "Accept: text/csv"});
  INFO(target << " -> " << second.body);
  REQUIRE(second.status == 200);
  const Rows rows = rows_of(first.body), more = rows_of(second.body);
  REQUIRE(more.size() == 3);
  CHECK(std::stoi(more[1][0]) > std::stoi(rows[2][0]));
}

TEST_CASE("a refusal of a search is JSON, whatever was accepted") {
  const Answer refused = csv("v1/call", {{"$filter", "Nothing == 1"}});
  CHECK(refused.status == 400);
  CHECK(refused.headers.at("content-type").starts_with("application/json"));
}
