// What is kept of a session, and for whom.
#include "engine/records/session_data_cache.h"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace callisto;
using namespace callisto::records;

TEST_CASE("what is kept of a session is given to that session alone, while its tables stay as they were") {
  const SessionDataCache cache;
  auth::Session session{7, auth::SessionType::Analyst, 3, "client", {"Administration"}, {}};
  ReadFacts facts;
  facts.person = std::make_shared<const script::SessionFacts::Person>();
  cache.keep(session, {5}, facts);
  const auto is_known = [&](const storage::Commits& state) {
    return cache.find(session, state).person == facts.person;
  };
  CHECK(is_known({5}));
  CHECK(is_known({5, true}));
  CHECK_FALSE(is_known({6}));
  session.rights.insert("Integration");
  CHECK_FALSE(is_known({5}));
  session.rights.erase("Integration");
  session.type = auth::SessionType::User;
  CHECK_FALSE(is_known({5}));
  session.type = auth::SessionType::Analyst;
  session.person = 4;  // the server itself, for one person and another
  CHECK_FALSE(is_known({5}));
  cache.keep(session, {5}, {});
  session.person = 3;
  CHECK(is_known({5}));
  facts.since -= std::chrono::seconds(1);
  cache.keep(session, {5}, facts);
  CHECK(is_known({5}));
  CHECK_FALSE(is_known({5, true}));
}

namespace {

class Versions final : public storage::Connection {
 public:
  std::optional<storage::Commits> commits() const override { return now; }
  std::optional<std::uint64_t> version_of(std::string_view table) const override {
    const auto found = versions.find(table);
    return found == versions.end() ? std::nullopt : std::optional(found->second);
  }

  Result<std::unique_ptr<storage::Cursor>> query(const Sql&, const std::vector<Value>&) override { return none(); }
  Result<std::int64_t> execute(const Sql&, const std::vector<Value>&) override { return none(); }
  Result<void> run_script(std::string_view) override { return none(); }
  Result<std::vector<std::string>> explain(const Sql&, const std::vector<Value>&) override { return none(); }
  Result<storage::Examined> examine(const Sql&, const std::vector<Value>&) override { return none(); }
  const storage::Dialect& dialect() const override { throw std::logic_error("not asked"); }

  std::optional<storage::Commits> now;
  std::map<std::string, std::uint64_t, std::less<>> versions;

 private:
  static Error none() { return internal("not asked"); }
  Result<bool> begin_read() override { return none(); }
  void end_read() override {}
};

}  // namespace

TEST_CASE("facts are of another state once one of their tables has changed, and not by other commits") {
  SessionDataCache cache;
  cache.read_from({"person", "member"});
  Versions connection;
  CHECK_FALSE(cache.state(connection));
  connection.now = storage::Commits{1};
  CHECK(cache.state(connection)->number == 1);  // nothing tells of tables
  connection.versions = {{"person", 4}, {"member", 0}, {"call", 3}};
  const auto first = cache.state(connection)->number;
  connection.now->number = 2;
  connection.versions["call"] = 5;
  CHECK(cache.state(connection)->number == first);
  connection.now->number = 3;
  connection.versions["member"] = 6;
  CHECK(cache.state(connection)->number != first);
  connection.now = storage::Commits{9, true};
  CHECK(cache.state(connection)->number == 9);
  CHECK(cache.state(connection)->others_write);
}
