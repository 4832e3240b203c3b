#include "webhooks/dispatcher.h"

#include "tests/support/fixed_clock.h"
#include "tests/unit/webhooks/queue_desk.h"
#include "webhooks/message_id.h"

#include <algorithm>
#include <condition_variable>
#include <functional>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

// Holds every request until a test answers it. Any thread.
class HeldTransport final : public Transport {
 public:
  void start(Request request) override {
    std::lock_guard lock(mutex_);
    started_.push_back(std::move(request));
    change_.notify_all();
  }
  std::size_t in_flight() const override { return 0; }
  std::vector<Response> wait(std::chrono::milliseconds patience) override {
    std::unique_lock lock(mutex_);
    last_patience = patience;
    if (threaded) change_.wait_for(lock, patience, [&] { return woken_ || !ended_.empty(); });
    woken_ = false;
    return std::exchange(ended_, {});
  }
  void wake() override {
    std::lock_guard lock(mutex_);
    woken_ = true;
    change_.notify_all();
  }

  std::vector<Request> started() {
    std::lock_guard lock(mutex_);
    return std::exchange(started_, {});
  }
  void answer(const Request& request, int status, Outcome outcome = Outcome::Http) {
    Response response;
    response.delivery = request.delivery;
    response.outcome = outcome;
    response.status = status;
    std::lock_guard lock(mutex_);
    ended_.push_back(std::move(response));
    change_.notify_all();
  }
  // Until one has started; for dispatchers with a thread.
  Request await_start() {
    std::unique_lock lock(mutex_);
    REQUIRE(change_.wait_for(lock, std::chrono::seconds(20), [&] { return !started_.empty(); }));
    Request request = std::move(started_.front());
    started_.erase(started_.begin());
    return request;
  }

  bool threaded = false;
  std::chrono::milliseconds last_patience{0};

 private:
  std::mutex mutex_;
  std::condition_variable change_;
  bool woken_ = false;
  std::vector<Request> started_;
  std::vector<Response> ended_;
};

struct Office {
  explicit Office(const std::function<void(DispatcherOptions&)>& set = {}) {
    DispatcherOptions options;
    options.version = "1.2";
    options.sign = [this](const SigningInput& input) -> Result<Headers> {
      if (unsignable) return bad_format("The secret is no base64.");
      std::string signature(input.secret);
      if (input.previous_secret) signature += " " + std::string(*input.previous_secret);
      return Headers{{"webhook-signature", signature}};
    };
    if (set) set(options);
    dispatcher = std::make_unique<Dispatcher>(options, desk.database(), transport, clock, random, test_sealer());
    must(dispatcher->start());
  }

  std::int64_t deliver(std::int64_t webhook, std::int64_t record) {
    const auto ref = desk.add_delivery(webhook, record, clock.now());
    dispatcher->wake({webhook});
    return ref;
  }
  std::vector<Request> turn() {
    dispatcher->turn();
    return transport.started();
  }
  std::size_t in_hand() {
    const Metrics metrics = dispatcher->metrics();
    return metrics.ready + metrics.in_flight;
  }

  QueueDesk desk;
  testing::FixedClock clock;
  testing::SeededRandom random;
  HeldTransport transport;
  bool unsignable = false;
  std::unique_ptr<Dispatcher> dispatcher;
};

std::string header(const Request& request, const std::string& name) {
  for (const auto& [key, value] : request.headers)
    if (key == name) return value;
  return "-";
}

}  // namespace

TEST_CASE("A request carries the headers that receivers rely on") {
  Office office;
  const auto webhook = office.desk.add_webhook(false, "whisper");
  const auto delivery = office.deliver(webhook, 7);
  const auto started = office.turn();
  REQUIRE(started.size() == 1);
  const Request& request = started[0];
  CHECK(request.url == "http://receiver.example/");
  CHECK(request.timeout == std::chrono::seconds(15));
  CHECK(header(request, "Content-Type") == "application/json; charset=utf-8");
  CHECK(header(request, "User-Agent") == "Callisto-Webhooks/1.2");
  CHECK(header(request, "webhook-id").starts_with("msg_"));
  CHECK(header(request, "webhook-timestamp") == std::to_string(office.clock.now().ms / 1000));
  CHECK(header(request, "webhook-signature") == "whisper");
  CHECK(header(request, "Callisto-Event") == "Call.Forwarded");
  CHECK(header(request, "Callisto-Webhook") == std::to_string(webhook));
  CHECK(header(request, "Callisto-Delivery") == std::to_string(delivery));
  CHECK(header(request, "Callisto-Attempt") == "1");
  CHECK(header(request, "Callisto-Hop") == "0");
  const std::string proof = header(request, "Callisto-Delivery-Proof");
  CHECK(DeliveryProof(test_sealer()).holds(proof));
  CHECK_FALSE(DeliveryProof(Sealer(std::string(aes_gcm_key_bytes, 'x'))).holds(proof));
  for (const std::string& none :
       {std::string(), std::string("1"), "1." + std::string(64, '0'), proof + " ", "0" + proof})
    CHECK_FALSE(DeliveryProof(test_sealer()).holds(none));
  CHECK(header(request, "Callisto-Redelivery") == "-");
  CHECK(header(request, "ce-specversion") == "1.0");
  CHECK(header(request, "ce-id") == header(request, "webhook-id"));
  CHECK(header(request, "ce-source") == "/v1/webhook/" + std::to_string(webhook));
  CHECK(header(request, "ce-type") == "Call.Forwarded");
  office.transport.answer(request, 200);
  office.turn();
  CHECK(office.desk.status(delivery) == "S");
  const auto kept = office.desk.text(Sql("SELECT request_headers FROM webhook_attempt"));
  CHECK(kept.find("Callisto-Event: Call.Forwarded\n") != std::string::npos);
}

TEST_CASE("A message's id tells when its event happened") {
  testing::SeededRandom random;
  for (const std::int64_t ms : {std::int64_t{1}, std::int64_t{1'773'558'000'123}, (std::int64_t{1} << 48) - 1})
    CHECK(time_of_message(message_id({ms}, random)).ms == ms);
  for (const char* none : {"", "msg_", "msg_01J9ZQ3V", "01J9ZQ3V7M4T8K2B6N5C1D0E9F", "msg_01J9ZQ3V7u4T8K2B6N5C1D0E9F"})
    CHECK(time_of_message(none).ms == 0);
}

TEST_CASE("Both secrets sign until the one before has had its day") {
  Office office;
  const auto webhook = office.desk.add_webhook(false, "new");
  const auto until = office.clock.now().ms + 1'000;
  office.desk.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_CHECK(
        connection.execute(Sql("UPDATE \"webhook\" SET \"PreviousSecret\" = ?1, \"PreviousSecretUntil\" = ?2"),
                           {Value(sealed("old")), Value(until)}));
    return {};
  });
  office.deliver(webhook, 1);
  CHECK(header(office.turn().at(0), "webhook-signature") == "new old");
  office.clock.advance_ms(1'000);
  office.deliver(webhook, 2);
  CHECK(header(office.turn().at(0), "webhook-signature") == "new");
}

TEST_CASE("What cannot be signed or sent is an attempt that failed, with the fix") {
  Office office;
  const auto webhook = office.desk.add_webhook();
  std::string word;
  char status = 'R';
  SECTION("no signature") {
    office.unsignable = true;
    word = "no base64";
  }
  SECTION("a secret of another key") {
    office.desk.set_webhook(webhook, Sql("\"Secret\" = 'sealed:AAAA'"));
    word = "Set the Secret again";
  }
  SECTION("no body") {
    word = "no longer kept";
    status = 'F';
  }
  const auto delivery = office.desk.add_delivery(webhook, 1, office.clock.now());
  if (status == 'F')
    office.desk.write(
        [](storage::Connection& connection) { return connection.run_script("DELETE FROM webhook_body"); });
  office.dispatcher->wake({webhook});
  CHECK(office.turn().empty());
  office.turn();
  CHECK(office.desk.status(delivery) == std::string(1, status));
  CHECK(office.desk.text(Sql("SELECT \"Error\" FROM \"webhook_delivery\"")).find(word) != std::string::npos);
  CHECK(office.desk.text(Sql("SELECT outcome FROM webhook_attempt")) == "internal");
}

TEST_CASE("What ends a delivery and what does not") {
  const auto [outcome, code, status] = GENERATE(table<Outcome, int, std::string>({
      {Outcome::Http, 200, "S"},
      {Outcome::Http, 299, "S"},
      {Outcome::TooLarge, 200, "S"},
      {Outcome::TooLarge, 500, "R"},
      {Outcome::Http, 199, "R"},
      {Outcome::Http, 300, "R"},
      {Outcome::Redirect, 302, "R"},
      {Outcome::Http, 400, "R"},
      {Outcome::Http, 410, "F"},
      {Outcome::Http, 500, "R"},
      {Outcome::BlockedAddress, 0, "F"},
      {Outcome::ConnectRefused, 0, "R"},
      {Outcome::Reset, 200, "R"},
      {Outcome::TimeoutTotal, 200, "R"},
  }));
  Office office;
  const auto webhook = office.desk.add_webhook();
  const auto delivery = office.deliver(webhook, 1);
  office.transport.answer(office.turn().at(0), code, outcome);
  office.turn();
  CHECK(office.desk.status(delivery) == status);
  CHECK(office.desk.webhook_status(webhook) == status);
}

TEST_CASE("Four are in flight to a webhook, one while it fails, and all others stay in the database") {
  Office office;
  const auto webhook = office.desk.add_webhook();
  for (int i = 0; i < 200; ++i) office.desk.add_delivery(webhook, 10 + i, office.clock.now());
  office.dispatcher->wake({webhook});
  auto flying = office.turn();
  REQUIRE(flying.size() == 4);
  CHECK(office.in_hand() == 128);
  office.transport.answer(flying[0], 200);
  CHECK(office.turn().size() == 1);
  office.transport.answer(flying[1], 500);
  CHECK(office.turn().empty());  // three are in flight, and it fails
  CHECK(office.in_hand() == 3);
  for (const auto& request : {flying[2], flying[3]}) office.transport.answer(request, 500);
  CHECK(office.turn().empty());
  CHECK(office.desk.webhook_status(webhook) == "R");
}

TEST_CASE("Dead receivers leave slots for the others") {
  Office office([](DispatcherOptions& options) { options.slots = 10; });
  std::vector<std::int64_t> dead;
  for (int i = 0; i < 8; ++i) dead.push_back(office.desk.add_webhook());
  const auto well = office.desk.add_webhook();
  for (const auto webhook : dead) {
    office.desk.set_webhook(webhook, Sql("\"Status\" = 'F'"));
    for (int i = 0; i < 5; ++i) office.desk.add_delivery(webhook, 1 + i, office.clock.now());
  }
  office.dispatcher->wake(dead);
  CHECK(office.turn().size() == 3);
  for (int i = 0; i < 6; ++i) office.desk.add_delivery(well, 1 + i, office.clock.now());
  office.dispatcher->wake({well});
  const auto started = office.turn();
  CHECK(started.size() == 4);
  for (const auto& request : started) CHECK(header(request, "Callisto-Webhook") == std::to_string(well));
}

TEST_CASE("A retry that finds no slot holds up no first attempt of its webhook") {
  Office office([](DispatcherOptions& options) { options.slots = 10; });
  const auto well = office.desk.add_webhook();
  office.deliver(well, 1);
  office.transport.answer(office.turn().at(0), 500);
  office.turn();
  office.deliver(well, 2);
  office.transport.answer(office.turn().at(0), 200);  // it is well again
  office.turn();
  std::vector<std::int64_t> dead;
  for (int i = 0; i < 2; ++i) dead.push_back(office.desk.add_webhook());
  for (const auto webhook : dead) {
    office.desk.set_webhook(webhook, Sql("\"Status\" = 'F'"));
    office.desk.add_delivery(webhook, 1, office.clock.now());
  }
  office.dispatcher->wake(dead);
  CHECK(office.turn().size() == 2);
  // Two retries for the one slot that is left.
  const auto another = office.deliver(well, 3);
  const auto request = office.turn().at(0);
  CHECK(request.delivery == another);
  office.transport.answer(request, 200);
  office.turn();
  office.clock.advance_seconds(7);
  const auto last_dead = office.desk.add_webhook();
  office.desk.set_webhook(last_dead, Sql("\"Status\" = 'F'"));
  office.deliver(last_dead, 1);
  const auto first = office.deliver(well, 4);
  std::vector<std::int64_t> started;
  for (const auto& one : office.turn()) started.push_back(one.delivery);
  CHECK(std::count(started.begin(), started.end(), first) == 1);
  CHECK(started.size() == 2);  // and either the retry or the third dead one
}

TEST_CASE("Webhooks take turns") {
  Office office([](DispatcherOptions& options) { options.slots = 6; });
  std::vector<std::int64_t> webhooks;
  for (int i = 0; i < 3; ++i) webhooks.push_back(office.desk.add_webhook());
  for (const auto webhook : webhooks)
    for (int i = 0; i < 5; ++i) office.desk.add_delivery(webhook, 1 + i, office.clock.now());
  office.dispatcher->wake(webhooks);
  std::map<std::string, int> count;
  for (const auto& request : office.turn()) ++count[header(request, "Callisto-Webhook")];
  CHECK(count.size() == 3);
  for (const auto& [webhook, number] : count) CHECK(number == 2);
}

TEST_CASE("The bytes in flight are bounded, and one body goes whatever its size") {
  Office office([](DispatcherOptions& options) { options.body_bytes = 60; });  // a body has some 50
  const auto one = office.desk.add_webhook(), two = office.desk.add_webhook();
  office.desk.add_delivery(one, 1, office.clock.now());
  office.desk.add_delivery(two, 1, office.clock.now());
  office.dispatcher->wake({one, two});
  const auto first = office.turn();
  REQUIRE(first.size() == 1);
  CHECK(office.turn().empty());
  office.transport.answer(first[0], 200);
  CHECK(office.turn().size() == 1);
}

TEST_CASE("A change of the webhook counts for what was in hand but had not left") {
  Office office([](DispatcherOptions& options) { options.per_webhook = 1; });
  const auto webhook = office.desk.add_webhook();
  for (int i = 0; i < 3; ++i) office.deliver(webhook, 1 + i);
  const auto first = office.turn();
  REQUIRE(first.size() == 1);
  CHECK(office.in_hand() == 3);
  SECTION("a new url") {
    office.desk.set_webhook(webhook, Sql("\"PayloadUrl\" = 'http://new.example/'"));
    office.dispatcher->changed({webhook});
    office.transport.answer(first[0], 200);
    CHECK(office.turn().at(0).url == "http://new.example/");
  }
  SECTION("switched off") {
    office.desk.set_webhook(webhook, Sql("\"Active\" = 0"));
    office.dispatcher->changed({webhook});
    CHECK(office.turn().empty());
    office.transport.answer(first[0], 200);
    CHECK(office.turn().empty());
    CHECK(office.desk.number(Sql("SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"Status\" = 'C'")) == 2);
  }
}

TEST_CASE("What waits for room at its host is made when it leaves") {
  Office office([](DispatcherOptions& options) { options.per_host = 1; });
  const auto busy = office.desk.add_webhook(), webhook = office.desk.add_webhook(false, "old");
  office.deliver(busy, 1);
  const auto first = office.turn();
  REQUIRE(first.size() == 1);
  const auto delivery = office.deliver(webhook, 1);
  CHECK(office.turn().empty());
  CHECK(office.turn().empty());
  CHECK(office.transport.last_patience == std::chrono::seconds(30));  // it does not ask again and again
  CHECK(office.in_hand() == 2);
  office.clock.advance_seconds(400);
  std::string url = "http://receiver.example/", secret = "old";
  SECTION("of the new url with the new secret") {
    url = "http://new.example/";
    secret = "new";
    office.desk.set_webhook(webhook, Sql("\"PayloadUrl\" = 'http://new.example/'"));
    office.desk.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_CHECK(connection.execute(Sql("UPDATE \"webhook\" SET \"Secret\" = ?1 WHERE \"Ref\" = ?2"),
                                        {Value(sealed(secret)), Value(webhook)}));
      return {};
    });
    office.dispatcher->changed({webhook});
  }
  SECTION("in the turn in which the other ends") { office.transport.answer(first[0], 200); }
  SECTION("or not at all") {
    office.desk.set_webhook(webhook, Sql("\"Active\" = 0"));
    office.dispatcher->changed({webhook});
    CHECK(office.turn().empty());
    CHECK(office.desk.status(delivery) == "C");
    office.transport.answer(first[0], 200);
    CHECK(office.turn().empty());
    return;
  }
  const auto started = office.turn();
  REQUIRE(started.size() == 1);
  CHECK(started[0].delivery == delivery);
  CHECK(started[0].url == url);
  CHECK(header(started[0], "webhook-signature") == secret);
  CHECK(header(started[0], "webhook-timestamp") == std::to_string(office.clock.now().ms / 1000));
}

TEST_CASE("Webhooks of one host take turns, whatever goes elsewhere") {
  Office office([](DispatcherOptions& options) { options.per_host = 1; });
  std::vector<std::int64_t> webhooks;
  for (int i = 0; i < 4; ++i) webhooks.push_back(office.desk.add_webhook());
  const auto elsewhere = webhooks.back();
  office.desk.set_webhook(elsewhere, Sql("\"PayloadUrl\" = 'http://other.example/'"));
  for (const auto webhook : webhooks)
    for (int i = 0; i < 6; ++i) office.desk.add_delivery(webhook, 1 + i, office.clock.now());
  office.dispatcher->wake(webhooks);
  std::map<std::string, int> count;
  for (int i = 0; i < 6; ++i) {
    const auto started = office.turn();
    CHECK(started.size() == 2);
    for (const auto& request : started) {
      ++count[header(request, "Callisto-Webhook")];
      office.transport.answer(request, 200);
    }
  }
  for (const auto webhook : webhooks) CHECK(count[std::to_string(webhook)] == (webhook == elsewhere ? 6 : 2));
}

TEST_CASE("Beside other nodes a webhook is kept while it waits for room") {
  testing::FixedClock clock;
  Office office([&](DispatcherOptions& options) {
    options.common_time = [&](storage::Connection&) { return Result<DateTime>(clock.now()); };
    options.per_host = 1;
  });
  const auto busy = office.desk.add_webhook(), webhook = office.desk.add_webhook();
  office.deliver(busy, 1);
  const auto first = office.turn();
  REQUIRE(first.size() == 1);
  const auto delivery = office.deliver(webhook, 1);
  const Sql kept("SELECT COUNT(*) FROM webhook_lane WHERE owner IS NOT NULL AND until > ?1");
  int turns = 0;
  for (std::int64_t passed = 0; passed < 100'000; ++turns) {
    CHECK(office.turn().empty());
    CHECK(office.desk.number(kept, {Value(clock.now())}) == 2);
    const auto patience = std::max<std::int64_t>(1, office.transport.last_patience.count());
    passed += patience;
    clock.advance_ms(patience);
    office.clock.advance_ms(patience);
  }
  CHECK(turns < 50);
  office.transport.answer(first[0], 200);
  const auto started = office.turn();
  REQUIRE(started.size() == 1);
  CHECK(started[0].delivery == delivery);
}

TEST_CASE("With nothing to do it sleeps until the next retry or look") {
  Office office;
  office.turn();
  office.turn();
  CHECK(office.transport.last_patience == std::chrono::seconds(30));
  const auto webhook = office.desk.add_webhook();
  office.deliver(webhook, 1);
  office.transport.answer(office.turn().at(0), 500);
  office.turn();
  office.turn();
  CHECK(office.transport.last_patience >= std::chrono::seconds(4));
  CHECK(office.transport.last_patience <= std::chrono::seconds(6));
  office.clock.advance_ms(office.transport.last_patience.count());
  const auto again = office.turn();
  REQUIRE(again.size() == 1);
  CHECK(header(again[0], "Callisto-Attempt") == "2");
}

TEST_CASE("A wake that never came is made up for") {
  Office office;
  office.turn();
  office.desk.add_delivery(office.desk.add_webhook(), 1, office.clock.now());
  CHECK(office.turn().empty());
  office.clock.advance_seconds(30);
  CHECK(office.turn().size() == 1);
}

TEST_CASE("Metrics count attempts") {
  Office office;
  const auto webhook = office.desk.add_webhook();
  for (int i = 0; i < 6; ++i) office.deliver(webhook, 1 + i);
  const auto started = office.turn();
  office.transport.answer(started.at(0), 200);
  office.transport.answer(started.at(1), 0, Outcome::BlockedAddress);
  office.turn();
  const Metrics metrics = office.dispatcher->metrics();
  CHECK(metrics.succeeded == 1);
  CHECK(metrics.concluded_failed == 1);
  CHECK(metrics.by_outcome[static_cast<std::size_t>(Outcome::Http)] == 1);
  CHECK(metrics.by_outcome[static_cast<std::size_t>(Outcome::BlockedAddress)] == 1);
  CHECK(metrics.in_flight == 2);
  CHECK(metrics.ready == 0);
}

TEST_CASE("Nothing starts any more behind a stop, though the turn began before it") {
  Office office;
  const auto webhook = office.desk.add_webhook();
  office.deliver(webhook, 1);
  office.dispatcher->stop();
  CHECK(office.turn().empty());
}

TEST_CASE("A thread of its own delivers what it is woken for, and gives back what it cannot send any more") {
  Office office([](DispatcherOptions& options) { options.per_webhook = 1; });
  office.transport.threaded = true;
  const auto webhook = office.desk.add_webhook();
  {
    const DispatcherThread thread(*office.dispatcher);
    const auto first = office.deliver(webhook, 1);
    CHECK(office.transport.await_start().delivery == first);
    for (int i = 0; i < 5; ++i) office.deliver(webhook, 2 + i);
    Request request;
    request.delivery = first;
    office.transport.answer(request, 200);
    request = office.transport.await_start();
    office.dispatcher->stop();
    office.transport.answer(request, 200);
  }
  CHECK(office.desk.number(Sql("SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"Status\" = 'S'")) == 2);
  CHECK(office.desk.number(Sql("SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"Status\" = 'P'")) == 4);
}

namespace {

// Turns of a dispatcher until the clock has passed `ms`, as one that sleeps as long as it says.
std::vector<Request> pass(Office& office, std::int64_t ms) {
  std::vector<Request> started = office.turn();  // the patience of a turn is what the one before it left
  for (int turns = 0; ms > 0 && turns < 10'000; ++turns) {
    for (Request& request : office.turn()) started.push_back(std::move(request));
    const auto step = std::min<std::int64_t>(office.transport.last_patience.count(), ms);
    office.clock.advance_ms(step);
    ms -= step;
  }
  CHECK(ms == 0);  // it does not spin
  for (Request& request : office.turn()) started.push_back(std::move(request));
  return started;
}

struct Crowd {  // webhooks that hang, and one that is well; all have `each` deliveries
  Crowd(Office& office, int hanging, int each = 6) {
    for (int i = 0; i <= hanging; ++i) webhooks.push_back(office.desk.add_webhook());
    well = std::to_string(webhooks.back());
    for (const auto webhook : webhooks)
      for (int i = 0; i < each; ++i) office.desk.add_delivery(webhook, 1 + i, office.clock.now());
    office.dispatcher->wake(webhooks);
  }
  std::size_t to_well(const std::vector<Request>& started) const {
    return static_cast<std::size_t>(std::count_if(started.begin(), started.end(), [&](const Request& request) {
      return header(request, "Callisto-Webhook") == well;
    }));
  }
  // Each of those that hang has a port of its own.
  void move_to_ports(Office& office) const {
    for (const auto webhook : webhooks) {
      if (std::to_string(webhook) == well) continue;
      const std::string url = "http://receiver.example:" + std::to_string(1000 + webhook) + "/";
      office.desk.write([&](storage::Connection& connection) -> Result<void> {
        CALLISTO_CHECK(connection.execute(Sql("UPDATE \"webhook\" SET \"PayloadUrl\" = ?2 WHERE \"Ref\" = ?1"),
                                          {Value(webhook), Value(url)}));
        return {};
      });
    }
    office.dispatcher->changed(webhooks);
  }
  std::vector<std::int64_t> webhooks;
  std::string well;
};

}  // namespace

TEST_CASE("A receiver that is well hears within 250 ms beside those that hang") {
  const int hanging = GENERATE(16, 20, 40);
  Office office;
  std::vector<std::int64_t> bodies;
  Crowd crowd(office, hanging);
  SECTION("at the same host") {}
  SECTION("at one url, and the others at many ports of the host") { crowd.move_to_ports(office); }
  const auto first = pass(office, 249);
  CHECK(crowd.to_well(first) >= 1);
  std::map<std::string, std::size_t> at;
  for (const Request& request : first) CHECK(++at[*host_of(request.url)] <= 64);
  // What it answers goes on at once, however long the others hang.
  std::vector<Request> flying = first;
  for (int i = 0; i < 5; ++i) {
    for (const Request& request : flying)
      if (header(request, "Callisto-Webhook") == crowd.well) office.transport.answer(request, 200);
    office.clock.advance_ms(20);
    flying = office.turn();
  }
  CHECK(office.desk.number(Sql("SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"Status\" = 'S'")) >= 5);
}

TEST_CASE("Hundreds that hang, at one host or at many, leave places to those that are known to be quick") {
  Office office;
  const auto well = office.desk.add_webhook();
  office.deliver(well, 1);
  office.transport.answer(office.turn().at(0), 200);
  office.turn();
  const Crowd crowd(office, 300, 2);
  SECTION("at one host") {}
  SECTION("at many") { crowd.move_to_ports(office); }
  const auto first = pass(office, 2'000);
  CHECK(first.size() >= 48);
  CHECK(first.size() <= 192);
  for (int i = 0; i < 20; ++i) {
    office.deliver(well, 2 + i);
    const auto started = office.turn();
    REQUIRE(started.size() == 1);
    office.transport.answer(started[0], 200);
    office.turn();
  }
}

TEST_CASE("Receivers that are known to hang have a quarter of their host") {
  Office office;
  Crowd crowd(office, 40);
  auto flying = pass(office, 14'000);
  REQUIRE(flying.size() > 40);
  for (const Request& request : flying)
    office.transport.answer(request, 200);  // late, but well: such a webhook does not count as failing
  flying = office.turn();
  CHECK(flying.size() == 8);
  for (Request& request : pass(office, 500)) flying.push_back(std::move(request));
  CHECK(flying.size() == 16);
  // One that is made later is served at once.
  const auto later = office.desk.add_webhook();
  office.deliver(later, 1);
  REQUIRE(office.turn().size() == 1);
  // One that answers soon is quick again.
  const auto recovered = header(flying[0], "Callisto-Webhook");
  office.transport.answer(flying[0], 200);
  office.clock.advance_ms(10);
  std::map<std::string, int> count;
  for (const Request& request : pass(office, 100)) ++count[header(request, "Callisto-Webhook")];
  CHECK(count[recovered] >= 1);
}

TEST_CASE("Bodies to those that hang leave a quarter of the memory to those that are quick") {
  Office office([](DispatcherOptions& options) { options.body_bytes = 400; });  // a body has some 50
  const auto well = office.desk.add_webhook();
  office.deliver(well, 1);
  office.transport.answer(office.turn().at(0), 200);
  office.turn();
  const Crowd crowd(office, 20);
  const auto first = pass(office, 249);
  CHECK(first.size() >= 4);
  CHECK(first.size() <= 6);
  office.deliver(well, 2);
  REQUIRE(office.turn().size() == 1);
}
