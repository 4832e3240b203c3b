// What large files in payloads cost: they are stored once, sent whole, and a preview of one holds nobody up.
#include "engine/base/base64.h"
#include "engine/storage/database.h"
#include "webhook_desk.h"
#include "webhooks/body.h"

#include <sqlite3.h>
#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;
using test::Received;

std::string upload(const WebhookDesk& world, const std::string& call, const std::string& bytes) {
  const std::string form =
      "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n" +
      bytes + "\r\n--b--\r\n";
  const Reply added = world.desk.send("analyst", "POST", "incident/" + call + "/attachment", form,
                                      {"Content-Type: multipart/form-data; boundary=b"});
  REQUIRE(added.status == 200);
  return added["Ref"];
}

std::int64_t number(const WebhookDesk& world, const Sql& sql) {
  const auto database = storage::Database::open({.url = database_url(world.desk.folder()), .read_only = true});
  REQUIRE(database);
  const auto reader = (*database)->connect_reader();
  REQUIRE(reader);
  const auto row = (*reader)->query(sql, {});
  REQUIRE(row);
  REQUIRE((*row)->step().value());
  return (*row)->integer(0);
}

std::int64_t kept(const WebhookDesk& world) {
  return number(world, Sql("SELECT COALESCE((SELECT SUM(LENGTH(body)) FROM webhook_body), 0) + "
                           "COALESCE((SELECT SUM(LENGTH(bytes)) FROM webhook_part), 0)"));
}

TEST_CASE("notes on a record with a large image store it once, and each delivery has it whole", "[webhooks]") {
  WebhookDesk world({"webhooks.include_attachments=true"});
  const std::string call = world.incident("x");
  std::string image(std::size_t{6} * 1024 * 1024, '\0');
  for (std::size_t i = 0; i < image.size(); i += 7) image[i] = static_cast<char>(i * 31 + 1);
  const std::string file = upload(world, call, image);
  world.desk.done("analyst", "PUT", "incident/" + call,
                  R"({"DescriptionHtml":"<img src='/incident/)" + call + "/attachment/" + file + R"('>"})");
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  world.receiver.answer([](const Received&) { return test::ReceiverAnswer{500}; });
  for (int note = 0; note < 9; ++note)
    world.desk.done("analyst", "PUT", "incident/" + call + "/add-note", R"({"Description":"n"})");
  CHECK(kept(world) < 200'000);
  const std::string data = encode_base64(image, Base64::Padded);
  const auto is_whole = [&](const Received& request) {
    return request.body.find("data:image/png;base64," + data + "'") != std::string::npos &&
           request.body.find("\"Data\":\"" + data + "\"") != std::string::npos;
  };
  const Received first = world.receiver.wait_for(1).at(0);
  CHECK(is_whole(first));

  // Another file in its place, or none: what was told stays what it was.
  world.desk.done("analyst", "PUT", "incident/" + call + "/attachment/" + file,
                  R"({"BinaryData":")" + encode_base64("another", Base64::Padded) + "\"}");
  world.receiver.answer([](const Received&) { return test::ReceiverAnswer{200}; });
  CHECK(kept(world) < static_cast<std::int64_t>(image.size()) + 300'000);
  CHECK(world.concluded(webhook)["Status"] == "S");
  const std::string oldest = world.desk.refs("admin", "webhook-delivery", {{"$orderby", "Ref"}}).at(0);
  const std::size_t before = world.receiver.received().size();
  world.desk.send("admin", "PUT", "webhook-delivery/" + oldest + "/redeliver", "{}");
  const auto got = world.receiver.wait_for(before + 1);
  for (const Received& each : got)
    if (each.header("webhook-id") == first.header("webhook-id")) CHECK(each.body == first.body);
}

TEST_CASE("what was told of a file that is purged stays what it was", "[webhooks]") {
  WebhookDesk world({"webhooks.include_attachments=true"});
  world.receiver.answer([](const Received&) { return test::ReceiverAnswer{500}; });
  const std::string call =
      world.desk.done("analyst", "POST", "incident", R"({"ShortDescription":"x","$action":{"Submit":false}})")["Ref"];
  upload(world, call, std::string(50'000, 'p'));
  world.add(R"("CoreEntityType":"Call")");
  world.desk.done("analyst", "PUT", "incident/" + call, R"({"ShortDescription":"y"})");
  world.receiver.wait_for(1);
  world.desk.done("admin", "DELETE", "incident/" + call);
  world.desk.server().stop();
  const auto bodies = [&] {
    const auto database = storage::Database::open({.url = database_url(world.desk.folder()), .read_only = true});
    REQUIRE(database);
    const auto reader = (*database)->connect_reader();
    REQUIRE(reader);
    std::vector<std::int64_t> refs;
    const auto row = (*reader)->query(Sql("SELECT id FROM webhook_body ORDER BY id"), {});
    REQUIRE(row);
    while ((*row)->step().value()) refs.push_back((*row)->integer(0));
    std::vector<std::string> all;
    for (const std::int64_t ref : refs) {
      const auto body = webhooks::read_body(**reader, ref);
      REQUIRE(body);
      all.push_back(body->value_or("gone"));
    }
    return all;
  };
  const auto before = bodies();
  REQUIRE_FALSE(before.empty());
  CHECK(before.front().find(encode_base64(std::string(50'000, 'p'), Base64::Padded)) != std::string::npos);
  const Finished purged = run_program({"purge", "--data", world.desk.folder(), "--older-than", "0h"});
  INFO(purged.output);
  CHECK_THAT(purged.output, Catch::Contains("1 attachment") && Catch::Contains("files of 50000 bytes purged"));
  CHECK(bodies() == before);
}

TEST_CASE("a preview waits for nobody who writes, and nobody waits for it to write", "[webhooks][sqlite]") {
  WebhookDesk world({"webhooks.include_attachments=true"});
  const std::string call = world.incident("x");
  upload(world, call, std::string(100'000, 'p'));
  const std::string webhook = world.add(R"("CoreEntityType":"Call","PayloadSelect":"Ref")");
  const std::string path = "webhook/" + webhook + "/preview";
  const std::string body = R"({"Entity":"incident","Event":"Updated","Ref":)" + call + "}";
  CHECK(world.desk.send("admin", "PUT", path, body).status == 200);  // signed in
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open((world.desk.folder() + "/desk.db").c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);  // the one writer's lock
  CHECK(world.desk.send("admin", "PUT", path, body).status == 200);
  CHECK(sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(other);
}

TEST_CASE("what was queued whole by an older version is sent as it was", "[webhooks][sqlite]") {
  WebhookDesk world;
  const std::string webhook = world.add(R"("CoreEntityType":"Call","PayloadSelect":"Ref")");
  world.receiver.answer([](const Received&) { return test::ReceiverAnswer{500}; });
  const std::string call = world.incident("x");
  world.receiver.wait_for(1);
  const std::string delivery = world.desk.refs("admin", "webhook-delivery", {}).at(0);
  CHECK(world.concluded(webhook)["Status"] == "F");
  world.receiver.answer([](const Received&) { return test::ReceiverAnswer{200}; });
  world.desk.done("admin", "PUT", "webhook-delivery/" + delivery + "/redeliver", "{}");
  CHECK(world.concluded(webhook)["Status"] == "S");
  CHECK(number(world, Sql("SELECT COUNT(*) FROM webhook_body_part")) == 0);
  CHECK(text_at(world.receiver.received().back().body, {"Call", "Ref"}) == call);
}

}  // namespace
