#include "webhooks/queue.h"

#include "tests/unit/webhooks/queue_desk.h"
#include "webhooks/body.h"

#include <algorithm>
#include <map>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

constexpr DateTime start{1'773'558'000'000};
constexpr std::int64_t hour = 3'600'000;

DateTime after(std::int64_t ms) { return {start.ms + ms}; }

struct Known {  // whether some wait; at first it is not known
  bool value = true;
  Known& operator=(bool known) {
    value = known;
    return *this;
  }
  operator bool() const { return value; }
};

class Queue : public QueueDesk {
 public:
  Claim take(std::int64_t webhook, std::size_t total = 10, DateTime now = start, bool changed = false) {
    Claim taken;
    write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(taken, claim(connection, {webhook, total, total, changed, some_wait[webhook]}, in_flight[webhook],
                                {now, since}));
      return {};
    });
    some_wait[webhook] = taken.some_wait;
    for (const Delivery& delivery : taken.deliveries) {
      in_flight[webhook].take(delivery);
      in_hand[delivery.ref] = delivery;
    }
    return taken;
  }

  std::vector<std::int64_t> refs(std::int64_t webhook, std::size_t total = 10, DateTime now = start) {
    std::vector<std::int64_t> taken;
    for (const Delivery& delivery : take(webhook, total, now).deliveries) taken.push_back(delivery.ref);
    return taken;
  }

  Webhook end(std::int64_t webhook, std::int64_t delivery, char outcome, std::int64_t number = 1,
              DateTime next = after(5'000)) {
    Attempt attempt;
    attempt.delivery = in_hand[delivery];
    attempt.delivery.ref = delivery;
    attempt.number = number;
    attempt.status = outcome;
    attempt.first = attempt.started = start;
    attempt.deadline = after(hour);
    if (outcome == 'R') attempt.next = next;
    attempt.response_code = outcome == 'S' ? 204 : 500;
    attempt.outcome = "http_500";
    if (outcome != 'S') attempt.error = "The receiver answered 500.";
    Webhook now;
    write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(now, record(connection, {webhook, {attempt}, some_wait[webhook]}, after(10)));
      return {};
    });
    in_flight[webhook].let_go(attempt.delivery);
    return now;
  }

  void recover_at(DateTime now) {
    for (auto& [webhook, held] : in_flight)
      write([&, key = webhook](storage::Connection& connection) { return recover(connection, key, now, hour); });
    in_flight.clear();
    some_wait.clear();
    since = now;
  }

  DateTime since = start;
  std::map<std::int64_t, InFlight> in_flight;  // of each webhook
  std::map<std::int64_t, Delivery> in_hand;
  std::map<std::int64_t, Known> some_wait;
};

using Refs = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("Deliveries are taken once, in the order of their making, whatever the clock says") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto first = queue.add_delivery(webhook, 1, after(60'000));
  const auto second = queue.add_delivery(webhook, 2, after(-60'000));
  const auto third = queue.add_delivery(webhook, 3, start);
  CHECK(queue.refs(webhook, 2) == Refs{first, second});
  CHECK(queue.refs(webhook) == Refs{third});
  CHECK(queue.refs(webhook).empty());
}

TEST_CASE("What is taken brings all that a request needs") {
  Queue queue;
  const auto webhook = queue.add_webhook(false, "whisper");
  const auto ref = queue.add_delivery(webhook, 7, start);
  const Claim claim = queue.take(webhook);
  CHECK(claim.webhook.url == "http://receiver.example/");
  CHECK(test_sealer().open(claim.webhook.secret) == "whisper");
  CHECK(claim.webhook.active);
  REQUIRE(claim.deliveries.size() == 1);
  const Delivery& delivery = claim.deliveries.front();
  CHECK(delivery.ref == ref);
  CHECK(delivery.event == "Forwarded");
  CHECK(delivery.core_entity_type == "Call");
  CHECK(delivery.entity_ref == 7);
  CHECK(delivery.attempts == 0);
  const auto body = must(read_body(queue.reader(), delivery.body));
  REQUIRE(body);
  CHECK(body->size() == static_cast<std::size_t>(delivery.body_bytes));
  CHECK(body->find(delivery.message_id) != std::string::npos);
  CHECK_FALSE(must(read_body(queue.reader(), 99)));
}

TEST_CASE("Of one record one is in hand at a time, and others of the webhook pass") {
  Queue queue;
  const auto webhook = queue.add_webhook(), another = queue.add_webhook();
  const auto a1 = queue.add_delivery(webhook, 1, start), a2 = queue.add_delivery(webhook, 1, start);
  const auto b = queue.add_delivery(webhook, 2, start), a3 = queue.add_delivery(webhook, 1, start);
  const auto ping1 = queue.add_delivery(webhook, 0, start), ping2 = queue.add_delivery(webhook, 0, start);
  const auto elsewhere = queue.add_delivery(another, 1, start);
  CHECK(queue.refs(webhook) == Refs{a1, b, ping1, ping2});
  CHECK(queue.refs(another) == Refs{elsewhere});
  queue.end(webhook, a1, 'R');
  const auto a4 = queue.add_delivery(webhook, 1, start);
  CHECK(queue.refs(webhook) == Refs{a2});  // one that is retried holds up no other
  queue.end(webhook, a2, 'S');
  CHECK(queue.refs(webhook, 10, after(6'000)) == Refs{a1});  // a retry goes before first attempts
  queue.end(webhook, a1, 'S', 2);
  CHECK(queue.refs(webhook) == Refs{a3});
  queue.end(webhook, a3, 'F');
  CHECK(queue.refs(webhook) == Refs{a4});
}

TEST_CASE("An ordered webhook waits for the one before until it has ended") {
  Queue queue;
  const auto webhook = queue.add_webhook(true);
  const auto a1 = queue.add_delivery(webhook, 1, start), a2 = queue.add_delivery(webhook, 1, start);
  const auto b = queue.add_delivery(webhook, 2, start);
  CHECK(queue.refs(webhook) == Refs{a1, b});
  queue.end(webhook, a1, 'R');
  CHECK(queue.refs(webhook).empty());
  CHECK(queue.take(webhook).next_retry == after(5'000));
  SECTION("which success is") {
    CHECK(queue.refs(webhook, 10, after(5'000)) == Refs{a1});
    queue.end(webhook, a1, 'S', 2);
    CHECK(queue.refs(webhook) == Refs{a2});
  }
  SECTION("or its hour's end") {
    CHECK(queue.refs(webhook, 10, after(hour)) == Refs{a2});
    CHECK(queue.status(a1) == "F");
    CHECK(queue.webhook_status(webhook) == "F");
  }
  SECTION("or until it is ordered no more") {
    queue.set_webhook(webhook, Sql("\"Ordered\" = 0"));
    CHECK(queue.take(webhook, 10, start, true).deliveries.at(0).ref == a2);
  }
}

TEST_CASE("Many that wait for one record are passed over a window at a time") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  Refs hot;
  for (int i = 0; i < 200; ++i) hot.push_back(queue.add_delivery(webhook, 1, start));
  const auto other = queue.add_delivery(webhook, 2, start);
  CHECK(queue.refs(webhook, 1) == Refs{hot[0]});
  Refs taken;
  int looks = 0;
  for (bool more = true; more && taken.empty(); ++looks) {
    const Claim claim = queue.take(webhook, 4);
    for (const Delivery& delivery : claim.deliveries) taken.push_back(delivery.ref);
    more = claim.more;
  }
  CHECK(taken == Refs{other});
  CHECK(looks <= 4);
  queue.end(webhook, hot[0], 'S');
  CHECK(queue.refs(webhook) == Refs{hot[1]});
}

TEST_CASE("The webhook's status follows its deliveries") {
  const auto [outcomes, status] = GENERATE(table<std::string, std::string>({{"S", "S"},
                                                                            {"R", "R"},
                                                                            {"F", "F"},
                                                                            {"RS", "S"},
                                                                            {"SR", "R"},
                                                                            {"FR", "F"},
                                                                            {"FS", "S"},
                                                                            {"RF", "F"},
                                                                            {"FSR", "R"}}));
  Queue queue;
  const auto webhook = queue.add_webhook();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto delivery = queue.add_delivery(webhook, 100 + static_cast<std::int64_t>(i), start);
    queue.take(webhook);
    queue.end(webhook, delivery, outcomes[i]);
  }
  CHECK(queue.webhook_status(webhook) == status);
  CHECK(queue.number(Sql("SELECT \"LastDeliveryDate\" FROM \"webhook\"")) == start.ms);
  CHECK(queue.number(Sql("SELECT \"RecordVersion\" FROM \"webhook\"")) == 1);
}

TEST_CASE("An attempt is written down with what came back") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto delivery = queue.add_delivery(webhook, 1, start);
  queue.take(webhook);
  queue.end(webhook, delivery, 'R');
  CHECK(queue.status(delivery) == "R");
  CHECK(queue.text(Sql("SELECT \"Error\" FROM \"webhook_delivery\"")) == "The receiver answered 500.");
  CHECK(queue.number(Sql("SELECT \"NextAttempt\" FROM \"webhook_delivery\"")) == start.ms + 5'000);
  CHECK(queue.number(Sql("SELECT \"Attempts\" FROM \"webhook_delivery\"")) == 1);
  queue.take(webhook, 1, after(5'000));
  queue.end(webhook, delivery, 'S', 2);
  CHECK(queue.number(Sql("SELECT \"ResponseCode\" FROM \"webhook_delivery\"")) == 204);
  CHECK(queue.number(Sql("SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"NextAttempt\" IS NULL "
                         "AND \"Error\" IS NULL")) == 1);
  CHECK(queue.number(Sql("SELECT COUNT(*) FROM webhook_attempt")) == 2);
}

TEST_CASE("Each attempt is written once, and none of a delivery that has ended") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto delivery = queue.add_delivery(webhook, 1, start);
  queue.take(webhook);
  queue.end(webhook, delivery, 'S', 2);  // not its next one
  CHECK(queue.status(delivery) == "P");
  queue.end(webhook, delivery, 'R');
  queue.end(webhook, delivery, 'S');  // again
  CHECK(queue.status(delivery) == "R");
  queue.end(webhook, delivery, 'S', 2);
  queue.end(webhook, delivery, 'F', 3);
  CHECK(queue.status(delivery) == "S");
  CHECK(queue.webhook_status(webhook) == "S");
  CHECK(queue.number(Sql("SELECT COUNT(*) FROM webhook_attempt")) == 2);
}

TEST_CASE("When a webhook was last sent to is written at most once a second while it is busy") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto seen = [&](std::int64_t ms, bool last) {
    Attempt attempt;
    attempt.delivery.ref = queue.add_delivery(webhook, 0, start);
    attempt.started = after(ms);
    queue.write([&](storage::Connection& connection) -> Result<void> {
      return record(connection, {webhook, {attempt}, false, last}, after(ms)) ? Result<void>() : internal("failed");
    });
    return queue.number(Sql("SELECT \"LastDeliveryDate\" FROM \"webhook\"")) - start.ms;
  };
  CHECK(seen(0, false) == 0);
  CHECK(seen(999, false) == 0);
  CHECK(seen(1'000, false) == 1'000);
  CHECK(seen(1'500, false) == 1'000);
  CHECK(seen(1'600, true) == 1'600);
}

TEST_CASE("A webhook that is switched off or deleted cancels what waits") {
  const bool deleted = GENERATE(false, true);
  Queue queue;
  const auto webhook = queue.add_webhook(true);
  const auto in_hand = queue.add_delivery(webhook, 1, start), waits = queue.add_delivery(webhook, 1, start);
  const auto retried = queue.add_delivery(webhook, 2, start);
  queue.take(webhook);
  queue.end(webhook, retried, 'R');
  const auto in_line = queue.add_delivery(webhook, 3, start);
  std::int64_t again = 0;
  testing::SeededRandom random(99);
  queue.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(
        again, enqueue(connection, {webhook, "msg", "Forwarded", "Call", "incident", 2, 1, 0, retried}, start, random));
    return {};
  });
  queue.take(webhook);  // `again` now waits for `retried`
  queue.set_webhook(webhook, deleted ? Sql("\"IsDeleted\" = 1") : Sql("\"Active\" = 0"));
  // Whatever was in hand may end well; a failure is not followed up.
  CHECK(queue.status(in_line) == "P");
  queue.end(webhook, in_line, 'R');
  CHECK(queue.status(in_line) == "C");
  const Claim claim = queue.take(webhook);
  for (const auto delivery : {waits, retried}) CHECK(queue.status(delivery) == "C");
  CHECK(queue.status(again) == (deleted ? "C" : "P"));
  CHECK(claim.deliveries.size() == (deleted ? 0 : 1));
  queue.end(webhook, in_hand, 'S');
  CHECK(queue.status(in_hand) == "S");
}

TEST_CASE("A webhook whose retries are cancelled is retried no more") {
  const auto [before, status] =
      GENERATE(table<std::string, std::string>({{"", "P"}, {"S", "S"}, {"FS", "S"}, {"F", "F"}}));
  const bool in_flight = GENERATE(false, true);
  Queue queue;
  const auto webhook = queue.add_webhook();
  std::int64_t record = 0;
  for (const char outcome : before) {
    const auto delivery = queue.add_delivery(webhook, ++record, start);
    queue.take(webhook);
    queue.end(webhook, delivery, outcome);
  }
  const auto retried = queue.add_delivery(webhook, ++record, start);
  queue.take(webhook);
  queue.end(webhook, retried, 'R');
  if (in_flight) queue.take(webhook, 10, after(5'000));
  queue.set_webhook(webhook, Sql("\"Active\" = 0"));
  queue.take(webhook, 10, after(5'000), true);
  if (in_flight) {
    CHECK(queue.webhook_status(webhook) == (before == "F" ? "F" : "R"));
    queue.end(webhook, retried, 'R', 2);
  }
  CHECK(queue.status(retried) == "C");
  CHECK(queue.webhook_status(webhook) == status);
}

TEST_CASE("A webhook that is switched off while one is sent again by hand stays R until that has ended") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto first = queue.add_delivery(webhook, 1, start), second = queue.add_delivery(webhook, 2, start);
  queue.take(webhook);
  for (const auto delivery : {first, second}) queue.end(webhook, delivery, 'R');
  queue.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(Sql("UPDATE \"webhook_delivery\" SET \"Redelivery\" = 1 WHERE \"Ref\" = ?1"),
                                      {Value(second)}));
    return {};
  });
  queue.set_webhook(webhook, Sql("\"Active\" = 0"));
  CHECK(queue.take(webhook, 10, start, true).webhook.status == 'R');
  CHECK(queue.status(first) == "C");
  CHECK(queue.refs(webhook, 10, after(5'000)) == Refs{second});
  CHECK(queue.end(webhook, second, 'S', 2).status == 'S');
}

TEST_CASE("After a crash all that was in hand is taken again, in order") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto a1 = queue.add_delivery(webhook, 1, start), a2 = queue.add_delivery(webhook, 1, start);
  const auto b = queue.add_delivery(webhook, 2, start);
  CHECK(queue.refs(webhook) == Refs{a1, b});
  queue.recover_at(after(1'000));
  const auto a3 = queue.add_delivery(webhook, 1, start);
  CHECK(queue.refs(webhook) == Refs{a1, b});
  queue.end(webhook, a1, 'S');
  CHECK(queue.refs(webhook) == Refs{a2});
  queue.end(webhook, a2, 'S');
  CHECK(queue.refs(webhook) == Refs{a3});
}

TEST_CASE("After a crash nobody overtakes what waited for a retry in hand") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto a1 = queue.add_delivery(webhook, 1, start);
  queue.take(webhook);
  queue.end(webhook, a1, 'R');
  CHECK(queue.refs(webhook, 10, after(5'000)) == Refs{a1});
  const auto a2 = queue.add_delivery(webhook, 1, start);
  CHECK(queue.refs(webhook, 10, after(5'000)).empty());
  queue.recover_at(start);  // the clock was set back a little, so that the retry is not due
  queue.add_delivery(webhook, 1, start);
  CHECK(queue.refs(webhook) == Refs{a2});
}

TEST_CASE("An hour that passed while nothing ran leaves one attempt; one that passed in the line leaves none") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto delivery = queue.add_delivery(webhook, 1, start);
  queue.take(webhook);
  queue.end(webhook, delivery, 'R');
  SECTION("while nothing ran") {
    queue.recover_at(after(2 * hour));
    CHECK(queue.refs(webhook, 10, after(2 * hour + 5)) == Refs{delivery});
  }
  SECTION("in the line") {
    CHECK(queue.refs(webhook, 10, after(hour)).empty());
    CHECK(queue.status(delivery) == "F");
  }
  SECTION("a clock that was set back keeps nobody waiting") {
    queue.recover_at(after(-5 * hour));
    CHECK(queue.refs(webhook, 10, after(-5 * hour)) == Refs{delivery});
  }
}

TEST_CASE("When the clock is set, what waits moves with it") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto delivery = queue.add_delivery(webhook, 1, start);
  queue.take(webhook);
  queue.end(webhook, delivery, 'R');
  queue.write([](storage::Connection& connection) { return shift(connection, -hour, after(-hour)); });
  CHECK(queue.take(webhook, 10, after(-hour)).next_retry == after(5'000 - hour));
  CHECK(queue.refs(webhook, 10, after(5'000 - hour)) == Refs{delivery});
}

TEST_CASE("Nothing is sent of a webhook whose owner may own none, redeliveries neither") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  const auto delivery = queue.add_delivery(webhook, 10, start);
  queue.write([&](storage::Connection& connection) -> Result<void> {
    testing::SeededRandom random(99);
    CALLISTO_CHECK(
        enqueue(connection, {webhook, "msg", "Forwarded", "Call", "incident", 9, 1, 0, delivery}, start, random));
    Room room{webhook, 10, 10, false, true, [](storage::Connection&, std::optional<std::int64_t>) { return true; }};
    CALLISTO_TRY(const Claim taken, claim(connection, room, {}, {start, {}}));
    CHECK(taken.webhook.silent);
    CHECK(taken.deliveries.empty());
    return {};
  });
  CHECK(queue.status(delivery) == "C");
  CHECK(queue.number(Sql("SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"Status\" = 'C'")) == 2);
}

TEST_CASE("A webhook that was made before there were owners gets who changed it last, else who made it") {
  Queue queue;
  const auto changed = queue.add_webhook(), made = queue.add_webhook(), owned = queue.add_webhook(),
             nobody = queue.add_webhook();
  queue.set_webhook(changed, Sql("\"Owner\" = NULL, \"UpdatedBy\" = 7, \"CreatedBy\" = 6"));
  queue.set_webhook(made, Sql("\"Owner\" = NULL, \"CreatedBy\" = 6"));
  queue.set_webhook(owned, Sql("\"Owner\" = 5, \"UpdatedBy\" = 7"));
  queue.set_webhook(nobody, Sql("\"Owner\" = NULL"));
  queue.write([](storage::Connection& connection) { return prepare(connection); });
  const auto owner = [&](std::int64_t webhook) {
    return queue.number(Sql("SELECT COALESCE(\"Owner\", 0) FROM \"webhook\" WHERE \"Ref\" = ?1"), {Value(webhook)});
  };
  CHECK(owner(changed) == 7);
  CHECK(owner(made) == 6);
  CHECK(owner(owned) == 5);
  CHECK(owner(nobody) == 0);
}

TEST_CASE("Failed deliveries are sent again, each message once") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  Refs refs;
  for (int i = 0; i < 5; ++i) refs.push_back(queue.add_delivery(webhook, 10 + i, after(i)));
  queue.take(webhook);
  for (std::size_t i = 0; i < 5; ++i) queue.end(webhook, refs[i], i == 1 ? 'S' : 'F');
  queue.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(Sql("DELETE FROM webhook_body WHERE id = 3"), {}));
    return {};
  });
  const auto again = [&] { return queue.redeliver_failed(webhook, start, after(4), after(hour)); };
  CHECK(again() == 2);  // the second succeeded, the third's body is gone, the fifth is too late
  CHECK(again() == 0);  // they are on their way
  const Claim claim = queue.take(webhook, 10, after(hour));
  REQUIRE(claim.deliveries.size() == 2);
  CHECK(claim.deliveries[0].redelivery);
  CHECK(claim.deliveries[0].body == 1);
  CHECK(claim.deliveries[0].ref > refs.back());
  CHECK(queue.number(Sql("SELECT COUNT(DISTINCT \"MessageId\") FROM \"webhook_delivery\"")) == 5);
  CHECK(queue.number(Sql("SELECT COUNT(DISTINCT \"Id\") FROM \"webhook_delivery\"")) == 7);
  queue.end(webhook, claim.deliveries[0].ref, 'F');
  CHECK(again() == 1);
}

TEST_CASE("Purging takes what ended long ago and all that belongs to it, and nothing else") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  Refs old;
  for (int i = 0; i < 450; ++i) old.push_back(queue.add_delivery(webhook, 1'000 + i, start));
  for (std::size_t i = 0; i + 1 < old.size();) {
    for (const auto ref : queue.refs(webhook, 100)) {
      if (ref != old.back()) queue.end(webhook, ref, 'S');
      ++i;
    }
  }
  const auto fresh = queue.add_delivery(webhook, 2, after(10'000));
  queue.take(webhook);
  queue.end(webhook, fresh, 'S');
  queue.write([&](storage::Connection& connection) -> Result<void> {
    testing::SeededRandom random(99);
    // Shares its body with the first, which goes.
    CALLISTO_CHECK(
        enqueue(connection, {webhook, "msg", "Forwarded", "Call", "incident", 9, 1, 0, old[0]}, after(20'000), random));
    return {};
  });
  CHECK(must(purge(queue.database(), after(5'000))) == 449);
  CHECK(queue.number(Sql("SELECT COUNT(*) FROM \"webhook_delivery\"")) == 3);
  CHECK(queue.status(old.back()) == "P");  // however old
  CHECK(queue.number(Sql("SELECT COUNT(*) FROM webhook_attempt")) == 1);
  CHECK(queue.number(Sql("SELECT COUNT(*) FROM webhook_body")) == 3);
  CHECK(queue.number(Sql("SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"RedeliveryOf\" IS NOT NULL")) == 0);
  CHECK(must(purge(queue.database(), after(5'000))) == 0);
}

TEST_CASE("Statistics count what is on its way") {
  Queue queue;
  const auto webhook = queue.add_webhook();
  CHECK_FALSE(must(stats(queue.reader())).oldest_pending);
  for (int i = 0; i < 3; ++i) queue.add_delivery(webhook, 1, after(i));
  const auto retried = queue.add_delivery(webhook, 2, start);
  queue.take(webhook);
  queue.end(webhook, retried, 'R');
  const QueueStats found = must(stats(queue.reader()));
  CHECK(found.pending == 3);
  CHECK(found.retrying == 1);
  CHECK(found.oldest_pending == start);
  const auto at_work = must(waiting(queue.reader()));
  REQUIRE(at_work.size() == 1);
  CHECK(at_work[0].next_retry == after(5'000));
}

TEST_CASE("No question of the dispatcher reads more than it needs") {
  Queue queue;
  const auto plan_of = [&](const Sql& sql, const std::vector<Value>& values) {
    std::string plan;
    for (const std::string& line : must(queue.reader().explain(sql, values))) plan += line + "\n";
    return plan;
  };
  const auto line = plan_of(Sql("SELECT \"Ref\" FROM \"webhook_delivery\" d WHERE d.\"Webhook\" = ?1 "
                                "AND d.\"Status\" = 'P' AND d.\"NextAttempt\" IS NOT NULL "
                                "ORDER BY d.\"Ref\" LIMIT 5"),
                            {Value(std::int64_t{1})});
  CHECK(line.find("ix_webhook_delivery_line") != std::string::npos);
  CHECK(line.find("TEMP B-TREE") == std::string::npos);
  const auto retries = plan_of(Sql("SELECT \"Ref\" FROM \"webhook_delivery\" d WHERE d.\"Webhook\" = ?1 "
                                   "AND d.\"Status\" = 'R' AND d.\"NextAttempt\" <= ?2 "
                                   "ORDER BY d.\"NextAttempt\", d.\"Ref\" LIMIT 5"),
                               {Value(std::int64_t{1}), Value(start)});
  CHECK(retries.find("ix_webhook_delivery_retry ") != std::string::npos);
  CHECK(retries.find("TEMP B-TREE") == std::string::npos);
}
