// Actions that the server takes by itself: done once, undone where the record is due still, left alone after a failure.
#include "engine/records/due_actions.h"

#include "engine/records/schema.h"
#include "engine/storage/migrate.h"
#include "tests/support/fixed_clock.h"
#include "tests/support/own_model.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <optional>

using namespace callisto;
using namespace callisto::records;
using Catch::Matchers::Contains;

namespace {

constexpr std::int64_t minute = 60'000;

class Told final : public script::ScriptObserver {
 public:
  void ran(const std::string&, const std::string&, std::chrono::microseconds) override {}
  void failed(const script::ScriptFailure& failure) override { failures.push_back(failure); }
  std::vector<script::ScriptFailure> failures;
};

class Nobody final : public events::Sink {
 public:
  Result<void> emit(const events::Event&) override { return {}; }
};

// The repository's own desk with one action more, `nag`; several servers of it may be on one database.
class Desk {
 public:
  explicit Desk(const std::string& options) {
    auto database = storage::Database::open({.url = "sqlite::memory:"});
    REQUIRE(database);
    database_ = *std::move(database);
    session_.type = auth::SessionType::Analyst;
    session_.person = 1;
    session_.rights = {"Administration", "*:Read", "*:Create", "*:Update", "*:Action", "*:Delete"};
    load(options);
    REQUIRE(create("partition", R"({"Name":"Everything"})"));
  }

  // A reload: the rules are others now, and all servers have them.
  void load(const std::string& options) {
    const std::filesystem::path path = folder_.path() + "/call/actions/nag.lua";
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "return action \"nag\" {\n  from = \"Open*\",\n  " << options << "\n}\n";
    servers_.clear();
    writer_.reset();
    test::OwnModel own(clock_, random_, {}, {folder_.path()});
    model_ = own.model;
    REQUIRE(storage::apply(*database_, storage::engine_migrations(), tables_of(model_->catalog()), clock_.now()));
    const auto listen = [](const Context&) { return std::make_unique<Nobody>(); };
    writer_.emplace(*model_, *database_, std::move(own.state), clock_, random_, listen, SecretKeeping{});
    for (int i = 0; i < 2; ++i) {
      auto slot = std::make_unique<Slot>();
      slot->connection = *database_->connect_reader();
      slot->scripts = *script::State::create(model_->program, {}, clock_, random_);
      servers_.push_back(std::make_unique<DueActions>(*model_, *writer_, std::move(slot),
                                                      DueListeners{figures, &told, clock_, random_}));
    }
  }

  Result<Written> create(const std::string& entity, const std::string& body) {
    return writer_->create(*model_->catalog().find(entity), {session_, json::parse(body)});
  }
  std::int64_t call(const std::string& body = R"({"ShortDescription":"dark"})") {
    const auto made = create("incident", body);
    INFO((made ? std::string() : made.error().message + " " + made.error().log_detail));
    REQUIRE(made);
    return made->key;
  }
  void update(std::int64_t key, const std::string& body) {
    REQUIRE(writer_->act(*model_->catalog().find("call"), key, "update", {session_, json::parse(body)}));
  }
  // What one server does: how many actions, and how many failed.
  std::pair<std::size_t, std::size_t> run(std::size_t server = 0) {
    const auto done = servers_[server]->run();
    REQUIRE(done);
    return {done->done, done->failures.size()};
  }
  std::int64_t count(const std::string& table) {
    const auto connection = *database_->connect_reader();
    auto rows = connection->query(Sql("SELECT count(*) FROM ") << SqlIdentifier::of(table), {});
    REQUIRE(rows);
    REQUIRE((*rows)->step());
    return (*rows)->integer(0);
  }
  DueFigures::Figure figure() const { return figures.all().at({"call", "nag"}); }
  DateTime now() const { return clock_.now(); }
  void wait_ms(std::int64_t time) { clock_.advance_ms(time); }

  Told told;
  DueFigures figures;

 private:
  test::TemporaryFolder folder_;
  testing::FixedClock clock_{*parse_iso8601("2026-03-15T07:05:00Z")};
  SystemRandom random_;
  std::unique_ptr<storage::Database> database_;
  std::shared_ptr<const Model> model_;
  std::optional<Writer> writer_;
  std::vector<std::unique_ptr<DueActions>> servers_;
  auth::Session session_;
};

using Outcome = std::pair<std::size_t, std::size_t>;  // done, failed

const std::string endless = R"(due = "Solution == null", raises = "Nagged")";
const std::string ending = R"(due = "Solution == null", run = function(call) call.Solution = "done" end)";

}  // namespace

TEST_CASE("an action after which its record is due still is undone, told once and left alone") {
  Desk desk(endless);
  const std::int64_t key = desk.call();
  const std::int64_t rows = desk.count("call_history");
  CHECK(desk.run() == Outcome{0, 1});
  CHECK(desk.count("call_history") == rows);
  REQUIRE(desk.told.failures.size() == 1);
  const script::ScriptFailure& failure = desk.told.failures.front();
  CHECK(failure.action == "nag");
  CHECK(failure.entity == "call");
  CHECK(failure.line == 3);
  CHECK_THAT(failure.file, Catch::Matchers::EndsWith("call/actions/nag.lua"));
  CHECK_THAT(failure.message, Contains("call " + std::to_string(key)) && Contains("is still due") &&
                                  Contains("due = \"Solution == null\""));
  for (int round = 0; round < 50; ++round) CHECK(desk.run() == Outcome{0, 0});
  CHECK(desk.figure().undone == 1);
  CHECK(desk.figure().left_alone == 1);
  CHECK(desk.told.failures.size() == 1);
}

TEST_CASE("whatever fails again is tried after 10 minutes, then twice as long, at most a day") {
  struct Row {
    const char* what;
    std::string options;
  };
  const Row rows[] = {
      {"still due", endless},
      {"refused", R"(due = "Solution == null", run = function() reject "not now" end)"},
      {"code that fails", R"(due = "Solution == null", run = function() error "oh" end)"},
      {"nothing happens", R"(due = "Solution == null", run = function() return false end)"},
      {"undone by another rule",
       R"(due = "Solution == null", run = function(call) call.Solution = "x"; call.Solution = null end)"}};
  for (const Row& row : rows) {
    INFO(row.what);
    Desk desk(row.options);
    desk.call();
    CHECK(desk.run() == Outcome{0, 1});
    for (const std::int64_t minutes : {10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440}) {
      desk.wait_ms(minutes * minute - 1);
      CHECK(desk.run() == Outcome{0, 0});
      desk.wait_ms(1);
      CHECK(desk.run() == Outcome{0, 1});
    }
  }
}

TEST_CASE("a record that changed is tried at once, and so are all of them by other rules") {
  Desk desk(endless);
  const std::int64_t first = desk.call(), second = desk.call();
  CHECK(desk.run() == Outcome{0, 2});
  desk.update(first, R"({"ShortDescription":"darker"})");
  CHECK(desk.run() == Outcome{0, 1});
  CHECK(desk.told.failures.size() == 3);
  desk.update(second, R"({"Solution":"none"})");
  CHECK(desk.run() == Outcome{0, 0});
  CHECK(desk.count("due_failure") == 1);  // what is not due any more is forgotten
  desk.load(ending);
  CHECK(desk.run() == Outcome{1, 0});
  CHECK(desk.count("due_failure") == 0);
  CHECK(desk.figure().oldest == std::nullopt);
}

TEST_CASE("a failure of one server holds for the other, and for one that is started later") {
  Desk desk(endless);
  desk.call();
  CHECK(desk.run(0) == Outcome{0, 1});
  CHECK(desk.run(1) == Outcome{0, 0});
  desk.load(endless);  // the same again
  CHECK(desk.run(1) == Outcome{0, 0});
  desk.wait_ms(10 * minute);
  CHECK(desk.run(1) == Outcome{0, 1});
  CHECK(desk.run(0) == Outcome{0, 0});
  desk.wait_ms(19 * minute);
  CHECK(desk.run(0) == Outcome{0, 0});
  CHECK(desk.told.failures.size() == 1);
}

TEST_CASE("one that fails keeps no other waiting, and what ends is done once") {
  Desk desk(R"(due = "Solution == null", run = function(call)
    if call.ShortDescription == "stubborn" then reject "no" end
    call.Solution = "done"
  end)");
  desk.call();
  desk.call(R"({"ShortDescription":"stubborn"})");
  desk.call();
  CHECK(desk.run() == Outcome{2, 1});
  CHECK(desk.run() == Outcome{0, 0});
  CHECK(desk.figure().done == 2);
  CHECK(desk.figure().failed == 1);
}

TEST_CASE("what ends it may lie anywhere that the action reaches") {
  const std::string ways[] = {
      R"(due = "Solution == null", run = function(call) call:act("close", { Description = "x" }) end)",
      R"(due = "Solution == null", moves_to = "Closed")",
      R"(due = "User.Email == null", run = function(call) desk.find("person", call.User).Email = "a@b.example" end)",
      R"(due = "Time1 == null || Time1 < @NowOffset(0,-1,0) ", run = function(call) call.Time1 = datetime.now() end)",
      R"(due = "UpdatedDate < @NowOffset(0,-1,0) ", run = function(call) call.Number1 = 1 end)"};
  for (const std::string& way : ways) {
    INFO(way);
    Desk desk(way);
    const auto person = desk.create("person", R"({"LastName":"Ada"})");
    REQUIRE(person);
    desk.call(R"({"ShortDescription":"dark","User":)" + std::to_string(person->key) + "}");
    desk.wait_ms(2 * 60 * minute);
    CHECK(desk.run() == Outcome{1, 0});
    CHECK(desk.run() == Outcome{0, 0});
  }
}

TEST_CASE("actions that make each other due come to an end; what is meant to come again does not") {
  Desk desk(R"(due = "Checkbox1 == null || !Checkbox1",
    run = function(call) call.Checkbox1 = true; call.Checkbox2 = false end)");
  const std::int64_t key = desk.call();
  std::size_t done = 0;
  for (int round = 0; round < 200; ++round) {
    done += desk.run().first;
    desk.wait_ms(10'000);
    desk.update(key, R"({"Checkbox1":false})");
  }
  CHECK(done == DueFigures::most_in_an_hour);
  desk.wait_ms(60 * minute);
  CHECK(desk.run().first == 1);
  Desk hourly(
      R"(due = "Time1 == null || Time1 <= @NowOffset(0,0,-1) ", run = function(call) call.Time1 = datetime.now() end)");
  hourly.call();
  for (int round = 0; round < 200; ++round) {
    CHECK(hourly.run() == Outcome{1, 0});
    hourly.wait_ms(minute);
  }
}

TEST_CASE("the lag is how long the oldest record waits") {
  Desk desk(endless);
  CHECK(desk.figure().waiting == 0);
  const std::int64_t first = desk.call();
  const DateTime since = desk.now();
  desk.run();
  desk.wait_ms(minute);
  desk.call();
  desk.run();
  CHECK(desk.figure().waiting == 2);
  CHECK(desk.figure().oldest == since);
  desk.load(endless + ", title = \"Nag\"");
  desk.wait_ms(minute);
  desk.run();
  CHECK(desk.figure().oldest == since);  // whatever is reloaded
  desk.update(first, R"({"Solution":"none"})");
  desk.run();
  CHECK(desk.figure().oldest == DateTime{since.ms + minute});
}

TEST_CASE("pauses double from ten minutes to a day") {
  CHECK(due_pause_ms(0) == 10 * minute);
  std::int64_t before = 0;
  for (std::int64_t tries = 1; tries < 100; ++tries) {
    const std::int64_t pause = due_pause_ms(tries);
    CHECK(pause == std::min<std::int64_t>(24 * 60 * minute, before == 0 ? 10 * minute : 2 * before));
    before = pause;
  }
}
