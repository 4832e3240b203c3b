// What rights of roles open and keep shut (API rules 6.6, 6.10): administration, roles of few words, and sessions
// without a person. And rows that say who may what, which are checked when they are written.
#include "shared_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

const char* const administration[] = {"role", "role-partition", "person-role", "client", "session"};

// A person whose only role has these rights and partition 1, with the usual password; the Ref.
std::string hire(const std::string& login, const std::string& rights) {
  const auto made = [](std::string_view entity, const std::string& body) {
    return desk().done("admin", "POST", entity, body)["Ref"];
  };
  const std::string role = made("role", R"({"Name": ")" + login + R"(", "Rights": ")" + rights + "\"}");
  const std::string person = made("person", R"({"LastName": "x", "IsAnalyst": true, "LoginId": ")" + login + "\"}");
  made("role-partition", R"({"Partition": 1, "Role": )" + role + "}");
  made("person-role", R"({"Person": )" + person + R"(, "Role": )" + role + "}");
  desk().done("admin", "PUT", "person/" + person + "/set-password", R"({"Password": "callisto"})");
  return person;
}

void check_forbidden(std::string_view login, std::string_view method, const std::string& path,
                     std::string_view body = "{}") {
  const Reply reply = desk().send(login, method, path, body);
  INFO(login << ": " << method << " " << path << " " << body << " -> " << reply.status << " "
             << reply.raw.substr(0, 300));
  CHECK(reply.status == 403);
  CHECK(reply["SubStatus"] == "NotAllowed");
}

Reply refused(std::string_view method, const std::string& path, const std::string& body) {
  const Reply reply = desk().send("admin", method, path, body);
  INFO(method << " " << path << " " << body << " -> " << reply.raw);
  CHECK(reply.status == 400);
  return reply;
}

// Below v1 from api:v1/...: with a key in place of what is left open.
std::string path_of(std::string href, const std::string& key) {
  REQUIRE(href.starts_with("api:v1/"));
  href.erase(0, 7);
  if (const std::size_t open = href.find('{'); open != href.npos)
    href.replace(open, href.find('}', open) + 1 - open, key);
  return href;
}

}  // namespace

TEST_CASE("analysts without Administration neither read nor change who may what") {
  for (const std::string entity : administration) {
    const std::vector<std::string> rows = desk().refs("admin", entity, {});
    REQUIRE_FALSE(rows.empty());
    for (const std::string& path : {entity, entity + "/" + rows.front(), entity + "/99999999", entity + "?$count=true"})
      check_forbidden("analyst", "GET", path);
    const std::string row = entity + "/" + rows.front();
    if (entity != "session") {
      check_forbidden("analyst", "POST", entity, R"({"Nmae": 1})");
      check_forbidden("analyst", "PUT", row, R"({"Name": "x"})");
    }
    check_forbidden("analyst", "DELETE", row);
    CHECK(desk().send("admin", "GET", row).status == 200);
  }
  check_forbidden("analyst", "PUT", "client/1/set-secret", R"({"Secret": "long enough"})");
  for (const char* below : {"role/1/access", "role/1/member"}) check_forbidden("analyst", "GET", below);
  CHECK(desk().send("admin", "POST", "session", "{}")["SubStatus"] == "NotSupported");
}

TEST_CASE("analysts without Administration change contacts, but not who may sign in and as what") {
  const std::string contact =
      "person/" + desk().done("analyst", "POST", "person", R"({"LastName": "Contact", "LoginId": "contact"})")["Ref"];
  const std::string before = desk().get("admin", "person/1", {{"$select", "LoginId,IsActive,IsAnalyst,IsUser"}}).raw;
  for (const std::string& person : {std::string("person/1"), std::string("person/2"), contact}) {
    for (const char* body :
         {R"({"LoginId": "SOMEBODY"})", R"({"LoginId": null, "Phone": "1"})", R"({"IsActive": false})",
          R"({"IsAnalyst": false, "IsUser": false})", R"({"IsUser": false})"})
      check_forbidden("analyst", "PUT", person, body);
    for (const char* action : {"activate", "deactivate"}) check_forbidden("analyst", "PUT", person + "/" + action);
    check_forbidden("analyst", "DELETE", person);
    const std::set<std::string> offered = desk().get("analyst", person).actions();
    for (const char* action : {"Activate", "Deactivate", "Delete"}) CHECK(offered.count(action) == 0);
    CHECK(offered.count("Update") == 1);
    CHECK(desk().done("analyst", "PUT", person, R"({"Phone": "+43 1", "Organization": 1})")["Phone"] == "+43 1");
  }
  CHECK(desk().get("admin", "person/1", {{"$select", "LoginId,IsActive,IsAnalyst,IsUser"}}).raw == before);
  check_forbidden("analyst", "POST", "person", R"({"LastName": "x", "IsAnalyst": true})");
  const Reply oneself = desk().send("admin", "PUT", "person/1", R"({"IsActive": false})");
  CHECK(oneself.status == 400);
  CHECK(desk().get("admin", contact).actions().count("Deactivate") == 1);
  CHECK(desk().done("admin", "PUT", contact + "/deactivate")["IsActive"] == "false");
  CHECK(desk().done("admin", "PUT", contact, R"({"IsActive": true, "LoginId": "other"})")["LoginId"] == "OTHER");
  desk().done("admin", "DELETE", contact);
}

TEST_CASE("a lookup to what may not be read is bare, and tells nothing of it") {
  const Reply client = desk().done("admin", "POST", "client", R"({"ClientId": "c", "Name": "c", "Role": 1})");
  CHECK(client["Role"] == "1");
  // Of the entities that analysts read none leads there; a join could.
  for (const char* join : {"R:Role(Ref == Ref)", "R:Client(Ref == Ref)", "R:Session(Person == Analyst)"}) {
    const Reply joined = desk().get("analyst", "call", {{"$leftJoin", join}, {"$select", "Ref,R.Ref"}, {"$top", "3"}});
    INFO(join << " -> " << joined.raw);
    REQUIRE(joined.status == 200);
    for (const json::Node& row : joined.body.find("results")->items()) CHECK(text_of(row, "R") == "null");
  }
}

TEST_CASE("a role with call:Read and call:Update reads and updates calls, and nothing else") {
  hire("caller", "call:Read call:Update");
  const std::string call = "call/" + desk().done("analyst", "POST", "call",
                                                 R"({"ShortDescription": "x", "User": 4, "Submit": false})")["Ref"];
  const std::string incident = desk().done("analyst", "POST", "incident", R"({"ShortDescription": "x"})")["Ref"];
  CHECK(desk().get("caller", call)["User"] == "4");
  CHECK(desk().done("caller", "PUT", call, R"({"Name": "y"})")["Name"] == "y");
  CHECK(desk().done("caller", "PUT", "incident/" + incident, R"({"Name": "y"})")["Name"] == "y");
  CHECK(desk().get("caller", call).actions() == std::set<std::string>{"Update"});
  check_forbidden("caller", "POST", "call", R"({"ShortDescription": "x"})");
  check_forbidden("caller", "POST", "incident", R"({"ShortDescription": "x"})");
  check_forbidden("caller", "DELETE", call);
  for (const char* action : {"forward", "submit", "close", "add-note", "lock", "unlock", "take-ownership"})
    check_forbidden("caller", "PUT", call + "/" + action, R"({"Description": "x", "ReceivingGroup": 1})");
  for (const char* path : {"person", "person/4", "group", "request", "knowledge", "service", "configuration-item"})
    check_forbidden("caller", "GET", path);
  const Reply seen = desk().get("caller", call, {{"$select", "User,User.Name"}});
  REQUIRE(seen.status == 200);
  CHECK(seen["User"] == "4");  // the key that the call itself holds, and nothing behind it
  CHECK(seen.raw.find("\"User\":{") == std::string::npos);
  const Reply whole = desk().get("analyst", call, {{"$select", "User,User.Name"}});
  CHECK(whole.raw.find("\"User\":{") != std::string::npos);
  CHECK(desk().refs("caller", "call", {{"$filter", "User.Name != null"}}).empty());
  const Reply linked = desk().send("caller", "PUT", call, R"({"User": 5})");
  CHECK(linked.status == 400);
  CHECK(linked["SubStatus"] == "LinkedRecordNotFound");
}

TEST_CASE("a role with incident:Read reads incidents, not the other calls, and changes neither") {
  hire("watcher", "incident:Read");
  const std::string incident = desk().done("analyst", "POST", "incident", R"({"ShortDescription": "x"})")["Ref"];
  const std::string problem = desk().done("analyst", "POST", "problem", R"({"ShortDescription": "x"})")["Ref"];
  CHECK(desk().get("watcher", "incident/" + incident).status == 200);
  CHECK(desk().get("watcher", "incident/" + incident).actions().empty());
  CHECK(desk().get("watcher", "call/" + incident).status == 200);
  CHECK(desk().get("watcher", "call/" + problem).raw == desk().get("watcher", "call/99999999").raw);
  CHECK(desk().refs("watcher", "call", {{"$filter", "Ref == " + problem}}).empty());
  CHECK(desk().refs("watcher", "call", {{"$filter", "Ref == " + incident}}).size() == 1);
  check_forbidden("watcher", "GET", "problem");
  check_forbidden("watcher", "PUT", "incident/" + incident, R"({"Name": "y"})");
  check_forbidden("watcher", "POST", "incident", R"({"ShortDescription": "x"})");
}

TEST_CASE("rights are words that the server knows; another is refused with what to write") {
  const std::pair<const char*, bool> cases[] = {{"Administration", true},
                                                {"Integration", true},
                                                {"*:Read call:Update configuration-item:Action", true},
                                                {"", true},
                                                {"Administrator", false},
                                                {"administration", false},
                                                {"call:Updat", false},
                                                {"call:*", false},
                                                {"call", false},
                                                {"call:", false},
                                                {":Read", false},
                                                {"Call:Read", false},
                                                {"call:Read,call:Update", false},
                                                {"*:Read call:read", false}};
  for (const auto& [rights, good] : cases) {
    const std::string body = R"({"Name": "r", "Rights": ")" + std::string(rights) + "\"}";
    INFO(rights);
    if (good) {
      desk().done("admin", "POST", "role", body);
      continue;
    }
    for (const auto& [method, path] : {std::pair("POST", "role"), std::pair("PUT", "role/3")}) {
      const std::string message = refused(method, path, body)["Message"];
      CHECK(message.starts_with("Rights: "));
      CHECK(message.find("Write Administration, Integration, or entity:work such as call:Update") != message.npos);
    }
  }
}

TEST_CASE("a row that is there already is refused, also when another becomes like it") {
  const std::string role = desk().done("admin", "POST", "role", R"({"Name": "twice"})")["Ref"];
  struct Case {
    std::string entity, first, second;
  };
  const Case cases[] = {
      {"person-role", R"({"Person": 7, "Role": )" + role + "}", R"({"Person": 8, "Role": )" + role + "}"},
      {"role-partition", R"({"Partition": 1, "Role": )" + role + "}", R"({"Partition": 2, "Role": )" + role + "}"},
      {"group-member", R"({"Group": 1, "Person": 40})", R"({"Group": 1, "Person": 41})"},
      {"configuration-item", R"({"AssetRef": "twice-1", "Name": "x"})", R"({"AssetRef": "twice-2", "Name": "x"})"}};
  for (const auto& [entity, first, second] : cases) {
    const std::string kept = desk().done("admin", "POST", entity, first)["Ref"];
    refused("POST", entity, first);
    const std::string other = entity + "/" + desk().done("admin", "POST", entity, second)["Ref"];
    refused("PUT", other, first);
    desk().done("admin", "PUT", entity + "/" + kept, first);  // itself is no other
    desk().done("admin", "DELETE", entity + "/" + kept);
    if (entity != "configuration-item") desk().done("admin", "PUT", other, first);
  }
  refused("POST", "service", R"({"AssetRef": "TWICE-2", "Name": "x"})");  // whatever kind of asset, in any case
  refused("POST", "person", R"({"LastName": "x", "LoginId": "Analyst"})");
  for (const char* body : {R"({"Person": 7})", R"({"Role": 1})", R"({"Person": 7, "Role": 99999})", "{}"})
    refused("POST", "person-role", body);
}

TEST_CASE("a call is not forwarded to a person who is no analyst") {
  const std::string call = desk().done("analyst", "POST", "call", R"({"ShortDescription": "x"})")["Ref"];
  const Reply reply =
      desk().send("analyst", "PUT", "call/" + call + "/forward", R"({"ReceivingAnalyst": 4, "Status": 2})");
  CHECK(reply.status == 400);
  CHECK(reply["Message"].find("no analyst") != std::string::npos);
  CHECK(desk().get("analyst", "call/" + call)["Analyst"] == "null");
  CHECK(desk().get("analyst", "call/" + call)["LastHistoryOrder"] == "1");
}

TEST_CASE("a session without a person reads services and published knowledge, and changes nothing") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples"});
  const Answer answer = server.login(
      "grant_type=client_credentials&client_id=sample-service&client_secret=sample-secret&scope=session-type:User");
  REQUIRE(answer.status == 200);
  const Client nobody(server, json::parse(answer.body)->find("access_token")->text());
  const Client admin(server, server.token("admin"));

  std::set<std::string> readable;
  std::size_t actions = 0;
  const json::Node root = admin.get_json("v1");  // all that there is, and not what this session may read
  for (const json::Member& link : root.find("_links")->members()) {
    const std::string& name = link.name;
    if (name == "me") continue;  // a record
    const int status = nobody.get("v1/" + name).status;
    INFO(name << " -> " << status);
    CHECK((status == 200 || status == 403));
    if (status == 200) readable.insert(name);
    const int one = nobody.get("v1/" + name + "/1").status;
    CHECK((one == 200 || one == 403 || one == 404));
    const Answer described = nobody.get("v1/" + name + "/$metadata");
    REQUIRE(described.status == 200);
    const auto metadata = json::parse(described.body, json::Limits{32, 1'000'000});
    REQUIRE(metadata);
    for (const json::Member& action : metadata->find("_actions")->members()) {
      const json::Node& entry = action.value.items().front();
      const std::string method = text_of(entry, "method");
      for (const char* key : {"1", "99999999"}) {
        const std::string path = "v1/" + path_of(text_of(entry, "href"), key);
        const Answer done = nobody.send(method, path, R"({"Name": "x", "Title": "x", "ShortDescription": "x"})");
        INFO(method << " " << path << " -> " << done.status << " " << done.body);
        CHECK((done.status == 403 || done.status == 404 || done.status == 405));
        CHECK((method != "POST" || done.status != 404));
        ++actions;
      }
    }
  }
  CHECK(actions > 100);
  // Assets are services here; the names of an article's states are no secret.
  CHECK(readable == std::set<std::string>{"asset", "attachment", "knowledge", "knowledge-state", "service"});
  const auto count = [](const Client& client, const std::string& path, Query query = {}) {
    query.emplace_back("$count", "true");
    return client.get("v1/" + path, query).body;
  };
  CHECK(count(nobody, "service") == count(admin, "service"));
  CHECK(count(nobody, "asset") == count(admin, "service"));
  CHECK(count(nobody, "knowledge") == count(admin, "knowledge", {{"$filter", "State == 2"}}));
  CHECK(count(nobody, "knowledge") != "0");
  CHECK(count(nobody, "attachment", {{"$filter", "EntityType == \"call\" || EntityType == \"person\""}}) == "0");
}
