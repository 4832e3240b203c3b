// What belongs together over several records: a request and its tasks, an approval and what waits for it, assets and
// links.
#include "shared_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

Reply done(std::string_view method, const std::string& path, std::string_view body = "{}") {
  return desk().done("analyst", method, path, body);
}

Reply send(std::string_view method, const std::string& path, std::string_view body = "{}") {
  return desk().send("analyst", method, path, body);
}

std::string created(const std::string& entity, std::string_view body) {
  return entity + "/" + done("POST", entity, body)["Ref"];
}

std::string state(const std::string& path) { return desk().get("analyst", path)["State"]; }

// The tasks of a request in the order of their template: "task/93".
std::vector<std::string> tasks_of(const std::string& request) {
  std::vector<std::string> paths;
  for (const std::string& key : desk().refs("analyst", request + "/task", {{"$orderby", "Ref"}}))
    paths.push_back("task/" + key);
  return paths;
}

std::string states(const std::vector<std::string>& paths) {
  std::string all;
  for (const std::string& path : paths) all += state(path);
  return all;
}

}  // namespace

TEST_CASE("a request with a template gets its tasks in order, each waiting for the one before") {
  const std::string request = created("request", R"({"Title": "x", "Template": 1})");
  CHECK(state(request) == "1");  // its template asks for an authorization
  CHECK(desk().get("analyst", request)["Group"] == "2");
  const auto tasks = tasks_of(request);
  REQUIRE(tasks.size() == 5);
  CHECK(states(tasks) == "10000");
  CHECK(desk().get("analyst", tasks[0])["_context"] == "api:v1/approval/$metadata");
  CHECK(done("PUT", request + "/authorize")["State"] == "2");
  CHECK(done("PUT", tasks[0] + "/approve", R"({"Description": "Fine."})")["Comment"] == "Fine.");
  CHECK(states(tasks) == "51000");
  done("PUT", tasks[1] + "/complete");
  done("PUT", tasks[2] + "/skip", R"({"Description": "Has one."})");
  CHECK(states(tasks) == "53410");
  done("DELETE", tasks[3]);
  CHECK(state(tasks[4]) == "1");
  done("PUT", tasks[4] + "/suspend", R"({"SuspendUntil": "2030-01-01T00:00:00Z"})");
  CHECK(send("PUT", request + "/complete").status == 400);
  CHECK(state(request) == "2");
  const Reply closed =
      done("PUT", request + "/complete", R"({"Force": true, "ImplementationState": "Partly implemented"})");
  CHECK(closed["State"] == "4");
  CHECK(closed["ImplementationState"] == "Partly implemented");
  CHECK(closed["ClosedDate"] != "null");
  const Reply reopened = done("PUT", request + "/reopen");
  CHECK(reopened["State"] == "2");
  CHECK(reopened["ClosedDate"] == "null");
}

TEST_CASE("a request that is not handed in has no tasks; handing it in makes them") {
  const std::string request = created("request", R"({"Title": "x", "Template": 2, "$action": {"Submit": false}})");
  CHECK(state(request) == "0");
  CHECK(tasks_of(request).empty());
  CHECK(done("PUT", request + "/submit")["State"] == "2");
  CHECK(states(tasks_of(request)) == "100");
  const std::string plain = created("request", R"({"Title": "x"})");
  CHECK(state(plain) == "2");
  CHECK(tasks_of(plain).empty());
  const std::string forwarded = created("request", R"({"Title": "x", "Template": 4, "Submit": false})");
  CHECK(done("PUT", forwarded + "/forward", R"({"ReceivingGroup": 3})")["State"] == "1");
  CHECK(desk().get("analyst", forwarded)["Group"] == "3");
  CHECK(tasks_of(forwarded).size() == 4);
}

TEST_CASE("who cancels or rejects a request skips its open tasks") {
  for (const char* action : {"cancel", "reject"}) {
    const std::string request = created("request", R"({"Title": "x", "Template": 1})");
    CHECK(send("PUT", request + "/" + action).status == 400);  // without a Description
    CHECK(done("PUT", request + "/" + action, R"({"Description": "No."})")["State"] == "5");
    CHECK(states(tasks_of(request)) == "44444");
  }
  const std::string request = created("request", R"({"Title": "x", "Template": 2})");
  const auto tasks = tasks_of(request);
  done("PUT", tasks[0] + "/complete");
  done("PUT", tasks[1] + "/suspend");
  done("PUT", request + "/cancel", R"({"Description": "No."})");
  CHECK(states(tasks) == "344");
}

TEST_CASE("a task needs a request, an approval a request or a call") {
  CHECK(send("POST", "task", R"({"Title": "x"})").errors() == std::set<std::string>{"Request"});
  CHECK(send("POST", "approval", R"({"Title": "x"})").status == 400);
  const std::string call = done("POST", "call", R"({"ShortDescription": "x"})")["Ref"];
  const std::string approval = created("approval", R"({"Title": "x", "Call": )" + call + "}");
  CHECK(state(approval) == "1");
  CHECK(send("PUT", approval + "/complete").status == 404);
  CHECK(send("PUT", approval + "/reject").status == 400);
  CHECK(done("PUT", approval + "/reject", R"({"Description": "No."})")["State"] == "6");
}

TEST_CASE("what waits for a rejected approval stays pending, and no task waits for itself") {
  const std::string request = created("request", R"({"Title": "x", "Template": 3})");
  const auto tasks = tasks_of(request);
  done("PUT", tasks[0] + "/reject", R"({"Description": "No."})");
  CHECK(states(tasks) == "600");
  CHECK(done("PUT", tasks[1] + "/activate")["State"] == "1");
  CHECK(send("PUT", tasks[1], R"({"Predecessor": )" + tasks[2].substr(5) + "}").status == 400);
}

TEST_CASE("an article goes from draft to retired and back") {
  const std::string article = created("knowledge", R"({"Title": "x"})");
  CHECK(desk().get("analyst", article)["Author"] == "2");
  CHECK(done("PUT", article + "/submit")["State"] == "1");
  CHECK(done("PUT", article + "/publish")["State"] == "2");
  CHECK(send("PUT", article + "/publish").status == 400);
  CHECK(done("PUT", article + "/retire")["State"] == "3");
  CHECK(done("PUT", article + "/restore")["State"] == "0");
  CHECK(done("PUT", article + "/moderate")["Moderated"] == "true");
}

TEST_CASE("a frozen asset is not changed; a retired one comes back with its status") {
  for (const std::string path : {"configuration-item/110", "service/5"}) {
    const std::string status = desk().get("analyst", path)["Status"];
    CHECK(done("PUT", path + "/freeze")["IsFrozen"] == "true");
    const Reply refused = send("PUT", path, R"({"Name": "x"})");
    CHECK(refused.status == 400);
    CHECK(refused["SubStatus"] == "NotAllowed");
    CHECK(send("DELETE", path).status >= 400);
    CHECK(done("PUT", path + "/unfreeze")["IsFrozen"] == "false");
    CHECK(done("PUT", path + "/retire")["Status"] == "5");
    CHECK(done("PUT", path + "/restore")["Status"] == status);
    CHECK(done("PUT", path + "/retire", R"({"Status": 6})")["Status"] == "6");
    CHECK(done("PUT", path + "/restore", R"({"Status": 2})")["Status"] == "2");
  }
}

TEST_CASE("clone makes a record of the same kind that is not frozen") {
  done("PUT", "configuration-item/111/freeze");
  const Reply original = desk().get("analyst", "configuration-item/111");
  const Reply answer = done("PUT", "configuration-item/111/clone", R"({"NewAssetRef": "nb-copy"})");
  const auto copies = desk().refs("analyst", "asset", {{"$filter", "AssetRef == \"NB-COPY\""}});
  REQUIRE(copies.size() == 1);
  CHECK(answer["Ref"] == copies.front());
  const Reply copy = desk().get("analyst", "configuration-item/" + copies.front());
  for (const char* name : {"Name", "Type", "Model", "Owner", "Partition", "PurchaseCost"})
    CHECK(copy[name] == original[name]);
  CHECK(copy["IsFrozen"] == "false");
  CHECK(copy["SerialNumber"] == "null");
  CHECK(copy["Id"] != original["Id"]);
  CHECK(desk().get("analyst", "configuration-item/111").headers.at("etag") == original.headers.at("etag"));
}

TEST_CASE("a link takes the category of its type and is never changed") {
  const std::string link = created("cmdb-link", R"({"Type": 3, "Parent": 1, "Child": 101, "Weight": 30})");
  CHECK(desk().get("analyst", link)["Category"] == "Physical");
  CHECK(send("PUT", link, R"({"Weight": 1})")["SubStatus"] == "NotSupported");
  for (const char* body :
       {R"({"Type": 1, "Parent": 1, "Child": 1})", R"({"Type": 1, "Parent": 1, "Child": 101, "Weight": 101})",
        R"({"Type": 1, "Parent": 1, "Child": 101, "ImpactDirection": "Up"})", R"({"Type": 1, "Parent": 1})"})
    CHECK(send("POST", "cmdb-link", body).status == 400);
  CHECK(done("DELETE", link)["_self"] == "api:v1/" + link);
}

TEST_CASE("a person has a name made of two, a login of its own, and can be switched off by administrators") {
  const std::string person = created("person", R"({"FirstName": "Ada", "LastName": "Berg", "LoginId": "ada"})");
  CHECK(desk().get("analyst", person)["Name"] == "Ada Berg");
  CHECK(done("PUT", person, R"({"FirstName": null})")["Name"] == "Berg");
  CHECK(send("POST", "person", R"({"LastName": "x", "LoginId": "Ada"})").status == 400);
  CHECK(send("PUT", person + "/deactivate").status == 403);
  CHECK(desk().done("admin", "PUT", person + "/deactivate")["IsActive"] == "false");
  CHECK(desk().done("admin", "PUT", person + "/activate")["IsActive"] == "true");
  CHECK(desk().send("admin", "PUT", "person/1/deactivate").status == 400);
}
