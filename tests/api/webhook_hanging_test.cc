// A receiver that is well beside dozens that hang at the same host and port, each with a webhook of its own. No time is
// asserted: what is well has heard while the others still hang, and they do so for 15 s.
#include "tests/support/misbehaving_receiver.h"
#include "webhook_desk.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Then = test::Manner::Then;

constexpr int hanging = 20;

struct World {
  World() {
    receiver.on("/well", {test::http_answer("204 No Content")});
    for (const int i : {0, 1, 2}) receiver.on("/hang" + std::to_string(i), ways[i]);
    for (int i = 0; i < hanging; ++i) add(receiver.url("/hang" + std::to_string(i % 3)));
  }
  void add(const std::string& url) {
    desk.done("admin", "POST", "webhook",
              R"({"CoreEntityType":"Call","Secret":"whsec_c2VjcmV0","PayloadUrl":")" + url + "\"}");
  }
  void create() { desk.done("analyst", "POST", "incident", R"({"ShortDescription":"x"})"); }
  std::size_t heard() const {
    const auto requests = receiver.requests();
    return static_cast<std::size_t>(std::count_if(requests.begin(), requests.end(), [](const std::string& request) {
      return request.starts_with("POST /well ");
    }));
  }
  // Polled: what counts is that none of the others has come to an end by then.
  void await(std::size_t wanted) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (heard() < wanted && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(heard() == wanted);
    CHECK(desk.refs("admin", "webhook-delivery", {{"$filter", R"(Status == "R" || Status == "F")"}}).empty());
  }

  const test::Manner ways[3] = {{"", Then::Hang},
                                {"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", Then::Drip},
                                {"HTTP/1.1 200 OK\r\n", Then::Drip}};
  test::MisbehavingReceiver receiver;  // goes after the server
  Desk desk;
};

TEST_CASE("a receiver that is well hears while twenty hang at the same host and port", "[webhooks]") {
  World world;
  world.add(world.receiver.url("/well"));
  for (std::size_t i = 1; i <= 5; ++i) {
    world.create();
    world.await(i);
  }
  world.add(world.receiver.url("/well"));  // made while the others hang
  world.create();
  world.await(7);
  CHECK(world.receiver.connections() <= 64);
}

}  // namespace
