// One account does not take the desk from the others: its requests leave places for theirs, and what joins may examine
// is bounded.
#include "tests/api/bad_input.h"
#include "tests/support/metrics_text.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

using namespace callisto;
using namespace callisto::tests;

namespace {

// J0:Service(clause)&J1:Service(clause)...
Query joined(int count, const std::string& item, const std::string& option = "$innerJoin") {
  Query query{{"$count", "true"}};
  for (int i = 0; i < count; ++i) query.emplace_back(option, "J" + std::to_string(i) + ":" + item);
  return query;
}

class Crowd {
 public:
  Crowd(const Client& client, int count, const Query& query) {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this, &client, query] {
        while (!done_) {
          const int status = client.get("v1/service", query).status;
          if (status != 200 && status != 400 && status != 503) ++others_;
          ++answered_;
        }
      });
  }
  ~Crowd() { end(); }
  void end() {
    done_ = true;
    for (std::thread& each : threads_)
      if (each.joinable()) each.join();
  }
  int answered() const { return answered_; }
  int others() const { return others_; }

 private:
  std::atomic<bool> done_ = false;
  std::atomic<int> answered_ = 0, others_ = 0;
  std::vector<std::thread> threads_;
};

double figure(const ServerProcess& server, const std::string& name) {
  return test::MetricsReader::read(server.send("GET", "/metrics").body).value(name);
}

}  // namespace

TEST_CASE("while one account sends what is slow, from many connections, all others are answered") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "limits.joined_rows=20000000"});
  const Client hostile(server, server.token("user2", "session-type:User"));
  const Client analyst(server, server.token("analyst"));
  const Client user(server, server.token("user", "session-type:User"));
  Crowd crowd(hostile, 16, joined(8, "Service(IsFrozen==IsFrozen)"));
  for (int i = 0; i < 60 || crowd.answered() == 0; ++i) {
    CHECK(analyst.get("v1/call/2").status == 200);
    CHECK(user.get("v1/service", {{"$top", "3"}}).status == 200);
    CHECK(analyst.send("POST", "v1/incident", R"({"ShortDescription": "Beside it"})").status == 200);
  }
  crowd.end();
  CHECK(crowd.others() == 0);
}

TEST_CASE("quick questions of an account whose turns are all taken by slow ones are answered beside them",
          "[caches][unsanitized]") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "limits.joined_rows=20000000"});
  const Client user(server, server.token("user2", "session-type:User"));
  const Query quick{{"$top", "3"}};
  for (int i = 0; i < 50; ++i) REQUIRE(user.get("v1/service", quick).status == 200);
  Crowd crowd(user, 16, joined(8, "Service(IsFrozen==IsFrozen)"));
  while (figure(server, "callisto_slots_waiting") == 0) {}
  int answered = 0;
  for (int i = 0; i < 5; ++i) answered += user.get("v1/service", quick).status == 200;  // else 503 after five seconds
  crowd.end();
  CHECK(answered >= 2);  // one that comes just after a commit waits in turn
  CHECK(figure(server, "callisto_slots_spare") >= 1);
}

TEST_CASE("joins that pair all with all are refused, by the name of the join and of what has no index") {
  const auto [query, message] = GENERATE(table<Query, std::string>({
      {joined(8, "Service(IsFrozen==IsFrozen)"), "The join 'J0' pairs rows of service by IsFrozen"},
      {joined(8, "Service(IsFrozen==IsFrozen)", "$leftJoin"), "IsFrozen of service has no index"},
      {joined(11, "Service(IsFrozen==false)"), "Join by a key"},
      {joined(11, "Service(Category==Category)"), "by Category"},
  }));
  const Answer answer = get("user2", "v1/service", query);
  INFO(encoded(query) << " -> " << answer.body);
  CHECK(answer.status == 400);
  CHECK(answer.body.find("The joins would examine more than 2000000 rows.") != std::string::npos);
  CHECK(answer.body.find(message) != std::string::npos);
  CHECK(member(check_refusal(answer), "Option").text() == query.back().first);
}

TEST_CASE("joins by keys, and small ones by anything, have no such limit") {
  const auto query = GENERATE(Query{{"$innerJoin", "H:CallHistory(TicketId==Ref)"}},
                              Query{{"$leftJoin", "P:Person(Ref==User)"}, {"$leftJoin", "L:Location(Ref==P.Location)"}},
                              Query{{"$innerJoin", "S:Service(Criticality==Service.Criticality)"}, {"$top", "5"}});
  const Answer answer = get("analyst", "v1/call", query);
  INFO(answer.body.substr(0, 400));
  CHECK(answer.status == 200);
}

TEST_CASE("a page whose size is known is refused before it is made, and tells how many rows would fit") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "limits.answer=64K"});
  const Client analyst(server, server.token("analyst"));
  const Query three{{"$innerJoin", "H:CallHistory(TicketId==Ref)"}, {"$inlinecount", "true"}, {"$top", "100000"}};
  const Answer answer = analyst.get("v1/call", three);
  INFO(answer.body.substr(0, 400));
  CHECK(answer.status == 400);
  CHECK(answer.body.find("of these rows fit") != std::string::npos);
}
