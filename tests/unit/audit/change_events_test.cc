// Changes of records become lines when they are committed, and only then.
#include "engine/audit/change_events.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::audit;

namespace {

class Kept final : public audit::Sink {
 public:
  void note(const Event& event) override { events.push_back(event); }
  std::vector<Event> events;
};

struct World {
  World() {
    base.name = "person";
    child.name = "employee";
    child.parent = &base;
    other.name = "call";
    rights.name = "Rights";
    secret.name = "Secret";
    for (catalog::Entity* each : {&base, &child, &other})
      each->property_by_name = {{"Rights", &rights}, {"Secret", &secret}};
    create.kind = catalog::Action::Kind::Create;
    create.name = "create";
    update.kind = catalog::Action::Kind::Update;
    update.name = "update";
    remove.kind = catalog::Action::Kind::Delete;
    remove.name = "delete";
    values.emplace(&rights, Value(std::string("Administration")));
    values.emplace(&secret, Value(std::string("hidden")));
  }
  events::Event event(const catalog::Entity& entity, std::int64_t key, const catalog::Action& action) const {
    events::Event made;
    made.name = "Changed";
    made.entity = &entity;
    made.key = key;
    made.action = &action;
    made.person = 9;
    made.record = &values;
    return made;
  }
  catalog::Entity base, child, other;
  catalog::Property rights, secret;
  catalog::Action create, update, remove;
  catalog::PropertyValues values;
};

const WatchedEntities watched{
    {"person", {Kind::WebhookCreated, Kind::PersonChanged, Kind::WebhookDeleted, {"Rights", "NoSuch"}}}};

}  // namespace

TEST_CASE("nothing is noted before the commit, and nothing at all after a roll-back") {
  const World world;
  Kept log;
  {
    ChangeEvents changes(watched, log);
    REQUIRE(changes.emit(world.event(world.base, 1, world.update)));
    CHECK(log.events.empty());
  }
  CHECK(log.events.empty());
  ChangeEvents changes(watched, log);
  REQUIRE(changes.emit(world.event(world.base, 1, world.update)));
  changes.committed();
  changes.committed();
  REQUIRE(log.events.size() == 1);
  const Event& event = log.events.front();
  CHECK(event.kind == Kind::PersonChanged);
  CHECK(event.person == 9);
  CHECK(event.entity == "person");
  CHECK(event.key == 1);
  CHECK(event.action == "update");
  CHECK(event.reason == "Rights=Administration");
}

TEST_CASE("a change is one line; other entities have none, children count, kinds follow the action") {
  const World world;
  Kept log;
  ChangeEvents changes(watched, log);
  REQUIRE(changes.emit(world.event(world.other, 1, world.update)));
  REQUIRE(changes.emit(world.event(world.child, 2, world.create)));
  REQUIRE(changes.emit(world.event(world.child, 2, world.create)));
  REQUIRE(changes.emit(world.event(world.child, 2, world.update)));
  REQUIRE(changes.emit(world.event(world.base, 3, world.remove)));
  changes.committed();
  REQUIRE(log.events.size() == 3);
  CHECK(log.events[0].kind == Kind::WebhookCreated);
  CHECK(log.events[0].entity == "employee");
  CHECK(log.events[1].kind == Kind::PersonChanged);
  CHECK(log.events[2].kind == Kind::WebhookDeleted);
  CHECK(log.events[2].key == 3);
}

TEST_CASE("every kind of event has a name of its own") {
  for (int i = 0; i <= static_cast<int>(Kind::RepeatsLeftOut); ++i) {
    const auto kind = static_cast<Kind>(i);
    CHECK_FALSE(name(kind).empty());
    CHECK(kind_of(name(kind)) == kind);
  }
  CHECK_FALSE(kind_of("nonsense"));
}
