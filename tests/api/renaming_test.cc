// Properties, entities and states that get another name while a desk runs: nothing is lost, and what would go out of
// sight is told before.
#include "desk.h"
#include "own_files.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

std::string added(const std::string& property) {
  return "return add_to \"call\" { properties = { " + property + " } }";
}

std::string van(const std::string& head, const std::string& name) {
  return "return entity \"" + name + "\" { " + head + " properties = { text \"Plate\" { length = 12 } } }";
}

std::string open_call(const Desk& desk) {
  return "incident/" + desk.done("analyst", "POST", "incident", R"({"ShortDescription": "It squeaks"})")["Ref"];
}

void reloads(const OwnFiles& own, const Desk& desk, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"reload"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Finished finished = own.run(arguments, desk.folder());
  INFO(finished.output);
  REQUIRE(finished.exit_status == 0);
}

}  // namespace

TEST_CASE("a property that is renamed keeps its values, and queries that know its former name go on") {
  const OwnFiles own;
  own.write("entities/call+cost.lua", added("text \"CostCentre\" { length = 10, indexed = true, searchable = true }"));
  Desk desk(own.settings());
  const std::string call = open_call(desk);
  REQUIRE(desk.send("admin", "PUT", call, R"({"CostCentre": "AT-4711"})").status == 200);

  own.write("entities/call+cost.lua", added("text \"Payer\" { length = 10, indexed = true, searchable = true }"));
  const Finished lossy = own.run({"reload", "--dry-run"}, desk.folder());
  CHECK_THAT(lossy.output, Contains("call: 1 value is kept and out of sight: no file has property CostCentre; say "
                                    "formerly = \"CostCentre\" if it has another name now"));
  CHECK_THAT(lossy.output, Contains("property CostCentre removed"));

  own.write("entities/call+cost.lua",
            added("text \"Payer\" { formerly = \"CostCentre\", length = 10, indexed = true, searchable = true }"));
  const Finished dry = own.run({"reload", "--dry-run"}, desk.folder());
  INFO(dry.output);
  CHECK_THAT(dry.output, Contains("property CostCentre renamed to Payer\n"));
  CHECK_THAT(dry.output, !Contains("out of sight") && !Contains("removed") && !Contains("added"));
  reloads(own, desk);
  CHECK(desk.get("admin", call, {{"$select", "Payer"}})["Payer"] == "AT-4711");
  for (const char* filter : {"Payer == \"AT-4711\"", "CostCentre == \"at-4711\"", "Payer.Contains(\"-47\")"}) {
    INFO(filter);
    CHECK(desk.get("analyst", "call", {{"$filter", filter}, {"$count", "true"}}).raw == "1");
  }
  CHECK_THAT(desk.get("analyst", "call/$metadata").raw, Contains("\"Payer\"") && !Contains("CostCentre"));
  CHECK(desk.send("admin", "PUT", call, R"({"CostCentre": "AT-1"})").status == 400);
  REQUIRE(desk.send("admin", "PUT", call, R"({"Payer": "AT-2"})").status == 200);
  CHECK_THAT(own.run({"migrate", "--plan"}, desk.folder()).output, !Contains("RENAME") && !Contains("ADD"));
  CHECK_THAT(own.run({"check"}, desk.folder()).output, !Contains("out of sight"));
}

TEST_CASE("a webhook that knows the former name goes on") {
  const OwnFiles own;
  own.write("entities/call+cost.lua", added("text \"CostCentre\" { length = 10 }"));
  Desk desk(own.settings());
  REQUIRE(
      desk.send("admin", "POST", "webhook",
                R"({"PayloadUrl": "http://127.0.0.1:9/hook", "Secret": "a long random text", "CoreEntityType": "Call",
                        "PayloadSelect": "Ref,CostCentre", "PayloadFilter": "CostCentre != null"})")
          .status == 200);
  own.write("entities/call+cost.lua", added("text \"Payer\" { length = 10 }"));
  const Finished refused = own.run({"reload"}, desk.folder());
  CHECK(refused.exit_status == 1);
  CHECK_THAT(refused.output, Contains("tells nothing: PayloadSelect"));
  own.write("entities/call+cost.lua", added("text \"Payer\" { length = 10, formerly = { \"CostCentre\" } }"));
  reloads(own, desk);
}

TEST_CASE("an entity that is renamed keeps its rows, and what hangs on them") {
  const bool is_child = GENERATE(true, false);
  const std::string head = is_child ? "extends = \"asset\"," : "";
  const OwnFiles own;
  own.write("entities/van.lua", van(head, "van"));
  Desk desk(own.settings());
  const Reply made = desk.send("analyst", "POST", "van", R"({"Plate": "W-1", "Name": "The van", "AssetRef": "V-1"})");
  const Reply plain = desk.send("analyst", "POST", "van", R"({"Plate": "W-1"})");
  const std::string key = is_child ? made["Ref"] : plain["Ref"];
  INFO(made.raw << plain.raw);
  REQUIRE((is_child ? made : plain).status == 200);

  own.remove("entities/van.lua");
  own.write("entities/lorry.lua", van(head, "lorry"));
  const Finished lossy = own.run({"reload", "--dry-run"}, desk.folder());
  INFO(lossy.output);
  CHECK_THAT(lossy.output, Contains("kept and out of sight: no file has entity van; say formerly = \"van\""));
  own.write("entities/lorry.lua", van(head + "formerly = \"van\",", "lorry"));
  const Finished dry = own.run({"reload", "--dry-run"}, desk.folder());
  CHECK_THAT(dry.output, Contains("entity van renamed to lorry\n") && !Contains("out of sight"));
  reloads(own, desk);
  CHECK(desk.get("analyst", "lorry/" + key, {{"$select", "Plate"}})["Plate"] == "W-1");
  CHECK(desk.get("analyst", "van").status == 404);
  const Reply next =
      desk.send("analyst", "POST", "lorry",
                is_child ? R"({"Plate": "W-2", "Name": "x", "AssetRef": "V-2"})" : R"({"Plate": "W-2"})");
  CHECK(std::stoll(next["Ref"]) > std::stoll(key));
}

TEST_CASE("roles and webhooks that call an entity by its former name go on") {
  const std::string head = "extends = \"asset\",";
  const OwnFiles own;
  own.write("entities/van.lua", van(head, "van"));
  Desk desk(own.settings());
  const std::string role = desk.done(
      "admin", "POST", "role", R"({"Name": "Vans", "Rights": "van:Read van:Create", "AllPartitions": true})")["Ref"];
  const std::string driver =
      desk.done("admin", "POST", "person", R"({"LastName": "Driver", "LoginId": "driver", "IsAnalyst": true})")["Ref"];
  desk.done("admin", "POST", "person-role", R"({"Person": )" + driver + R"(, "Role": )" + role + "}");
  desk.done("admin", "PUT", "person/" + driver + "/set-password", R"({"Password": "callisto"})");
  const std::string webhook =
      "webhook/" + desk.done("admin", "POST", "webhook",
                             R"({"PayloadUrl": "http://127.0.0.1:9/hook", "Secret": "a long random text",
                                 "CoreEntityType": "CMDBItem", "EntityType": "van"})")["Ref"];
  own.remove("entities/van.lua");
  own.write("entities/lorry.lua", van(head, "lorry"));
  CHECK_THAT(own.run({"reload"}, desk.folder()).output, Contains("EntityType"));
  own.write("entities/lorry.lua", van(head + "formerly = \"van\",", "lorry"));
  reloads(own, desk);

  const std::string token = desk.server().token("driver");
  const Client client(desk.server(), token);
  CHECK(client.send("POST", "v1/lorry", R"({"Plate": "W-1", "Name": "x", "AssetRef": "V-1"})").status == 200);
  CHECK(client.get("v1/lorry", {}).status == 200);
  CHECK(desk.get("admin", "webhook-delivery", {{"$filter", "Event == \"Created\""}, {"$count", "true"}}).raw == "1");
  CHECK(desk.send("admin", "PUT", webhook, R"({"Name": "Of lorries"})").status == 200);
}

TEST_CASE("how many records would be due at once is told before, by rules on columns that are not there yet") {
  const OwnFiles own;
  own.write("entities/call+cost.lua", added("text \"CostCentre\" { length = 10 }"));
  Desk desk(own.settings());
  const auto counted = [&](const std::string& due) {
    own.write("scripts/call/actions/warn.lua", "return action \"warn\" { from = \"Open*\", due = '" + due +
                                                   "', run = function(call) call.Warned = datetime.now() end }");
    const Finished dry = own.run({"reload", "--dry-run"}, desk.folder());
    INFO(dry.output);
    const std::string mark = "due at once: warn of call, on ";
    const auto at = dry.output.find(mark);
    REQUIRE(at != std::string::npos);
    return dry.output.substr(at + mark.size(), dry.output.find(' ', at + mark.size()) - at - mark.size());
  };
  const auto stored = [&](const std::string& filter) {
    return desk.get("admin", "call", {{"$filter", filter + " && State in (1, 3, 4)"}, {"$count", "true"}}).raw;
  };
  REQUIRE(desk.send("analyst", "PUT", open_call(desk), R"({"CostCentre": "AT-1"})").status == 200);
  const std::string of_one = stored("CostCentre == \"AT-1\"");
  own.write("entities/call+cost.lua",
            added("text \"Payer\" { length = 10, formerly = \"CostCentre\" }, datetime \"Warned\", integer \"Times\", "
                  "boolean \"Loud\", lookup \"Judge\" { entity = \"person\" }"));
  CHECK(counted("Warned == null") == stored("Ref > 0"));
  CHECK(counted("Warned != null") == "0");
  CHECK(counted("Times > 3 || Warned < @Now") == "0");
  CHECK(counted("Times != 3") == stored("Ref > 0"));
  CHECK(counted("!Loud && Warned == null") == stored("Ref > 0"));
  CHECK(counted("Judge.Name == null && Warned == null") == stored("Ref > 0"));
  CHECK(counted("Judge.Name == \"Ada\"") == "0");
  CHECK(counted("Payer == \"AT-1\" && Warned == null") == of_one);
  CHECK(counted("CostCentre == \"AT-1\" && Warned == null") == of_one);
  CHECK(counted("Priority.Rank == 1 && Warned == null") == stored("Priority.Rank == 1"));
}

TEST_CASE("what is out of sight is told by check too, with each kind of it") {
  const OwnFiles own;
  own.write("entities/call+cost.lua", added("text \"CostCentre\" { length = 10 }, integer \"Floor\""));
  own.write("entities/van.lua", van("extends = \"asset\",", "van"));
  own.write("entities/tyre.lua", van("", "tyre"));
  Desk desk(own.settings());
  CHECK_THAT(own.run({"check"}, desk.folder()).output, !Contains("out of sight"));
  REQUIRE(desk.send("admin", "PUT", open_call(desk), R"({"CostCentre": "AT-1", "Floor": 3})").status == 200);
  REQUIRE(desk.send("analyst", "PUT", open_call(desk), R"({"CostCentre": "AT-1"})").status == 200);
  REQUIRE(desk.send("analyst", "POST", "van", R"({"Name": "x", "AssetRef": "V-3"})").status == 200);
  REQUIRE(desk.send("analyst", "POST", "tyre", R"({"Plate": "x"})").status == 200);
  for (const char* file : {"entities/call+cost.lua", "entities/van.lua", "entities/tyre.lua"}) own.remove(file);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check"}, {"reload", "--dry-run"}}) {
    const Finished told = own.run(command, desk.folder());
    INFO(told.output);
    CHECK(told.exit_status == 0);
    CHECK_THAT(told.output, Contains("call: 2 values are kept and out of sight: no file has property CostCentre"));
    CHECK_THAT(told.output, Contains("call: 1 value is kept and out of sight: no file has property Floor"));
    CHECK_THAT(told.output, Contains("asset: 1 row is kept and out of sight: no file has entity van"));
    CHECK_THAT(told.output, Contains("\n1 row is kept and out of sight: no file has entity tyre"));
  }
}
