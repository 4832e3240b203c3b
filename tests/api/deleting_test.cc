// Deleting: what others refer to stays, lists are the administrators', what is deleted comes back by restore and goes
// for good by purge.
#include "engine/storage/database.h"
#include "shared_desk.h"
#include "tests/support/postgres.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

std::string made(std::string_view entity, std::string_view body, std::string_view login = "admin") {
  return std::string(entity) + "/" + desk().done(login, "POST", entity, body)["Ref"];
}

std::string key(const std::string& path) { return path.substr(path.find('/') + 1); }

Reply refused(std::string_view login, std::string_view method, const std::string& path, std::string_view body = {}) {
  Reply reply = desk().send(login, method, path, body);
  INFO(login << " " << method << " " << path << " -> " << reply.status << " " << reply.raw);
  CHECK(reply.status >= 400);
  CHECK(reply["SubStatus"] == "NotAllowed");
  return reply;
}

std::string found_deleted(const std::string& path, std::string_view login = "admin") {
  const std::string entity = path.substr(0, path.find('/'));
  return desk().get(login, entity, {{"$filter", "@IsDeleted && Ref == " + key(path)}, {"$count", "true"}}).raw;
}

struct List {
  std::string entity, body;
};
const std::vector<List> lists{{"partition", R"({"Name": "x"})"},
                              {"call-state", R"({"Name": "x"})"},
                              {"request-state", R"({"Name": "x"})"},
                              {"task-state", R"({"Name": "x"})"},
                              {"knowledge-state", R"({"Name": "x"})"},
                              {"call-priority", R"({"Name": "x"})"},
                              {"call-impact", R"({"Name": "x"})"},
                              {"call-urgency", R"({"Name": "x"})"},
                              {"call-status", R"({"Name": "x"})"},
                              {"call-type", R"({"Name": "x"})"},
                              {"call-reason", R"({"Name": "x"})"},
                              {"asset-status", R"({"Name": "x"})"},
                              {"configuration-item-type", R"({"Name": "x"})"},
                              {"cmdb-link-type", R"({"Name": "x"})"},
                              {"organization", R"({"Name": "x"})"},
                              {"location", R"({"Name": "x"})"},
                              {"request-template", R"({"Name": "x"})"},
                              {"request-template-task", R"({"Template": 1, "Order": 9, "Title": "x"})"},
                              {"group-member", R"({"Group": 1, "Person": 40})"}};

}  // namespace

TEST_CASE("lists that the desk stands on are changed by administrators alone, and read as before") {
  for (const auto& [entity, body] : lists) {
    CHECK(refused("analyst", "POST", entity, body).status == 403);
    const std::string row = made(entity, body);
    CHECK(refused("analyst", "PUT", row, body).status == 403);
    CHECK(refused("analyst", "DELETE", row).status == 403);
    CHECK(desk().get("analyst", row).status == 200);
    CHECK(desk().get("analyst", row).actions().empty());
    CHECK(desk().done("admin", "PUT", row, R"({"Partition": 2})")["Partition"] == "2");
    desk().done("admin", "DELETE", row);
    CHECK(refused("analyst", "PUT", row + "/restore").status == 403);
    CHECK(desk().done("admin", "PUT", row + "/restore")["Ref"] == key(row));
    CHECK(desk().get("analyst", row).status == 200);
    desk().done("admin", "DELETE", row);
  }
}

TEST_CASE("a row that others refer to is not deleted, and the refusal names one of them") {
  for (const char* row : {"partition/1",        "partition/3",     "call-state/1",
                          "call-priority/1",    "call-impact/2",   "call-urgency/2",
                          "call-type/1",        "request-state/2", "task-state/1",
                          "knowledge-state/2",  "organization/2",  "location/1",
                          "request-template/1", "group/1",         "service/1",
                          "person/4",           "role/2",          "configuration-item-type/1",
                          "cmdb-link-type/1",   "asset-status/3"}) {
    const Reply reply = refused("admin", "DELETE", row);
    INFO(row << " " << reply.raw);
    CHECK(reply.status == 400);
    CHECK(reply["Type"] == "InvalidStateException");
    CHECK_THAT(reply["Message"], Contains("refer"));
    CHECK(desk().get("admin", row).status == 200);
  }
}

TEST_CASE("the refusal counts and names, and what refers no more hinders nothing") {
  const std::string service = made("service", R"({"Name": "x", "AssetRef": "DEL-1"})");
  std::vector<std::string> calls;
  for (int i = 0; i < 3; ++i)
    calls.push_back(made("call",
                         R"({"ShortDescription": "x", "$action": {"Submit": false}, "Service": )" + key(service) + "}",
                         "analyst"));
  CHECK(refused("analyst", "DELETE", service)["Message"] ==
        "This service is not deleted: 3 records refer to it, such as call " + key(calls[0]) + " (Service).");
  desk().done("analyst", "DELETE", calls[0]);
  desk().done("analyst", "PUT", calls[1], R"({"Service": null})");
  CHECK(refused("analyst", "DELETE", service)["Message"] ==
        "This service is not deleted: call " + key(calls[2]) + " (Service) refers to it.");
  desk().done("analyst", "DELETE", calls[2]);
  desk().done("analyst", "DELETE", service);
}

TEST_CASE("the refusal tells nothing of records that the session may not see") {
  const std::string service = made("service", R"({"Name": "x", "AssetRef": "DEL-2"})");
  for (int i = 0; i < 2; ++i)
    made("call", R"({"ShortDescription": "x", "Partition": 2, "Service": )" + key(service) + "}");
  CHECK(refused("analyst", "DELETE", service)["Message"] == "This service is not deleted: it is in use.");
  const std::string own = made("call", R"({"ShortDescription": "x", "Service": )" + key(service) + "}", "analyst");
  CHECK(refused("analyst", "DELETE", service)["Message"] ==
        "This service is not deleted: call " + key(own) + " (Service) refers to it.");
  CHECK_THAT(refused("admin", "DELETE", service)["Message"], Contains("3 records refer to it"));
}

TEST_CASE("history, files, sessions and who made a record hinder no deletion") {
  const std::string call = made("call", R"({"ShortDescription": "x", "$action": {"Submit": false}})", "user");
  desk().done("user", "PUT", call, R"({"Name": "y"})");
  desk().done("user", "POST", call + "/attachment", R"({"Name": "a.txt", "BinaryData": "eA=="})");
  CHECK(desk().get("analyst", call + "/history", {{"$count", "true"}}).raw == "2");
  desk().done("user", "DELETE", call);
  const std::string location = made("location", R"({"Name": "x"})");
  desk().done("admin", "PUT", location, R"({"Parent": )" + key(location) + "}");  // to itself
  desk().done("admin", "DELETE", location);
}

TEST_CASE("every entity whose records are deleted says how they come back") {
  const Reply root = desk().get("admin", "");
  for (const json::Member& link : root.body.find("_links")->members()) {
    const Reply metadata = desk().get("admin", link.name + "/$metadata");
    const json::Node* actions = metadata.body.find("_actions");
    if (!actions || !actions->find("Delete") || link.name == "session" || link.name == "webhook") continue;
    INFO(link.name);
    CHECK(actions->find("Restore") != nullptr);
  }
  CHECK(desk().get("admin", "session/$metadata").body.find("_actions")->find("Restore") == nullptr);
}

TEST_CASE("what is deleted comes back as it was, for administrators") {
  const std::string person = made("person", R"({"LastName": "Restored", "Email": "r@example.org"})");
  const Reply before = desk().get("admin", person);
  CHECK(before.actions().count("Restore") == 0);
  CHECK(refused("admin", "PUT", person + "/restore").status == 400);
  desk().done("admin", "DELETE", person);
  CHECK(desk().get("admin", person).status == 404);
  CHECK(refused("analyst", "PUT", person + "/restore").status == 403);
  CHECK(desk().send("user", "PUT", person + "/restore").status == 404);
  CHECK(desk().send("admin", "PUT", person + "/activate").status == 404);
  CHECK(desk().send("admin", "PUT", person, R"({"Phone": "1"})").status == 404);
  const Reply back = desk().done("admin", "PUT", person + "/restore");
  for (const char* name : {"Ref", "Id", "Name", "Email", "CreatedDate", "IsActive"}) CHECK(back[name] == before[name]);
  CHECK(back.headers.at("etag") != before.headers.at("etag"));
  CHECK(refused("admin", "PUT", person + "/restore").status == 400);
  CHECK(found_deleted(person) == "0");
  CHECK(desk().send("admin", "PUT", "person/999999/restore").status == 404);
}

TEST_CASE("a restore keeps what is unique, and writes history where there is one") {
  const std::string person = made("person", R"({"LastName": "x", "LoginId": "twin"})");
  desk().done("admin", "DELETE", person);
  const std::string other = made("person", R"({"LastName": "y", "LoginId": "twin"})");
  CHECK_THAT(desk().send("admin", "PUT", person + "/restore")["Message"], Contains("TWIN is taken"));
  desk().done("admin", "DELETE", other);
  desk().done("admin", "PUT", person + "/restore");
  const std::string call = made("call", R"({"ShortDescription": "x", "$action": {"Submit": false}})", "analyst");
  desk().done("analyst", "DELETE", call);
  desk().done("admin", "PUT", call + "/restore");
  const Reply history = desk().get("admin", call + "/history", {{"$select", "Action"}, {"$orderby", "Order desc"}});
  CHECK_THAT(history.raw, Contains(R"("Action":"restore")"));
}

TEST_CASE("an entity with a restore of its own has both: of what is there, and of what is deleted") {
  const std::string article = made("knowledge", R"({"Title": "x"})", "analyst");
  CHECK(refused("analyst", "PUT", article + "/restore").status == 400);
  desk().done("analyst", "DELETE", article);
  CHECK(refused("analyst", "PUT", article + "/restore").status == 403);
  CHECK(desk().done("admin", "PUT", article + "/restore")["State"] == "0");
  desk().done("analyst", "PUT", article + "/publish");
  desk().done("analyst", "PUT", article + "/retire");
  CHECK(desk().done("analyst", "PUT", article + "/restore")["State"] == "0");
  const std::string item = made("configuration-item", R"({"Name": "x", "AssetRef": "DEL-3"})", "analyst");
  desk().done("analyst", "DELETE", item);
  CHECK(desk().done("admin", "PUT", item + "/restore")["Status"] == "null");
  CHECK(desk().get("analyst", item).status == 200);
}

TEST_CASE("what ended or must not come back stays deleted") {
  const Desk own;
  const std::string token = own.server().token("user", "session-type:User");
  const auto sessions = own.refs("admin", "session", {{"$filter", "Person == 4"}});
  REQUIRE(!sessions.empty());
  const std::string session = "session/" + sessions.front();
  own.done("admin", "DELETE", session);
  CHECK(own.send("admin", "PUT", session + "/restore").status >= 400);
  CHECK(Client(own.server(), token).get("v1/call").status == 401);
  const std::string webhook =
      "webhook/" +
      own.done("admin", "POST", "webhook",
               R"({"PayloadUrl": "http://127.0.0.1:9/", "Secret": "12345678", "CoreEntityType": "Call"})")["Ref"];
  own.done("admin", "DELETE", webhook);
  CHECK(own.send("admin", "PUT", webhook + "/restore").status >= 400);
}

TEST_CASE("deleted files are nobody's but the administrators'") {
  const std::string call = made("call", R"({"ShortDescription": "x"})", "user");
  const std::string file =
      desk().done("user", "POST", call + "/attachment", R"({"Name": "a.txt", "BinaryData": "c2VjcmV0"})")["Ref"];
  desk().done("user", "DELETE", call + "/attachment/" + file);
  const std::string is_it = "Ref == " + file;
  for (const char* login : {"user", "analyst"}) {
    for (const std::string& filter : {"@IsDeleted && " + is_it, "(@IsDeleted || !@IsDeleted) && " + is_it})
      for (const std::string& path : {std::string("attachment"), call + "/attachment"}) {
        const Reply rows = desk().get(login, path, {{"$filter", filter}, {"$select", "Name,BinaryData"}});
        INFO(login << " " << path << " " << filter << " " << rows.raw);
        CHECK(rows.status == 200);
        CHECK(rows.body.find("results")->items().empty());
        CHECK(desk().get(login, path, {{"$filter", filter}, {"$count", "true"}}).raw == "0");
      }
    CHECK(desk().get(login, "attachment/" + file).status == 404);
    CHECK(desk().get(login, call + "/attachment/" + file + "/content").status == 404);
    const Reply joined = desk().get(login, "call",
                                    {{"$filter", "Ref == " + key(call)},
                                     {"$leftJoin", "F:Attachment(EntityRef == Ref)"},
                                     {"$select", "Ref,F.Name,F.BinaryData"}});
    CHECK(joined.raw.find("c2VjcmV0") == std::string::npos);
    CHECK(desk().send(login, "PUT", "attachment/" + file + "/restore").status >= 400);
  }
  CHECK(found_deleted("attachment/" + file) == "1");
  desk().done("admin", "PUT", "attachment/" + file + "/restore");
  CHECK(desk().get("user", call + "/attachment/" + file + "/content").raw == "secret");
  CHECK(desk().get("user", call)["AttachmentCount"] == "1");
}

namespace {

class Purging {
 public:
  Purging() : desk_(std::make_unique<Desk>()) {}
  Desk& desk() { return *desk_; }
  const std::string& data() { return desk_->folder(); }
  // With the server stopped.
  Finished purge(std::vector<std::string> arguments) {
    CHECK(desk_->server().stop() == 0);
    arguments.insert(arguments.begin(), {"purge", "--data", data()});
    return run_program(arguments);
  }
  std::int64_t count(const Sql& sql) {
    const auto database = storage::Database::open({.url = database_url(data()), .read_only = true});
    REQUIRE(database);
    const auto reader = (*database)->connect_reader();
    REQUIRE(reader);
    const auto row = (*reader)->query(sql, {});
    REQUIRE(row);
    const auto found = (*row)->step();
    REQUIRE(found);
    REQUIRE(*found);
    return (*row)->integer(0);
  }

 private:
  std::unique_ptr<Desk> desk_;
};

}  // namespace

TEST_CASE(
    "purge removes what was deleted, with its history and the bytes of its files, and keeps what is referred to") {
  Purging desk;
  const auto made = [&](std::string_view entity, std::string_view body) {
    return std::string(entity) + "/" + desk.desk().done("admin", "POST", entity, body)["Ref"];
  };
  const std::string held = made("person", R"({"LastName": "Held"})");
  const std::string call =
      made("call", R"({"ShortDescription": "zzyzx", "$action": {"Submit": false}, "User": )" + key(held) + "}");
  desk.desk().done("admin", "POST", call + "/attachment", R"({"Name": "a.txt", "BinaryData": "c2VjcmV0"})");
  desk.desk().done("admin", "DELETE", call);
  desk.desk().done("admin", "DELETE", held);
  const std::string kept = made("person", R"({"LastName": "Kept"})");
  const std::string alive = made("call", R"({"ShortDescription": "x"})");
  const std::string file =
      desk.desk().done("admin", "POST", alive + "/attachment", R"({"Name": "b.txt", "BinaryData": "c2VjcmV0"})")["Ref"];
  desk.desk().done("admin", "DELETE", alive + "/attachment/" + file);
  desk.desk().done("admin", "DELETE", kept);

  const Finished beside = run_program({"purge", "--data", desk.data(), "--older-than", "0d"});
  if (!is_on_postgres()) {
    CHECK(beside.exit_status == 1);
    CHECK_THAT(beside.output, Contains("nothing was purged; a server that has the desk open must be stopped first"));
    const Finished shown = run_program({"purge", "--data", desk.data(), "--older-than", "0d", "--dry-run"});
    CHECK(shown.exit_status == 0);
    CHECK_THAT(shown.output, Contains("call: 1 record would go") && Contains("attachment: 1 record would go") &&
                                 Contains("1 deleted record stays"));
    const Finished young = desk.purge({"--older-than", "1h"});
    CHECK(young.output == "nothing purged\n");
    const Finished one = desk.purge({"--older-than", "0h", "--entity", "attachment"});
    CHECK(one.output == "1 attachment, files of 6 bytes purged\n");
  }
  const Finished all = desk.purge({"--older-than", "0d"});
  INFO(beside.output << all.output);
  CHECK(all.exit_status == 0);
  CHECK(desk.count(Sql("SELECT COUNT(*) FROM \"call\" WHERE \"IsDeleted\" = 1")) == 0);
  CHECK(desk.count(Sql("SELECT COUNT(*) FROM \"person\" WHERE \"IsDeleted\" = 1")) == 0);
  CHECK(desk.count(Sql("SELECT COUNT(*) FROM \"attachment\" WHERE \"Name\" IN ('a.txt', 'b.txt')")) == 0);
  CHECK(desk.count(Sql("SELECT COUNT(*) FROM \"call_history\" WHERE \"TicketId\" = 209")) == 0);
  CHECK(desk.count(Sql("SELECT COUNT(*) FROM \"call\"")) == 209);
  const Finished audit = run_program({"audit", "list", "--event", "records-purged", "--data", desk.data()});
  CHECK_THAT(audit.output, Contains("1 call") && Contains("2 person") && Contains("deleted more than 0d ago"));
  CHECK(run_program({"audit", "verify", "--data", desk.data()}).exit_status == 0);
  CHECK(run_program({"check", "--database", "--data", desk.data()}).exit_status == (is_on_postgres() ? 1 : 0));
}

TEST_CASE("purge keeps a deleted row as long as any other names it, and says how many stay") {
  Purging desk;
  const auto made = [&](std::string_view entity, std::string_view body) {
    return std::string(entity) + "/" + desk.desk().done("admin", "POST", entity, body)["Ref"];
  };
  const std::string person = made("person", R"({"LastName": "x"})");
  const std::string article = made("knowledge", R"({"Title": "x"})");
  desk.desk().done("admin", "DELETE", person);
  desk.desk().done("admin", "DELETE", article);
  CHECK(desk.desk().server().stop() == 0);
  {
    const auto database = storage::Database::open({.url = database_url(desk.data())});
    REQUIRE(database);
    REQUIRE((*database)->write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_CHECK(connection.execute(Sql("UPDATE \"call_history\" SET \"Analyst\" = ?1 WHERE \"TicketId\" = 7"),
                                        {Value(std::int64_t{std::stoll(key(person))})}));
      return {};
    }));
  }
  const Finished all = desk.purge({"--older-than", "0d"});
  CHECK(all.exit_status == 0);
  CHECK_THAT(all.output,
             Contains("1 knowledge purged\n") && Contains("1 deleted record stays, since others refer to it"));
  CHECK(desk.count(Sql("SELECT COUNT(*) FROM \"person\" WHERE \"IsDeleted\" = 1")) == 1);
}

TEST_CASE("purge says what it does not understand") {
  const TemporaryFolder folder;
  const auto purge = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"purge", "--data", folder.path()});
    return run_program(arguments);
  };
  for (const char* span : {"90", "d", "-1d", "90m", "1.5d", "90 d", "99999999999999999999d", "9999999w", ""}) {
    const Finished finished = purge({"--older-than", span});
    INFO(span << " " << finished.output);
    CHECK(finished.exit_status == 2);
  }
  CHECK(purge({}).exit_status == 2);
  const Finished unknown = purge({"--older-than", "90d", "--entity", "cal"});
  CHECK(unknown.exit_status == 2);
  CHECK_THAT(unknown.output, Contains("there is no entity") && Contains("did you mean 'call'?"));
}
