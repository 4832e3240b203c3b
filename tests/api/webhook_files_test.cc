// Files in payloads: which are chosen and why not, events about files, and images inside HTML (webhooks/README.md, "The
// payload").
#include "engine/base/base64.h"
#include "webhook_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;
using test::Received;

// {"Name", "BinaryData"} of a file, put below the incident; its Ref.
std::string put_file(const WebhookDesk& world, const std::string& ref, const std::string& name,
                     const std::string& bytes, const std::string& type = "text/plain") {
  return world.desk.done("analyst", "POST", "incident/" + ref + "/attachment",
                         R"({"Name":")" + name + R"(","ContentType":")" + type + R"(","BinaryData":")" +
                             encode_base64(bytes, Base64::Padded) + "\"}")["Ref"];
}

struct File {
  std::string name, data;
  bool operator==(const File&) const = default;
};

std::vector<File> files_of(const Received& request) {
  const auto body = json::parse(request.body, json::Limits{32, 1'000'000});
  std::vector<File> files;
  REQUIRE(body);
  if (const json::Node* list = body->find("Attachments"))
    for (const json::Node& file : list->items()) {
      const json::Node* data = file.find("Data");
      REQUIRE(data);
      const auto bytes = data->is_null() ? std::nullopt : decode_base64(data->text(), Base64::Padded);
      files.push_back({text_of(file, "Name"), bytes ? *bytes : "(none)"});
    }
  return files;
}

std::string touch(const WebhookDesk& world, const std::string& ref, const std::string& text) {
  return world.desk.done("analyst", "PUT", "incident/" + ref, R"({"ShortDescription":")" + text + "\"}")["Ref"];
}

TEST_CASE("files go with the payload where the setting says so, the newest first, within the limits", "[webhooks]") {
  WebhookDesk world({"webhooks.include_attachments=true"});
  const std::string ref = world.incident("x");
  put_file(world, ref, "old.log", "1");
  put_file(world, ref, "note.TXT", "two");
  put_file(world, ref, "large.txt", std::string(2000, 'l'));
  put_file(world, ref, "new.txt", "four");
  put_file(world, ref, "newest.txt", "five");
  const std::string webhook =
      world.add(R"("CoreEntityType":"Call","AttachmentNameFilter":"\\.txt$;^report","AttachmentSizeLimit":1,)"
                R"("AttachmentCountLimit":2)");
  const std::string all = world.add(R"("CoreEntityType":"Call")", "/all");
  touch(world, ref, "y");
  const auto got = world.receiver.wait_for(2);
  REQUIRE(got.size() == 2);
  for (const Received& each : got) {
    if (each.path == "/all") CHECK(files_of(each).size() == 5);
    else CHECK(files_of(each) == std::vector<File>{{"newest.txt", "five"}, {"new.txt", "four"}});
  }

  const Reply log = world.desk.get("admin", "webhook/" + webhook + "/log");
  const auto& rows = log.body.find("results")->items();
  REQUIRE(rows.size() == 1);
  CHECK(text_of(rows[0], "Included") == "newest.txt\nnew.txt");
  const std::string left_out = text_of(rows[0], "Excluded");
  CHECK(left_out.find("large.txt: it is larger than 1 KiB") != std::string::npos);
  CHECK(left_out.find("note.TXT: there are 2 newer ones") != std::string::npos);
  CHECK(left_out.find("old.log: its name matches no expression of the filter") != std::string::npos);
  CHECK(text_of(rows[0], "Delivery") == world.desk.refs("admin", "webhook/" + webhook + "/delivery", {}).at(0));

  const Reply shown = world.desk.done("admin", "PUT", "webhook/" + webhook + "/preview",
                                      R"({"Entity":"incident","Ref":)" + ref + R"(,"Event":"Updated"})");
  CHECK(shown.body.find("Attachments")->items().size() == 5);
}

TEST_CASE("a changed file counts as new", "[webhooks]") {
  WebhookDesk world({"webhooks.include_attachments=true"});
  const std::string ref = world.incident("x");
  const auto url = [&](const std::string& file) { return "incident/" + ref + "/attachment/" + file; };
  const auto changed = [&](const std::string& file) { return world.desk.get("analyst", url(file))["UpdatedDate"]; };
  const std::string old = put_file(world, ref, "a.txt", "a");
  const std::string newer = put_file(world, ref, "b.txt", "b");
  // Until the clock, which counts in milliseconds, has moved on.
  for (std::string text = "again"; changed(old) <= changed(newer); text += "!")
    world.desk.done("analyst", "PUT", url(old), R"({"Description":")" + text + "\"}");
  world.add(R"("CoreEntityType":"Call","AttachmentCountLimit":1)");
  touch(world, ref, "y");
  CHECK(files_of(world.receiver.wait_for(1).at(0)) == std::vector<File>{{"a.txt", "a"}});
}

TEST_CASE("events about files tell of the record that they hang on, with the file itself", "[webhooks]") {
  WebhookDesk world;
  const std::string ref = world.incident("x");
  world.add(R"("CoreEntityType":"Call","PayloadSelect":"Ref")");
  world.add(R"("CoreEntityType":"Call","AttachmentNameFilter":"^other","PayloadSelect":"Ref","Events":"Individual",)"
            R"("IndividualTriggers":["AttachmentUploaded"])",
            "/filtered");
  const std::string file = put_file(world, ref, "a.txt", "first");
  world.receiver.wait_for(2);
  world.desk.done("analyst", "PUT", "incident/" + ref + "/attachment/" + file,
                  R"({"BinaryData":")" + encode_base64("second", Base64::Padded) + "\"}");
  world.receiver.wait_for(3);
  world.desk.done("analyst", "DELETE", "incident/" + ref + "/attachment/" + file);
  const auto got = world.receiver.wait_for(4);
  REQUIRE(got.size() == 4);
  std::vector<std::string> events;
  for (const Received& each : got) {
    CHECK(text_at(each.body, {"Call", "Ref"}) == ref);
    if (each.path == "/filtered") {
      CHECK(each.header("callisto-event") == "Call.AttachmentUploaded");
      CHECK(files_of(each).empty());
      continue;
    }
    events.push_back(each.header("callisto-event"));
    const auto files = files_of(each);
    REQUIRE(files.size() == 1);
    CHECK(files[0].data == (events.size() == 1 ? "first" : events.size() == 2 ? "second" : "(none)"));
  }
  CHECK(events ==
        std::vector<std::string>{"Call.AttachmentUploaded", "Call.AttachmentUpdated", "Call.AttachmentDeleted"});
}

TEST_CASE("an uploaded form's bytes are in the event", "[webhooks]") {
  WebhookDesk world;
  const std::string ref = world.incident("x");
  world.add(R"("CoreEntityType":"Call","PayloadSelect":"Ref")");
  const std::string form =
      "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.bin\"\r\n"
      "Content-Type: application/octet-stream\r\n\r\nraw bytes\r\n--b--\r\n";
  CHECK(world.desk
            .send("analyst", "POST", "incident/" + ref + "/attachment", form,
                  {"Content-Type: multipart/form-data; boundary=b"})
            .status == 200);
  CHECK(files_of(world.receiver.wait_for(1).at(0)) == std::vector<File>{{"a.bin", "raw bytes"}});
}

TEST_CASE("images inside HTML columns become data, and nothing else does", "[webhooks]") {
  WebhookDesk world;
  const std::string ref = world.incident("x"), other = world.incident("y");
  const std::string image = put_file(world, ref, "a.png", "PNG bytes", "image/png");
  const std::string foreign = put_file(world, other, "b.png", "other bytes", "image/png");
  world.add(R"("CoreEntityType":"Call","EntityType":"incident","PayloadSelect":"DescriptionHtml,Description")");
  const std::string here = "/service.api/api/v1/incident/" + ref + "/attachment/" + image;
  const std::string html = "<p>a</p><IMG alt='x' src=\\\"" + here + "\\\"><img src='https://desk.example.com" + here +
                           "/content'><img src=\\\"https://elsewhere.example/x.png\\\"><img src=\\\"/v1/incident/" +
                           other + "/attachment/" + foreign + "\\\">";
  world.desk.done("analyst", "PUT", "incident/" + ref,
                  "{\"DescriptionHtml\":\"" + html + "\",\"Description\":\"<img src='" + here + "'>\"}");
  const Received request = world.receiver.wait_for(1).at(0);
  const std::string data = "data:image/png;base64," + encode_base64("PNG bytes", Base64::Padded);
  CHECK(text_at(request.body, {"Call", "DescriptionHtml"}) ==
        "<p>a</p><IMG alt='x' src=\"" + data + "\"><img src='" + data +
            "'><img src=\"https://elsewhere.example/x.png\"><img src=\"/v1/incident/" + other + "/attachment/" +
            foreign + "\">");
  CHECK(text_at(request.body, {"Call", "Description"}) == "<img src='" + here + "'>");
}

}  // namespace
