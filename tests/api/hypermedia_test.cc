// Links and actions alone are enough (API rules 3.2, 4.5): files, images, who asks, what there is for whom.
#include "shared_desk.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

// The `href` of the first entry below a name, as a path below v1.
std::string href(const Reply& reply, const char* part, const char* name) {
  const json::Node* entries = reply.body.find(part);
  const json::Node* entry = entries ? entries->find(name) : nullptr;
  if (!entry) return "(none)";
  const std::string url = json::string_of(entry->items().front(), "href");
  return url.substr(std::string("api:v1/").size());
}

std::string new_call(const char* login = "analyst") {
  return "call/" + desk().done(login, "POST", "call", R"({"ShortDescription": "x"})")["Ref"];
}

// Its url as the answer calls it.
std::string new_file(const std::string& call, const char* login = "analyst") {
  const Reply made = desk().done(login, "POST", call + "/attachment", R"({"Name": "a.txt", "BinaryData": "eA=="})");
  return made["_self"].substr(std::string("api:v1/").size());
}

const ServerProcess::Headers form{"Content-Type: multipart/form-data; boundary=XX"};
const std::string other_file =
    "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"b.txt\"\r\n\r\nother\r\n--XX--\r\n";

}  // namespace

TEST_CASE("a file is fetched, replaced and removed by what its record says") {
  const std::string self = new_file(new_call());
  const Reply file = desk().get("analyst", self);
  CHECK(file.actions() == std::set<std::string>{"Delete", "Update"});
  CHECK(desk().get("analyst", href(file, "_links", "Content")).raw == "x");
  CHECK(desk().send("analyst", "PUT", href(file, "_actions", "Update"), other_file, form).status == 200);
  CHECK(desk().get("analyst", href(file, "_links", "Content")).raw == "other");
  CHECK(desk().send("analyst", "DELETE", href(file, "_actions", "Delete")).status == 200);
  CHECK(desk().get("analyst", self).status == 404);
}

TEST_CASE("the record of a file says the same below its parent, whichever name that has") {
  const std::string call = new_call();
  const std::string self = new_file(call);
  const std::string ref = self.substr(self.find('/') + 1);
  const Reply alone = desk().get("analyst", self);
  for (const std::string& path : {call + "/attachment/" + ref, "in" + std::string("cident/") + ref}) {
    const Reply below = desk().get("analyst", path);
    if (below.status != 200 || below["_self"] != alone["_self"]) continue;
    CHECK(href(below, "_links", "Content") == href(alone, "_links", "Content"));
    CHECK(below.actions() == alone.actions());
  }
  // With a $select that leaves out what it hangs on.
  const Reply named = desk().get("analyst", self, {{"$select", "Name"}});
  CHECK(href(named, "_links", "Content") == href(alone, "_links", "Content"));
}

TEST_CASE("what may not be done with a file is not offered, and what is not offered is refused") {
  const std::string call = new_call("user");
  const std::string ours = new_file(call, "user"), theirs = new_file(call);
  CHECK(desk().get("user", ours).actions() == std::set<std::string>{"Delete", "Update"});
  const Reply seen = desk().get("user", theirs);
  CHECK(seen.status == 200);
  CHECK(seen.actions().empty());
  CHECK(href(seen, "_links", "Content") != "(none)");
  const std::string url = href(desk().get("analyst", theirs), "_actions", "Delete");
  CHECK(desk().send("user", "DELETE", url).status == 403);
  desk().done("analyst", "PUT", call + "/close", R"({"Description": "x", "Resolved": false})");
  const Reply closed = desk().get("user", ours);
  const bool offered = closed.actions().contains("Delete");
  const int status = desk().send("user", "DELETE", href(desk().get("analyst", ours), "_actions", "Delete")).status;
  CHECK(offered == (status == 200));
}

TEST_CASE("a file that was deleted offers an administrator to bring it back") {
  const std::string self = new_file(new_call());
  const Reply file = desk().get("analyst", self);
  desk().done("analyst", "DELETE", href(file, "_actions", "Delete"));
  const Reply gone = desk().get("admin", self);
  if (gone.status == 200) CHECK(gone.actions() == std::set<std::string>{"Restore"});
}

TEST_CASE("metadata of a file's actions lead below its record") {
  const Reply update = desk().get("analyst", "attachment/$update", {{"$options", ""}});
  CHECK(update["href"] == "api:v1/{EntityType}/{EntityRef}/attachment/{Ref}");
  CHECK(update["templated"] == "true");
}

TEST_CASE("the image of a person is a link, whose options tell what can be done with it") {
  const Reply person = desk().get("admin", "person/2");
  const std::string image = href(person, "_links", "Image");
  CHECK(image == "person/2/image");
  CHECK(desk().send("admin", "PUT", image, "pixels", {"Content-Type: image/png"}).status == 200);
  CHECK(desk().get("admin", image).raw == "pixels");
  const Reply options = desk().get("admin", image + "/$options");
  CHECK(options.headers.at("allow") == "GET, HEAD, OPTIONS, PUT, DELETE");
  CHECK(desk().send("admin", "DELETE", image).status == 200);
}

TEST_CASE("the root lists what the session may read, and says who it is") {
  const Reply admin = desk().get("admin", ""), user = desk().get("user", "");
  const auto lists = [](const Reply& root, const char* entity) {
    return root.body.find("_links")->find(entity) != nullptr;
  };
  CHECK(lists(admin, "group"));
  CHECK(lists(admin, "role"));
  CHECK(lists(user, "call"));
  CHECK_FALSE(lists(user, "group"));
  CHECK_FALSE(lists(user, "role"));
  for (const json::Member& link : user.body.find("_links")->members()) {
    INFO(link.name);
    if (link.name != "me") CHECK(desk().get("user", link.name, {{"$top", "1"}}).status == 200);
  }
  const Reply me = desk().get("user", href(user, "_links", "me"));
  CHECK(me["LoginId"] == "USER");
}

TEST_CASE("metadata may be kept, and are asked for again by their ETag") {
  for (const char* path : {"", "call/$metadata", "openapi.json"}) {
    INFO(path);
    const Reply first = desk().get("analyst", path);
    CHECK(first.headers.at("cache-control") == "no-cache");
    const Reply again = desk().send("analyst", "GET", path, {}, {"If-None-Match: " + first.headers.at("etag")});
    CHECK(again.status == 304);
  }
  CHECK(desk().get("analyst", "call/7").headers.at("cache-control") == "no-store");
  CHECK(desk().get("analyst", "nonsense/$metadata").headers.at("cache-control") == "no-store");
}

TEST_CASE("an entity's metadata have what a table and a form are drawn by") {
  const Reply call = desk().get("analyst", "call/$metadata");
  CHECK(call["displayName"] == "Call");
  CHECK(call["stateProperty"] == "State");
  CHECK_FALSE(call["label"].empty());
  CHECK_THAT(call.raw, Contains(R"({"name":"Open/Resolved",)"));
  CHECK_THAT(call.raw, Contains(R"("Forward":[{"displayName":"Forward",)"));
  CHECK_THAT(call.raw, Contains(R"("name":"NowOffset","kind":"Function",)"));
  CHECK_THAT(call.raw, Contains(R"({"name":"days","dataType":"Integer"})"));
  CHECK_THAT(call.raw, Contains(R"("readOnly":true)"));
  CHECK_THAT(desk().get("admin", "webhook/$metadata").raw, Contains(R"("choices":["All","Individual"])"));
}

TEST_CASE("an action's metadata say where it leads, and to administrators by which rules") {
  const Reply analyst = desk().get("analyst", "call/$close", {{"$options", ""}});
  CHECK_THAT(analyst.raw, Contains(R"("raises":["Closed"])") && Contains(R"("mayMoveTo":[)"));
  CHECK(analyst["answers"] == "call");
  for (const char* rule : {"allowed", "source"}) CHECK(analyst.body.find(rule) == nullptr);
  const Reply admin = desk().get("admin", "call/$close", {{"$options", ""}});
  CHECK_THAT(admin["source"], Contains("call/actions/close.lua:"));
  CHECK(admin.body.find("allowed")->find("Analyst") != nullptr);
}

TEST_CASE("actions answer what they say") {
  CHECK(desk().get("admin", "webhook/$test", {{"$options", ""}})["answers"] == "webhook-delivery");
  CHECK_THAT(desk().get("admin", "webhook/$redeliver-failed", {{"$options", ""}}).raw,
             Contains(R"("answers":[{"name":"Redelivered",)"));
  const std::string webhook =
      "webhook/" + desk().done("admin", "POST", "webhook",
                               R"({"PayloadUrl": "http://127.0.0.1:9/x", "Secret": "a long random text",
                                   "CoreEntityType": "Call"})")["Ref"];
  CHECK(desk().done("admin", "PUT", webhook + "/redeliver-failed")["Redelivered"] == "0");
  CHECK_THAT(desk().done("admin", "PUT", webhook + "/test")["_context"], Contains("webhook-delivery"));
}

TEST_CASE("a text with choices takes these and no other") {
  const auto made = [&](const char* events) {
    return desk().send(
        "admin", "POST", "webhook",
        R"({"PayloadUrl": "http://127.0.0.1:9/x", "Secret": "a long random text", "CoreEntityType": "Call",
                           "Events": ")" +
            std::string(events) + "\"}");
  };
  CHECK(made("All").status == 200);
  for (const char* wrong : {"all", "", "Some"}) {
    INFO(wrong);
    const Reply reply = made(wrong);
    CHECK(reply.status == 400);
    CHECK(reply.errors() == std::set<std::string>{"Events"});
    CHECK_THAT(reply.raw, Contains("one of All, Individual"));
  }
}

TEST_CASE("a lost race is told from what is not offered") {
  const std::string call = new_call();
  const Reply lost = desk().send("analyst", "PUT", call, R"({"ShortDescription": "y"})",
                                 {"Content-Type: application/json", "If-Match: \"0.0\""});
  CHECK(lost.status == 400);
  CHECK(lost["SubStatus"] == "NotAllowed");
  CHECK(lost["Option"] == "If-Match");
  const Reply withheld = desk().send("analyst", "PUT", call + "/reopen", R"({"Description": "x"})");
  CHECK(withheld["SubStatus"] == "NotAllowed");
  CHECK(withheld["Option"] == "(none)");
  const std::string file = href(desk().get("analyst", new_file(call)), "_actions", "Delete");
  CHECK(desk().send("analyst", "DELETE", file, {}, {"If-Match: \"0.0\""})["Option"] == "If-Match");
}

TEST_CASE("an action of one's own answers what it says, and nothing else") {
  const TemporaryFolder scripts;
  std::filesystem::create_directories(scripts.path() + "/call/actions");
  const auto write = [&](const std::string& name, const std::string& options) {
    std::ofstream(scripts.path() + "/call/actions/" + name + ".lua")
        << "return action \"" + name + "\" {" + options + "}";
  };
  const std::string counts = R"(answers = { integer "Words", text "First", lookup "Who" { entity = "person" } }, )";
  write("count-words", counts + R"(run = function(call) return { Words = 3, First = call.ShortDescription } end)");
  write("misname", counts + R"(run = function() return { Wrods = 3 } end)");
  write("mistype", counts + R"(run = function() return { Words = "three" } end)");
  write("keep-silent", counts + "run = function() end");
  write("reach-user", R"(answers = "person", run = function() return desk.find("person", 2) end)");
  write("reach-nobody", R"(answers = "person", run = function() end)");
  write("reach-unsaid", R"(run = function() return desk.find("person", 2) end)");
  const Desk own({"--set", "scripts=scripts," + scripts.path()});
  const std::string call = "call/" + own.done("analyst", "POST", "call", R"({"ShortDescription": "x"})")["Ref"] + "/";
  CHECK(own.done("analyst", "PUT", call + "count-words").raw == R"({"Words":3,"First":"x","Who":null})");
  CHECK(own.done("analyst", "PUT", call + "reach-user")["_self"] == "api:v1/person/2");
  for (const char* wrong : {"misname", "mistype", "keep-silent", "reach-nobody", "reach-unsaid"}) {
    INFO(wrong);
    CHECK(own.send("analyst", "PUT", call + wrong).status == 500);
  }
  // The answer that is no record is made anew each time; no key brings an old one.
  const ServerProcess::Headers once{"Content-Type: application/json", "Idempotency-Key: a"};
  for (int i = 0; i < 2; ++i)
    CHECK(own.send("analyst", "PUT", call + "count-words", "{}", once).raw == R"({"Words":3,"First":"x","Who":null})");
  const std::string document = own.get("analyst", "openapi.json").raw;
  CHECK_THAT(document, Contains(R"("CallCountWordsAnswer":{)"));
  const Reply options = own.get("analyst", "call/$reach-user", {{"$options", ""}});
  CHECK(options["answers"] == "person");
}
