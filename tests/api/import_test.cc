// A real service desk's log, imported into an empty desk and asked over HTTP. Facts were computed from the same file by
// someone else, with another program. Skipped only where the data is absent.
#include "server_process.h"

#include "engine/base/datetime.h"
#include "engine/importing/text.h"
#include "tests/support/paths.h"

#include <openssl/evp.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string folder = test::source_folder() + "/../shared/data/itsm/";
const std::string events = folder + "servicenow_incidents_dev.csv.gz";

std::string text(const json::Node& node, std::string_view name) {
  const json::Node* found = node.find(name);
  return found ? found->text() : std::string();
}

// An empty desk with one administrator and one program to sign in with, an import, and its server.
class ImportedDesk {
 public:
  explicit ImportedDesk(const std::string& file) {
    const std::string& data = data_.path();
    imported = run_program({"--data", data, "import", file, "--map", "samples/import/servicenow.lua", "--rejected",
                            data + "/rejected.csv"});
    REQUIRE(imported.exit_status == 0);
    REQUIRE(run_program({"--data", data, "client", "add", "sample-app"}).exit_status == 0);
    REQUIRE(run_program({"--data", data, "person", "add", "admin", "--administrator"}, "callisto\n").exit_status == 0);
    server_ = std::make_unique<ServerProcess>(data, std::vector<std::string>{});
    client_ = std::make_unique<Client>(*server_, server_->token("admin"));
  }

  const Client& client() const { return *client_; }
  const std::string& data() const { return data_.path(); }

  int count(const std::string& entity, Query query = {}) const {
    query.emplace_back("$count", "true");
    const Answer answer = client_->get("v1/" + entity, query);
    INFO(entity << encoded(query) << " " << answer.body);
    REQUIRE(answer.status == 200);
    return std::stoi(answer.body);
  }

  std::vector<std::string> refs(const Query& query) const {
    std::vector<std::string> found;
    const json::Node page = client_->get_json("v1/incident", query);
    for (const json::Node& row : page.find("results")->items()) found.push_back(text(row, "Ref"));
    return found;
  }

  Finished imported;

 private:
  TemporaryFolder data_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<Client> client_;
};

Query query_of(const json::Node& fact) {
  Query query;
  for (const char* option : {"filter", "orderby", "skip", "top"})
    if (fact.find(option)) query.emplace_back("$" + std::string(option), text(fact, option));
  if (fact.find("join")) query.emplace_back("$innerJoin", text(fact, "join"));
  return query;
}

std::string sha256(const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex += "0123456789abcdef"[digest[i] / 16];
    hex += "0123456789abcdef"[digest[i] % 16];
  }
  return hex;
}

void check_page(const ImportedDesk& desk, const json::Node& fact) {
  std::vector<std::string> expected;
  for (const json::Node& ref : fact.find("expect_refs")->items()) expected.push_back(ref.text());
  CHECK(desk.refs(query_of(fact)) == expected);
}

void check_walk(const ImportedDesk& desk, const json::Node& fact) {
  std::string all;
  int total = 0;
  for (bool more = true; more;) {
    const auto page = desk.refs(
        {{"$orderby", text(fact, "orderby")}, {"$skip", std::to_string(total)}, {"$top", text(fact, "page")}});
    for (const std::string& ref : page) all += (all.empty() ? "" : ",") + ref;
    total += static_cast<int>(page.size());
    more = !page.empty();
  }
  CHECK(std::to_string(total) == text(fact, "expect_total"));
  CHECK(sha256(all) == text(fact, "expect_sha256_of_refs_joined_by_comma"));
}

// Rows of a joined search, paged through: what a client sees and not what $count says.
int walk_rows(const ImportedDesk& desk, Query query, const std::string& step) {
  query.insert(query.end(), {{"$orderby", "Ref,History.Order"}, {"$select", "Ref,History.Order"}, {"$top", step}});
  std::set<std::string> seen;
  for (int skip = 0;; skip += std::stoi(step)) {
    Query next = query;
    next.emplace_back("$skip", std::to_string(skip));
    const json::Node page = desk.client().get_json("v1/incident", next);
    for (const json::Node& row : page.find("results")->items())
      CHECK(seen.insert(text(row, "Ref") + "/" + text(*row.find("History"), "Order")).second);
    if (page.find("results")->items().empty()) return static_cast<int>(seen.size());
  }
}

void check_inline_count(const ImportedDesk& desk, const json::Node& fact) {
  Query query = query_of(fact);
  query.emplace_back("$inlinecount", "true");
  const json::Node page = desk.client().get_json("v1/incident", query);
  CHECK(text(page, "__count") == text(fact, "expect_count"));
  CHECK(std::to_string(page.find("results")->items().size()) == text(fact, "top"));
}

void check_left_join(const ImportedDesk& desk, const json::Node& fact) {
  CHECK(std::to_string(desk.count("incident", {{"$innerJoin", text(fact, "join")}})) ==
        text(fact, "expect_inner_rows"));
  CHECK(std::to_string(desk.count("incident", {{"$leftJoin", text(fact, "join")}})) == text(fact, "expect_left_rows"));
}

void check_fact(const ImportedDesk& desk, const json::Node& fact) {
  const std::string kind = text(fact, "kind");
  INFO(text(fact, "id") << " " << encoded(query_of(fact)));
  const auto count = [&] { return std::to_string(desk.count("incident", query_of(fact))); };
  if (kind == "page") return check_page(desk, fact);
  if (kind == "walk") return check_walk(desk, fact);
  if (kind == "inlinecount") return check_inline_count(desk, fact);
  if (kind == "inner_vs_left") return check_left_join(desk, fact);
  if (kind == "count") {
    CHECK(count() == text(fact, "expect_count"));
    return;
  }
  REQUIRE(kind == "join_count");
  CHECK(count() == text(fact, "expect_rows"));
  CHECK(std::to_string(walk_rows(desk, query_of(fact), "4999")) == text(fact, "expect_rows"));
}

json::Node facts() {
  std::ifstream file(folder + "servicenow_query_facts_dev.json");
  std::stringstream content;
  content << file.rdbuf();
  auto parsed = json::parse(content.str(), json::Limits{32, 1'000'000});
  REQUIRE(parsed);
  return *std::move(parsed);
}

bool is_absent() {
  if (std::filesystem::exists(events)) return false;
  WARN("skipped: " << events << " is absent");
  return true;
}

// "day/month/year hour:minute" as the event log writes it.
DateTime moment_of(const std::string& written) {
  int day = 0, month = 0, year = 0, hour = 0, minute = 0;
  REQUIRE(std::sscanf(written.c_str(), "%d/%d/%d %d:%d", &day, &month, &year, &hour, &minute) == 5);
  char iso[40];
  std::snprintf(iso, sizeof iso, "%04d-%02d-%02dT%02d:%02d:00Z", year, month, day, hour, minute);
  const auto moment = parse_iso8601(iso);
  REQUIRE(moment);
  return *moment;
}

// The event log up to a moment. No cell of it is quoted.
std::string events_until(DateTime last) {
  const auto all = importing::read_file(events);
  REQUIRE(all);
  std::istringstream lines(*all);
  std::string line, kept;
  std::getline(lines, line);
  kept = line + "\n";
  const std::string name = "sys_updated_at";
  const auto column = std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(line.find(name)), ',');
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (auto i = column; i >= 0; --i) std::getline(cells, cell, ',');
    if (moment_of(cell).ms <= last.ms) kept += line + "\n";
  }
  return kept;
}

}  // namespace

TEST_CASE("an imported desk answers every fact known of it") {
  if (is_absent()) return;
  const ImportedDesk desk(events);
  const json::Node known = facts();
  for (const json::Node& fact : known.find("facts")->items()) check_fact(desk, fact);

  const json::Node& totals = *known.find("totals");
  const auto total = [&](const char* name) { return std::stoi(text(totals, name)); };
  CHECK(desk.count("incident") == total("incidents"));
  CHECK(desk.count("call-history") == total("history_rows"));
  CHECK(desk.count("location") == total("distinct_locations"));
  CHECK(desk.count("group") == total("distinct_assignment_groups"));
  CHECK(desk.count("service") == total("distinct_service_location_pairs"));
  CHECK(desk.count("incident", {{"$filter", "Checkbox1"}}) == total("reopened"));
  CHECK(desk.count("incident", {{"$filter", "@SlmBreached"}}) == total("breached"));
  for (const json::Member& state : totals.find("final_states")->members())
    CHECK(desk.count("incident", {{"$filter", "Status.Name == \"" + state.name + "\""}}) ==
          std::stoi(state.value.text()));
  for (const json::Member& priority : totals.find("priorities")->members())
    CHECK(desk.count("incident", {{"$filter", "Priority.Name == \"" + priority.name + "\""}}) ==
          std::stoi(priority.value.text()));

  const Finished again = run_program({"--data", desk.data(), "import", events, "--map", "samples/import/servicenow.lua",
                                      "--rejected", desk.data() + "/rejected.csv"});
  INFO(again.output);
  // With SQLite the server has the desk open; with PostgreSQL both may work on it, and there is nothing left to do.
  CHECK(again.exit_status == (is_on_postgres() ? 0 : 1));
}

TEST_CASE("a desk imported up to a moment has the states of that moment") {
  if (is_absent()) return;
  const json::Node known = facts();
  for (const json::Node& moment : known.find("as_of")->items()) {
    const std::string until = text(moment, "load_only_events_up_to");
    INFO(until);
    const auto last = parse_iso8601(until);
    REQUIRE(last);
    TemporaryFolder files;
    const std::string file = files.path() + "/events.csv";
    std::ofstream(file) << events_until(*last);
    const ImportedDesk desk(file);
    CHECK(std::to_string(desk.count("incident")) == text(moment, "incidents_existing"));
    for (const json::Member& state : moment.find("states")->members())
      CHECK(desk.count("incident", {{"$filter", "Status.Name == \"" + state.name + "\""}}) ==
            std::stoi(state.value.text()));
  }
}
