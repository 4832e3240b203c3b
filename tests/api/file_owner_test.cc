// Whose files are whose: users change their own, of records that are open, and each change is told in the history.
#include "shared_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

const std::string form_of = "multipart/form-data; boundary=XX";

Reply replaced(std::string_view login, const std::string& file, const std::string& name) {
  const std::string body = "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"" + name +
                           "\"\r\nContent-Type: text/plain\r\n\r\nnew\r\n--XX--\r\n";
  return desk().send(login, "PUT", file, body, {"Content-Type: " + form_of});
}

std::string new_file(const std::string& record, std::string_view login) {
  return record + "/attachment/" +
         desk().done(login, "POST", record + "/attachment", R"({"Name": "a.txt", "BinaryData": "eA=="})")["Ref"];
}

std::string own(std::string_view entity) {
  return std::string(entity) + "/" +
         desk().done("user", "POST", entity,
                     entity == "request" ? R"({"Title": "x"})" : R"({"ShortDescription": "x"})")["Ref"];
}

void check_untouched(const std::string& file, int status) {
  const std::string before = desk().get("admin", file).raw;
  for (const Reply& reply :
       {replaced("user", file, "b.txt"), desk().send("user", "PUT", file, R"({"Name": "b.txt"})"),
        desk().send("user", "PUT", file, R"({"Description": "b"})"),
        desk().send("user", "PUT", file, R"({"BinaryData": "eQ=="})"), desk().send("user", "DELETE", file)}) {
    INFO(file << " -> " << reply.status << " " << reply.raw);
    CHECK(reply.status == status);
    CHECK(reply["SubStatus"] == "NotAllowed");
  }
  CHECK(desk().get("admin", file).raw == before);
}

std::string told(const std::string& record) {
  const Reply history =
      desk().get("analyst", record + "/history", {{"$select", "Action,Description"}, {"$orderby", "Order"}});
  std::string text;
  for (const json::Node& row : history.body.find("results")->items())
    text += text_of(row, "Action") + " " + text_of(row, "Description") + ", ";
  return text;
}

}  // namespace

TEST_CASE("users do not touch what others have put on their records") {
  for (const std::string entity : {"call", "incident", "request"}) {
    const std::string record = own(entity);
    check_untouched(new_file(record, "analyst"), 403);
    const std::string adopted = new_file(record, "user");  // and those of a colleague, once the record is theirs
    desk().done("admin", "PUT", record, R"({"User": 5})");
    CHECK(desk().send("user2", "DELETE", adopted).status == 403);
    CHECK(desk().send("user2", "PUT", adopted, R"({"Name": "b"})").status == 403);
  }
}

TEST_CASE("users do not touch the files of what is closed, their own either") {
  const std::string call = own("call");
  const std::string file = new_file(call, "user");
  desk().done("user", "PUT", call + "/close", R"({"Description": "x"})");
  check_untouched(file, 400);
  desk().done("user", "PUT", call + "/reopen");
  CHECK(replaced("user", file, "b.txt").status == 200);
  const std::string request = own("request");
  const std::string plan = new_file(request, "user");
  desk().done("user", "PUT", request + "/cancel", R"({"Description": "x"})");
  check_untouched(plan, 400);
}

TEST_CASE("a file keeps who brought it, and the history tells who changed it") {
  for (const std::string entity : {"call", "request"}) {
    const std::string record = own(entity);
    const std::string file = new_file(record, "user");
    CHECK(told(record) == "create null, ");
    CHECK(replaced("user", file, "b.txt").status == 200);
    desk().done("analyst", "PUT", file, R"({"Name": "c.txt"})");
    const Reply changed = desk().get("analyst", file);
    CHECK(changed["UploadedBy"] == "4");
    CHECK(changed["UpdatedBy"] == "2");
    desk().done("analyst", "PUT", file, R"({"Name": "c.txt"})");  // which changes nothing
    desk().done("user", "DELETE", file);
    CHECK(told(record) == "create null, attachment-update b.txt, attachment-update c.txt, attachment-delete c.txt, ");
    const Reply last =
        desk().get("analyst", record + "/history",
                   {{"$orderby", "Order desc"}, {"$top", "1"}, {"$select", "Analyst,ActionTitle,Order"}});
    const json::Node& row = last.body.find("results")->items().front();
    CHECK(text_of(row, "Analyst") == "4");
    CHECK(text_of(row, "ActionTitle") == "File deleted");
    CHECK(text_of(row, "Order") == desk().get("analyst", record)["LastHistoryOrder"]);
  }
}

TEST_CASE("analysts work with the files of others as with the record") {
  const std::string call = own("call");
  const std::string file = new_file(call, "user");
  desk().done("user", "PUT", call + "/close", R"({"Description": "x"})");
  CHECK(replaced("analyst", file, "b.txt").status == 200);
  desk().done("analyst", "DELETE", file);
}
