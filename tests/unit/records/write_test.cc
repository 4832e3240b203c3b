// Writing in one process: what a Sink hears, and what is left when it, or a script, refuses.
#include "engine/records/write.h"

#include "engine/events/sinks.h"
#include "engine/records/due_actions.h"
#include "engine/records/files.h"
#include "engine/records/schema.h"
#include "engine/storage/migrate.h"
#include "tests/support/fixed_clock.h"
#include "tests/support/own_model.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::records;

namespace {

struct Heard {
  std::string name, entity, action;
  std::int64_t key = 0;
  std::optional<std::int64_t> order, person;
  std::string state;
};

class Listener final : public events::Sink {
 public:
  Listener(std::vector<Heard>& heard, const std::string& refused, int& commits)
      : heard_(heard), refused_(refused), commits_(commits) {}

  Result<void> emit(const events::Event& event) override {
    if (event.name == refused_) return invalid_state("the listener refuses " + event.name);
    const auto* property = event.entity->find_property("State");
    const auto state = event.record->find(property);
    heard_.push_back({event.name, event.entity->name, event.action->name, event.key, event.history_order, event.person,
                      state == event.record->end() ? "" : std::to_string(std::get<std::int64_t>(state->second))});
    return {};
  }
  void committed() override { ++commits_; }

 private:
  std::vector<Heard>& heard_;
  const std::string& refused_;
  int& commits_;
};

// Runs each write function twice, the first time for nothing: as a database may when another write came between.
class TwiceDatabase final : public storage::Database {
 public:
  explicit TwiceDatabase(std::unique_ptr<storage::Database> once) : once_(std::move(once)) {}
  Result<std::unique_ptr<storage::Connection>> connect_reader() override { return once_->connect_reader(); }
  Result<void> write(const storage::WriteFunction& function) override {
    return once_->write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(storage::Savepoint for_nothing, storage::Savepoint::begin(connection));
      if (auto first = function(connection); !first) return first;
      CALLISTO_CHECK(for_nothing.roll_back());
      return function(connection);
    });
  }

 private:
  std::unique_ptr<storage::Database> once_;
};

// Hashes nothing; tells how often it was asked to.
class CountedSecrets final : public auth::Secrets {
 public:
  Result<std::string> hash(std::string_view) override { return ++count, std::string("hashed"); }
  Result<auth::Guess> compare(std::string_view, std::int64_t, std::string_view) override {
    return ++count, auth::Guess{true, "hashed"};
  }
  Result<void> admit(const auth::Session&, std::string_view) override { return {}; }
  Result<bool> judge(storage::Connection&, const auth::Session&, std::string_view, std::int64_t,
                     const auth::Guess& guess) override {
    return guess.matches;
  }
  Result<void> note_wrong_guess(std::string_view, std::int64_t, const auth::Session&, std::string_view) override {
    return {};
  }
  Result<void> keep(storage::Connection&, std::string_view, std::int64_t, const std::string&) override { return {}; }

  int count = 0;
};

enum class Runs { Once, Twice };

// The repository's own desk, empty but for one partition.
class Desk {
 public:
  explicit Desk(Runs runs = Runs::Once) {
    test::OwnModel own(clock_, random_);
    model_ = own.model;
    auto database = storage::Database::open({.url = "sqlite::memory:"});
    REQUIRE(database);
    database_ = *std::move(database);
    if (runs == Runs::Twice) database_ = std::make_unique<TwiceDatabase>(std::move(database_));
    REQUIRE(storage::apply(*database_, storage::engine_migrations(), tables_of(model_->catalog()), clock_.now()));
    const auto listeners = [this](const Context&) {
      std::vector<std::unique_ptr<events::Sink>> sinks;
      sinks.push_back(std::make_unique<Listener>(heard, refused, commits));
      sinks.push_back(std::make_unique<Listener>(heard_second, refused_by_second, commits));
      return std::make_unique<events::Sinks>(std::move(sinks));
    };
    writer_.emplace(*model_, *database_, std::move(own.state), clock_, random_, listeners,
                    SecretKeeping{&secrets, nullptr});
    session_.type = auth::SessionType::Analyst;
    session_.person = 1;
    session_.rights = {"Administration", "*:Read", "*:Create", "*:Update", "*:Action", "*:Delete"};
    REQUIRE(create("partition", R"({"Name":"Everything"})"));
    heard.clear();
    heard_second.clear();
    commits = 0;
  }

  Result<Written> create(const std::string& entity, const std::string& body) {
    return writer_->create(*model_->catalog().find(entity), {session_, json::parse(body)});
  }
  Result<Written> create_once(const std::string& entity, const std::string& body, const RepeatKey& key) {
    return writer_->create(*model_->catalog().find(entity), {session_, json::parse(body)}, key);
  }
  // As if an earlier request of that key had been answered so.
  void was_answered(const RepeatKey& key, const RepeatedAnswer& answer) {
    REQUIRE(writer_->write(
        session_, [&](const Context& context, Change&) { return writer_->keep_answer(context, key, answer); }));
  }
  Result<Written> set_password(std::int64_t person, const auth::Session& session) {
    return writer_->act(*model_->catalog().find("person"), person, "set-password",
                        {session, json::parse(R"({"Password":"analytical","CurrentPassword":"mechanical"})")});
  }
  Result<Written> act(std::int64_t key, const std::string& action, const std::string& body = "{}") {
    return writer_->act(*model_->catalog().find("call"), key, action, {session_, json::parse(body)});
  }
  // Files of a call.
  Result<std::vector<std::int64_t>> add_file(std::int64_t call, const std::string& content) {
    CALLISTO_TRY(const AddedFiles added,
                 add_files(*writer_, place(call, 0), {session_, json::Node()}, {{"a.txt", "text/plain", content}}));
    return added.keys;
  }
  Result<void> replace_file(std::int64_t call, std::int64_t file, const std::string& content) {
    return change_file(*writer_, place(call, file), {session_, json::Node()}, NewFile{"a.txt", "text/plain", content});
  }
  Result<void> remove_file_of(std::int64_t call, std::int64_t file) {
    return remove_file(*writer_, place(call, file), {session_, json::Node()});
  }
  // What the server does by itself at this moment.
  std::size_t do_what_is_due() {
    if (!due_) {
      auto slot = std::make_unique<Slot>();
      slot->connection = *database_->connect_reader();
      slot->scripts = *script::State::create(model_->program, {}, clock_, random_);
      due_.emplace(*model_, *writer_, std::move(slot), DueListeners{due_figures_, nullptr, clock_, random_});
    }
    const auto run = due_->run();
    REQUIRE(run);
    return run->done;
  }
  // How SQLite looks for it, step by step.
  std::vector<std::string> ways_to_what_is_due() {
    std::vector<std::string> ways;
    for (const Model::Due& due : model_->due) {
      const auto connection = *database_->connect_reader();
      const std::vector<Value> values(due.keys.rows.bindings.size(), Value(std::int64_t{1}));
      const auto steps = connection->explain(due.keys.rows.sql, values);
      REQUIRE(steps);
      ways.insert(ways.end(), steps->begin(), steps->end());
    }
    return ways;
  }
  Value value(std::int64_t call, std::string_view property) {
    Value found;
    REQUIRE(writer_->write(session_, [&](const Context&, Change& change) -> Result<void> {
      CALLISTO_TRY(const auto handle, change.open(*model_->catalog().find("call"), call));
      found = change.get(handle, *change.entity(handle).find_property(property));
      return {};
    }));
    return found;
  }
  std::string content(std::int64_t file) {
    const catalog::Entity* files = model_->catalog().find("call")->find_sub_resource("attachment")->entity;
    const auto connection = *database_->connect_reader();
    const auto record = model_->store.load(*connection, *files, file);
    REQUIRE(record);
    REQUIRE(*record);
    return std::get<Binary>((*record)->get(*file_properties(*files)->content)).bytes;
  }
  DateTime now() const { return clock_.now(); }
  void be(std::int64_t person) { session_.person = person; }  // who asks from now on
  void wait_ms(std::int64_t time) { clock_.advance_ms(time); }
  std::int64_t count(const std::string& entity) {
    std::int64_t found = 0;
    REQUIRE(writer_->write(session_, [&](const Context& context, Change&) -> Result<void> {
      CALLISTO_TRY(auto rows,
                   context.connection.query(Sql("SELECT COUNT(*) FROM ") << model_->catalog().find(entity)->table, {}));
      CALLISTO_TRY([[maybe_unused]] const bool any, rows->step());
      found = rows->integer(0);
      return {};
    }));
    return found;
  }

  CountedSecrets secrets;
  std::vector<Heard> heard, heard_second;
  std::string refused, refused_by_second;
  int commits = 0;  // that the listeners were told of

 private:
  FilePlace place(std::int64_t call, std::int64_t file) {
    const catalog::Entity* entity = model_->catalog().find("call");
    return {entity, call, entity->find_sub_resource("attachment"), file};
  }

  testing::FixedClock clock_{*parse_iso8601("2026-03-15T07:05:00Z")};
  SystemRandom random_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<storage::Database> database_;
  std::optional<Writer> writer_;
  DueFigures due_figures_;
  std::optional<DueActions> due_;
  auth::Session session_;
};

}  // namespace

TEST_CASE("every change tells its events in order, with the record as it will be and the history row") {
  Desk desk;
  const auto made = desk.create("incident", R"({"ShortDescription":"dark"})");
  REQUIRE(made);
  REQUIRE(desk.act(made->key, "close", R"({"Description":"lit"})"));
  REQUIRE(desk.heard.size() == 4);
  CHECK(desk.heard[0].name == "Created");
  CHECK(desk.heard[0].entity == "incident");
  CHECK(desk.heard[0].action == "create");
  CHECK(desk.heard[0].key == made->key);
  CHECK(desk.heard[0].order == 1);
  CHECK(desk.heard[0].person == 1);
  CHECK(desk.heard[0].state == "1");
  CHECK(desk.heard[1].name == "ActionAddedtoHistory");
  CHECK(desk.heard[2].name == "Closed");
  CHECK(desk.heard[2].order == 2);
  CHECK(desk.heard[2].state == "2");
  CHECK(desk.heard[3].name == "ActionAddedtoHistory");
}

TEST_CASE(
    "what changes nothing is not told: a submitted call submitted again, an update to the same, a lock's history") {
  Desk desk;
  const auto made = desk.create("incident", R"({"ShortDescription":"dark"})");
  REQUIRE(made);
  desk.heard.clear();
  REQUIRE(desk.act(made->key, "submit"));
  REQUIRE(desk.act(made->key, "update", R"({"ShortDescription":"dark"})"));
  REQUIRE(desk.act(made->key, "lock"));
  CHECK(desk.heard.empty());
  CHECK(desk.count("call-history") == 1);
}

TEST_CASE("a listener that refuses undoes the record, its history and all that was told before") {
  Desk desk;
  desk.refused = "ActionAddedtoHistory";
  const auto made = desk.create("incident", R"({"ShortDescription":"dark"})");
  REQUIRE_FALSE(made);
  CHECK(made.error().message == "the listener refuses ActionAddedtoHistory");
  CHECK(desk.count("call") == 0);
  CHECK(desk.count("call-history") == 0);
}

TEST_CASE("an action that a script asks for belongs to the same transaction") {
  Desk desk;
  REQUIRE(desk.create("group", R"({"Name":"First line"})"));
  desk.refused = "Forwarded";
  REQUIRE_FALSE(desk.create("incident", R"({"ShortDescription":"dark","ReceivingGroup":1})"));
  CHECK(desk.count("call") == 0);
  desk.refused.clear();
  const auto made = desk.create("incident", R"({"ShortDescription":"dark","ReceivingGroup":1})");
  REQUIRE(made);
  CHECK(desk.count("call-history") == 2);
}

TEST_CASE("each listener hears every event, and of the commit only where there was one") {
  Desk desk;
  const auto made = desk.create("call", R"({"ShortDescription":"dark"})");
  REQUIRE(made);
  CHECK(desk.commits == 2);
  CHECK(desk.heard_second.size() == desk.heard.size());
  desk.refused_by_second = "Closed";
  desk.heard.clear();
  CHECK_FALSE(desk.act(made->key, "close", R"({"Description":"lit"})"));
  CHECK(desk.heard.size() == 1);  // the first had heard it before the second refused
  CHECK(desk.commits == 2);
  desk.refused_by_second.clear();
  CHECK_FALSE(desk.act(made->key, "close", "{}"));  // refused before anything happened
  CHECK(desk.commits == 2);
  REQUIRE(desk.act(made->key, "close", R"({"Description":"lit"})"));
  CHECK(desk.commits == 4);
}

TEST_CASE("a lock keeps others out for 15 minutes from when it was last taken") {
  constexpr std::int64_t second = 1000, minute = 60 * second;
  Desk desk;
  const auto made = desk.create("call", R"({"ShortDescription":"dark"})");
  REQUIRE(made);
  const auto is_refused = [&](std::int64_t person) {
    desk.be(person);
    const auto changed = desk.act(made->key, "add-note", R"({"Description":"x"})");
    if (!changed) CHECK(changed.error().status == 400);
    return !changed;
  };
  REQUIRE(desk.act(made->key, "lock"));
  CHECK(is_refused(2));
  desk.wait_ms(14 * minute + 59 * second);
  CHECK(is_refused(2));
  CHECK_FALSE(desk.act(made->key, "lock"));  // nor does it change hands
  CHECK_FALSE(is_refused(1));
  desk.wait_ms(2 * second);
  CHECK_FALSE(is_refused(2));
  CHECK_FALSE(is_refused(1));

  desk.be(1);
  REQUIRE(desk.act(made->key, "lock"));
  desk.wait_ms(10 * minute);
  REQUIRE(desk.act(made->key, "lock"));  // again: the time begins anew
  desk.wait_ms(14 * minute + 59 * second);
  CHECK(is_refused(2));
  desk.wait_ms(2 * second);
  desk.be(2);
  REQUIRE(desk.act(made->key, "lock"));  // now the other's
  CHECK(is_refused(1));
}

TEST_CASE("a write that runs again has all that it was given") {
  Desk desk(Runs::Twice);
  const auto made = desk.create("call", R"({"ShortDescription":"dark"})");
  REQUIRE(made);
  CHECK(desk.value(made->key, "ShortDescription") == Value(std::string("dark")));
  const auto files = desk.add_file(made->key, "one");
  REQUIRE(files);
  REQUIRE(files->size() == 1);
  CHECK(desk.content(files->front()) == "one");
  REQUIRE(desk.replace_file(made->key, files->front(), "two"));
  CHECK(desk.content(files->front()) == "two");
  REQUIRE(desk.act(made->key, "close", R"({"Description":"done"})"));
  CHECK(desk.count("call") == 1);
}

TEST_CASE("a deferred call's clock starts again by itself, and its due date moves by the planned time alone") {
  constexpr std::int64_t minute = 60'000;
  Desk desk;
  const DateTime due{desk.now().ms + 100 * minute};
  const auto made = desk.create("call", R"({"ShortDescription":"dark","DueDate":")" + to_iso8601(due) + "\"}");
  REQUIRE(made);
  const std::string until = to_iso8601(DateTime{desk.now().ms + 30 * minute});
  REQUIRE(desk.act(made->key, "defer", R"({"DeferUntil":")" + until + "\"}"));
  REQUIRE(desk.act(made->key, "lock"));
  desk.wait_ms(29 * minute);
  CHECK(desk.do_what_is_due() == 0);
  CHECK(desk.value(made->key, "ClockStopped") == Value(true));
  desk.wait_ms(10 * minute);  // late
  desk.heard.clear();
  CHECK(desk.do_what_is_due() == 1);
  CHECK(desk.do_what_is_due() == 0);
  CHECK(desk.value(made->key, "ClockStopped") == Value(false));
  CHECK(desk.value(made->key, "SuspendUntil") == Value(Null{}));
  CHECK(desk.value(made->key, "DueDate") == Value(DateTime{due.ms + 30 * minute}));
  REQUIRE(desk.heard.size() == 2);
  CHECK(desk.heard[0].name == "ClockStarted");
  CHECK_FALSE(desk.heard[0].person);
  CHECK(desk.heard[1].name == "ActionAddedtoHistory");
}

TEST_CASE("what is due is found without a walk over all records") {
  Desk desk;
  const auto ways = desk.ways_to_what_is_due();
  REQUIRE_FALSE(ways.empty());
  for (const std::string& way : ways) CHECK_THAT(way, Catch::Contains("USING INDEX") && !Catch::Contains("SCAN"));
}

TEST_CASE("what is due waits while somebody keeps the call, and one that fails keeps no other waiting") {
  constexpr std::int64_t minute = 60'000;
  Desk desk;
  const std::string until = R"({"DeferUntil":")" + to_iso8601(desk.now()) + "\"}";
  const auto kept = desk.create("call", R"({"ShortDescription":"kept"})");
  const auto free = desk.create("incident", R"({"ShortDescription":"free"})");
  for (const auto* made : {&kept, &free}) REQUIRE(desk.act((*made)->key, "defer", until));
  REQUIRE(desk.act(kept->key, "lock"));
  CHECK(desk.do_what_is_due() == 1);
  CHECK(desk.value(kept->key, "ClockStopped") == Value(true));
  desk.wait_ms(16 * minute);
  desk.refused = "ClockStarted";
  CHECK(desk.do_what_is_due() == 0);
  desk.refused.clear();
  CHECK(desk.do_what_is_due() == 0);  // left alone
  desk.wait_ms(10 * minute);
  CHECK(desk.do_what_is_due() == 1);
}

TEST_CASE("however many records must wait, those behind them have their turn; what is closed waits for nothing") {
  Desk desk;
  const std::string until = R"({"DeferUntil":")" + to_iso8601(desk.now()) + "\"}";
  const bool is_closed = GENERATE(true, false);
  for (std::size_t each = 0; each < DueActions::most_at_once; ++each) {
    const auto made = desk.create("call", R"({"ShortDescription":"dark"})");
    REQUIRE(made);
    REQUIRE(desk.act(made->key, "defer", until));
    const auto left =
        is_closed ? desk.act(made->key, "close", R"({"Description":"lit"})") : desk.act(made->key, "lock");
    REQUIRE(left);
  }
  const auto last = desk.create("call", R"({"ShortDescription":"the last"})");
  REQUIRE(desk.act(last->key, "defer", until));
  std::size_t done = desk.do_what_is_due();
  if (!is_closed) {
    CHECK(done == 0);
    done = desk.do_what_is_due();
  }
  CHECK(done == 1);
  CHECK(desk.value(last->key, "ClockStopped") == Value(false));
}

TEST_CASE("files tell their events, other bytes of the same size too, and a listener that refuses keeps them out") {
  Desk desk;
  const auto made = desk.create("call", R"({"ShortDescription":"dark"})");
  REQUIRE(made);
  desk.heard.clear();
  const auto file = desk.add_file(made->key, "one");
  REQUIRE(file);
  REQUIRE(desk.replace_file(made->key, file->front(), "two"));
  desk.refused = "AttachmentDeleted";
  CHECK_FALSE(desk.remove_file_of(made->key, file->front()));
  CHECK(desk.count("attachment") == 1);
  desk.refused.clear();
  REQUIRE(desk.remove_file_of(made->key, file->front()));
  std::string told;
  for (const Heard& each : desk.heard) told += each.name + " " + std::to_string(each.key == file->front()) + ", ";
  CHECK(told ==
        "AttachmentUploaded 1, AttachmentUpdated 1, ActionAddedtoHistory 1, AttachmentDeleted 1, ActionAddedtoHistory "
        "1, ");
  CHECK(desk.count("call-history") == 3);
}

TEST_CASE("a secret is hashed only of whoever may give it to that record") {
  Desk desk;
  const auto somebody = desk.create("person", R"({"LastName":"Lovelace"})");
  const auto another = desk.create("person", R"({"LastName":"Babbage"})");
  REQUIRE(somebody);
  REQUIRE(another);
  auth::Session session;
  session.type = auth::SessionType::Analyst;
  session.person = somebody->key;
  session.rights = {"*:Read", "*:Action"};
  const auto missing = desk.set_password(999'999, session);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().status == 404);
  const auto foreign = desk.set_password(another->key, session);
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().status == 403);
  CHECK(desk.secrets.count == 0);
  CHECK(desk.set_password(somebody->key, session));
  CHECK(desk.secrets.count == 2);  // the current one and the new one
}

TEST_CASE("an answer of an entity that the desk has no longer is told, not given") {
  Desk desk;
  const RepeatKey key{"once", "digest"};
  desk.was_answered(key, {"gone", 7});
  const auto again = desk.create_once("call", R"({"ShortDescription":"dark"})", key);
  REQUIRE_FALSE(again);
  CHECK(again.error().status == 400);
  CHECK_THAT(again.error().message, Catch::Contains("no longer has"));
}
