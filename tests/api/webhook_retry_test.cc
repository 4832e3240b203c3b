// Receivers that fail, and what an administrator sees and does about it (webhooks/README.md, "When it fails"). The hour
// is 3.6 s.
#include "webhook_desk.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
using test::Received;
using test::ReceiverAnswer;

template <typename Condition>
void eventually(const Condition& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a poll: the condition decides
  }
}

TEST_CASE("a delivery that fails for its hour is F; sent again by hand it has the same id and bytes", "[webhooks]") {
  WebhookDesk world;
  world.receiver.answer([](const Received&) { return ReceiverAnswer{503, {}, "not now"}; });
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  world.incident("x");
  Reply delivery = world.concluded(webhook);
  CHECK(delivery["Status"] == "F");
  CHECK(delivery["ResponseCode"] == "503");
  CHECK(delivery["Error"] != "null");
  const auto attempts = world.receiver.received();
  const std::size_t made = attempts.size();
  CHECK(made <= 10);
  REQUIRE(made >= 4);  // the first of the schedule are 5 and 30 ms here: a machine that stands still misses them
  CHECK(delivery["Attempts"] == std::to_string(made));
  std::set<std::string> ids, bodies, numbers;
  for (const Received& each : attempts) {
    ids.insert(each.header("webhook-id"));
    bodies.insert(each.body);
    numbers.insert(each.header("callisto-attempt"));
    CHECK(is_signed(each, webhook_secret));
  }
  CHECK(ids.size() == 1);
  CHECK(bodies.size() == 1);
  CHECK(numbers.size() == made);
  CHECK(world.desk.get("admin", "webhook/" + webhook)["Status"] == "F");
  CHECK(delivery.body.find("AttemptLog")->items().size() == made);
  CHECK(text_of(delivery.body.find("AttemptLog")->items()[0], "ResponseBody") == "not now");

  world.receiver.answer([](const Received&) { return ReceiverAnswer{204, {}, ""}; });
  const Reply again =
      world.desk.done("admin", "POST", "webhook/" + webhook + "/delivery/" + delivery["Ref"] + "/redeliver", "{}");
  CHECK(again["RedeliveryOf"] == delivery["Ref"]);
  CHECK(again["Redelivery"] == "true");
  const Received last = world.receiver.wait_for(made + 1).at(made);
  CHECK(last.header("callisto-redelivery") == "true");
  CHECK(last.header("callisto-delivery") == again["Ref"]);
  CHECK(ids.count(last.header("webhook-id")) == 1);
  CHECK(bodies.count(last.body) == 1);
  CHECK(world.concluded(webhook)["Status"] == "S");
  CHECK(world.desk.get("admin", "webhook/" + webhook)["Status"] == "S");
  CHECK(world.desk.get("admin", "webhook-delivery/" + delivery["Ref"])["Status"] == "F");
}

TEST_CASE("what is being retried is tried at once when somebody asks for it", "[webhooks]") {
  WebhookDesk world({"webhooks.time_scale=1"});  // an attempt, and the next one after five seconds
  world.receiver.answer([](const Received&) { return ReceiverAnswer{503}; });
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  world.incident("x");
  const auto newest = [&] {
    return world.desk.get("admin", "webhook/" + webhook + "/delivery?$orderby=Ref%20desc&$top=1");
  };
  std::string path;
  eventually([&] {  // the attempt is written down when it ended
    const Reply list = newest();
    const auto& rows = list.body.find("results")->items();
    if (rows.empty()) return false;
    path = "webhook-delivery/" + rows.front().find("Ref")->text();
    return rows.front().find("Status")->text() == "R";
  });
  for (std::size_t tries = world.receiver.received().size(); tries < 8; tries = world.receiver.received().size()) {
    const auto before = world.desk.get("admin", path);
    REQUIRE(before["Status"] == "R");
    world.desk.done("admin", "PUT", path + "/retry", "{}");
    world.receiver.wait_for(tries + 1);
    eventually([&] { return world.desk.get("admin", path)["Attempts"] != before["Attempts"]; });
  }
  world.receiver.answer([](const Received&) { return ReceiverAnswer{204}; });
  world.desk.done("admin", "PUT", path + "/retry", "{}");
  CHECK(world.concluded(webhook)["Status"] == "S");
  CHECK(world.desk.send("admin", "PUT", path + "/retry", "{}").status == 400);
}

TEST_CASE("everything that failed is sent again at once", "[webhooks]") {
  WebhookDesk world;
  world.receiver.answer([](const Received&) { return ReceiverAnswer{410}; });
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  for (const char* text : {"a", "b", "c"}) world.incident(text);
  world.receiver.wait_for(3);
  CHECK(world.concluded(webhook)["Status"] == "F");
  CHECK(world.receiver.received().size() == 3);  // 410: not one attempt more
  world.receiver.answer([](const Received&) { return ReceiverAnswer{}; });
  const std::string path = "webhook/" + webhook + "/redeliver-failed";
  CHECK(world.desk.done("admin", "PUT", path, R"({"To":"2020-01-01T00:00:00Z"})")["Redelivered"] == "0");
  CHECK(world.desk.done("admin", "PUT", path, "{}")["Redelivered"] == "3");
  const auto got = world.receiver.wait_for(6);
  REQUIRE(got.size() == 6);
  std::multiset<std::string> first, second;
  for (std::size_t i = 0; i < 6; ++i) (i < 3 ? first : second).insert(got[i].header("webhook-id"));
  CHECK(first == second);
}

TEST_CASE("a payload that cannot be made is a failure of the webhook until a delivery succeeds", "[webhooks]") {
  const TemporaryFolder scripts;
  std::filesystem::create_directories(scripts.path() + "/call/augmenters");
  std::ofstream(scripts.path() + "/call/augmenters/Broken.lua") << R"(return extension "Broken" {
  description = "Fails.", returns = "Text", needs = { "Ref" }, value = function(call) error("row " .. call.Ref) end,
})";
  WebhookDesk world({"scripts=scripts," + scripts.path()});
  const std::string webhook = world.add(R"("CoreEntityType":"Call","PayloadSelect":"Ref,@Broken")");
  world.incident("x");
  const Reply delivery = world.concluded(webhook);
  CHECK(delivery["Status"] == "F");
  CHECK(delivery["Error"].starts_with("The payload could not be made: "));
  CHECK(world.desk.get("admin", "webhook/" + webhook)["Status"] == "F");
  world.desk.done("admin", "PUT", "webhook/" + webhook + "/test", "{}");
  CHECK(world.concluded(webhook)["Status"] == "S");
  CHECK(world.desk.get("admin", "webhook/" + webhook)["Status"] == "S");
}

TEST_CASE("headers that a receiver repeats are shown as one", "[webhooks]") {
  WebhookDesk world;
  world.receiver.answer([](const Received&) {
    return ReceiverAnswer{200, {"Via: 1.1 a", "Set-Cookie: a=1, 2", "VIA: 1.1 b", "set-cookie: b=3", "X-One: 1"}, ""};
  });
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  world.incident("x");
  const Reply delivery = world.concluded(webhook);
  const auto& headers = *delivery.body.find("AttemptLog")->items().at(0).find("ResponseHeaders");
  CHECK(text_of(headers, "Via") == "1.1 a, 1.1 b");
  CHECK(text_of(headers, "Set-Cookie") == "a=1, 2\nb=3");
  CHECK(text_of(headers, "X-One") == "1");
}

TEST_CASE("a redirect is not followed, and says so", "[webhooks]") {
  WebhookDesk world;
  world.receiver.answer([&](const Received& request) {
    if (request.path == "/hook") return ReceiverAnswer{302, {"Location: " + world.receiver.url("/elsewhere")}, ""};
    return ReceiverAnswer{};
  });
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  world.incident("x");
  CHECK(world.concluded(webhook)["Status"] == "F");
  for (const Received& each : world.receiver.received()) CHECK(each.path == "/hook");
}

TEST_CASE("a receiver that fails keeps nobody else waiting", "[webhooks]") {
  WebhookDesk world;
  const test::WebhookReceiver dead([](const Received&) { return ReceiverAnswer{500}; });
  for (int i = 0; i < 20; ++i)
    world.desk.done("admin", "POST", "webhook",
                    R"({"PayloadUrl":")" + dead.url() + R"(","Secret":"some-secret","CoreEntityType":"Call"})");
  world.add(R"("CoreEntityType":"Call")");
  for (int i = 0; i < 10; ++i) world.incident(std::to_string(i));
  CHECK(world.receiver.wait_for(10).size() == 10);
}

TEST_CASE("ordered deliveries of one record wait for the one before", "[webhooks]") {
  WebhookDesk world;
  int refusals = 3;
  world.receiver.answer([&refusals](const Received&) { return ReceiverAnswer{refusals-- > 0 ? 500 : 200}; });
  world.add(R"("CoreEntityType":"Call","Ordered":true,"PayloadSelect":"ShortDescription")");
  const std::string ref = world.incident("0");
  for (int i = 1; i < 5; ++i)
    world.desk.done("analyst", "PUT", "incident/" + ref, R"({"ShortDescription":")" + std::to_string(i) + "\"}");
  const auto got = world.receiver.wait_for(8);
  REQUIRE(got.size() == 8);
  for (std::size_t i = 0; i < got.size(); ++i)
    CHECK(text_at(got[i].body, {"Call", "ShortDescription"}) == std::to_string(i < 3 ? 0 : i - 3));
}

}  // namespace
