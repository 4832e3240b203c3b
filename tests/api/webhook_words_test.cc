// Words that webhooks use and a reload takes away: named, refused unless it is forced; what happens meanwhile is kept.
#include "tests/support/paths.h"
#include "webhook_desk.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace {

using namespace callisto;
using namespace callisto::tests;
namespace fs = std::filesystem;

// A property Room of calls and a condition @IsUp, which come and go.
class Site {
 public:
  Site() {
    fs::create_directories(folder_ / "entities");
    fs::create_directories(folder_ / "scripts/call/augmenters");
    put();
    world_.emplace(settings());
  }
  void put() const {
    std::ofstream(folder_ / "entities/call+room.lua")
        << "return add_to \"call\" { properties = { text \"Room\" { length = 10 } } }";
    std::ofstream(folder_ / "scripts/call/augmenters/IsUp.lua") << "return condition \"IsUp\" { filter = \"Ref > 0\" }";
  }
  void remove() const {
    fs::remove(folder_ / "entities/call+room.lua");
    fs::remove(folder_ / "scripts/call/augmenters/IsUp.lua");
  }
  Finished run(std::vector<std::string> arguments) const {
    for (const std::string& setting : settings()) arguments.insert(arguments.end(), {"--set", setting});
    arguments.insert(arguments.end(), {"--data", world_->desk.folder()});
    return run_program(arguments);
  }
  WebhookDesk& world() { return *world_; }

 private:
  std::vector<std::string> settings() const {
    const std::string product = test::source_folder();
    // In real time: an hour of seconds would be short for a receiver on a busy machine, and what is late comes twice.
    return {"webhooks.time_scale=1", "entities=" + product + "/entities," + (folder_ / "entities"),
            "scripts=" + product + "/scripts," + (folder_ / "scripts")};
  }
  test::TemporaryFolder folder_;
  std::optional<WebhookDesk> world_;
};

std::string newest(WebhookDesk& world, const std::string& webhook) {
  return world.desk.refs("admin", "webhook/" + webhook + "/delivery", {{"$orderby", "Ref desc"}, {"$top", "1"}}).at(0);
}

TEST_CASE("a reload that takes words from webhooks is refused, unless it is forced", "[webhooks]") {
  Site site;
  WebhookDesk& world = site.world();
  const std::string select =
      world.add(R"("CoreEntityType":"Call","PayloadSelect":"Ref,ShortDescription,Room")", "/room");
  const std::string filter =
      world.add(R"("Name":"Pager","CoreEntityType":"Call","PayloadFilter":"@IsUp && Room == null")", "/filter");
  const std::string plain = world.add(R"("CoreEntityType":"Call","PayloadSelect":"Ref")", "/plain");
  site.remove();
  const std::string by_select = "webhook " + select + " tells nothing: PayloadSelect: ";
  const std::string by_filter = "webhook " + filter + " 'Pager' tells nothing: PayloadFilter: ";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"reload"}, {"reload", "--dry-run"}, {"check"}}) {
    const Finished finished = site.run(command);
    INFO(command.back());
    CHECK(finished.exit_status == (command.back() == "check" ? 0 : 1));
    CHECK_THAT(finished.output, Catch::Contains(by_select) && Catch::Contains(by_filter) && Catch::Contains("'Room'"));
    CHECK_THAT(finished.output, !Catch::Contains("webhook " + plain));
  }
  const std::string call = world.incident("before");
  CHECK(world.receiver.wait_for(3).size() == 3);  // nothing was taken away

  const Finished forced = site.run({"reload", "--force"});
  CHECK_THAT(forced.output, Catch::Contains("reloaded"));
  CHECK_FALSE(fs::exists(world.desk.folder() + "/reload.force"));
  CHECK(world.desk.get("admin", "webhook/" + filter).raw.find("'@IsUp'") != std::string::npos);
  world.desk.done("analyst", "PUT", "incident/" + call, R"({"ShortDescription":"then"})");
  CHECK(world.receiver.wait_for(4).back().path == "/plain");
  world.desk.done("analyst", "PUT", "incident/" + call, R"({"ShortDescription":"later"})");
  CHECK(world.receiver.wait_for(5).back().path == "/plain");
  const std::string metrics = world.desk.server().send("GET", "/metrics").body;
  CHECK(metrics.find("callisto_webhooks_broken 2\n") != std::string::npos);
  CHECK(metrics.find("callisto_webhook_untold_total{reason=\"payload\"} 4\n") != std::string::npos);
  const std::string last = newest(world, select);
  const Reply early = world.desk.send("admin", "PUT", "webhook-delivery/" + last + "/redeliver", "{}");
  CHECK(early.status == 400);
  CHECK_THAT(early["Message"], Catch::Contains("never made") && Catch::Contains("'Room'"));
  CHECK(world.desk.done("admin", "PUT", "webhook/" + select + "/redeliver-failed", "{}")["Redelivered"] == "0");

  // Once they are back, both are told as they were.
  site.put();
  CHECK_THAT(site.run({"reload"}).output, Catch::Contains("reloaded"));
  world.desk.done("admin", "PUT", "webhook-delivery/" + last + "/redeliver", "{}");
  const test::Received sent = world.receiver.wait_for(6).back();
  CHECK(text_at(sent.body, {"Call", "ShortDescription"}) == "later");
  CHECK(text_at(sent.body, {"Call", "Room"}) == "null");
  CHECK(sent.header("callisto-redelivery") == "true");
  CHECK(world.desk.done("admin", "PUT", "webhook/" + select + "/redeliver-failed", "{}")["Redelivered"] == "1");
  const test::Received first = world.receiver.wait_for(7).back();
  CHECK(text_at(first.body, {"Call", "ShortDescription"}) == "then");
  CHECK(text_at(first.body, {"Action"}) == "Updated");
  CHECK(world.desk.get("analyst", "incident/" + call)["ShortDescription"] == "later");
  CHECK(world.desk.done("admin", "PUT", "webhook/" + filter + "/redeliver-failed", "{}")["Redelivered"] == "2");
  CHECK(world.receiver.wait_for(9).back().path == "/filter");
  // The same bytes again, by hand.
  world.desk.done("admin", "PUT", "webhook-delivery/" + last + "/redeliver", "{}");
  CHECK(world.receiver.wait_for(10).back().body == sent.body);
}

}  // namespace
