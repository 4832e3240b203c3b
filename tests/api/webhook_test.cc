// Webhooks as an administrator sets them up and a receiver sees them (webhooks/README.md).
#include "webhook_desk.h"

#include <catch2/catch.hpp>

#include <chrono>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;
using test::Received;

TEST_CASE("a receiver is told of a change as it was, signed, under an id of its own", "[webhooks]") {
  WebhookDesk world;
  const std::string webhook = world.add(R"("CoreEntityType":"Call","PayloadSelect":"Ref,ShortDescription,Group.Name")");
  const std::string ref = world.incident("first words");
  const auto got = world.receiver.wait_for(1);
  REQUIRE(got.size() == 1);
  const Received& request = got.front();
  CHECK(request.path == "/hook");
  CHECK(request.header("content-type") == "application/json; charset=utf-8");
  CHECK(request.header("callisto-event") == "Call.Created");
  CHECK(request.header("callisto-webhook") == webhook);
  CHECK(request.header("callisto-attempt") == "1");
  CHECK(request.header("callisto-redelivery").empty());
  CHECK(request.header("webhook-id").starts_with("msg_"));
  CHECK(request.header("webhook-id").size() == 30);
  CHECK(is_signed(request, webhook_secret));
  CHECK(text_at(request.body, {"Action"}) == "Created");
  CHECK(text_at(request.body, {"ActionHistoryId"}) == "1");
  CHECK(text_at(request.body, {"Call", "Ref"}) == ref);
  CHECK(text_at(request.body, {"Call", "ShortDescription"}) == "first words");
  CHECK(text_at(request.body, {"Call", "_self"}) == "api:v1/incident/" + ref);
  CHECK(text_at(request.body, {"Call", "State"}) == "(none)");
  CHECK(text_at(request.body, {"Attachments"}) == "(none)");

  const Reply delivery = world.concluded(webhook);
  CHECK(delivery["Status"] == "S");
  CHECK(delivery["Attempts"] == "1");
  CHECK(delivery["ResponseCode"] == "200");
  CHECK(delivery["Event"] == "Created");
  CHECK(delivery["EntityType"] == "incident");
  CHECK(delivery["EntityRef"] == ref);
  CHECK(delivery["NextAttempt"] == "null");
  CHECK(delivery["MessageId"] == request.header("webhook-id"));
  CHECK(delivery["RequestBody"] == request.body);
  CHECK(text_at(delivery.raw, {"RequestHeaders", "webhook-signature"}) == request.header("webhook-signature"));
  const auto& log = delivery.body.find("AttemptLog")->items();
  REQUIRE(log.size() == 1);
  CHECK(text_of(log[0], "Attempt") == "1");
  CHECK(text_of(log[0], "ResponseCode") == "200");
  CHECK(text_of(log[0], "ResponseBody") == "ok");
  const Reply told = world.desk.get("admin", "webhook/" + webhook);
  CHECK(told["Status"] == "S");
  CHECK(told["LastDeliveryDate"] != "null");
}

TEST_CASE("every column is told where none is selected, and secrets and bytes never", "[webhooks]") {
  WebhookDesk world;
  world.add(R"("CoreEntityType":"Person")");
  world.desk.done("admin", "POST", "person", R"({"FirstName":"Ada","LastName":"Webhook"})");
  const auto got = world.receiver.wait_for(1);
  REQUIRE(got.size() == 1);
  CHECK(text_at(got[0].body, {"Person", "LastName"}) == "Webhook");
  CHECK(text_at(got[0].body, {"Person", "IsActive"}) != "(none)");
  CHECK(text_at(got[0].body, {"Person", "Image"}) == "(none)");
  CHECK(text_at(got[0].body, {"Person", "IsDeleted"}) == "(none)");
}

TEST_CASE("each delivery says what was true then, in the order of the commits", "[webhooks]") {
  WebhookDesk world;
  world.add(R"("CoreEntityType":"Call","PayloadSelect":"ShortDescription")");
  const std::string ref = world.incident("0");
  {
    const test::WebhookReceiver::Pause pause(world.receiver);
    for (int i = 1; i <= 30; ++i)
      world.desk.done("analyst", "PUT", "incident/" + ref, R"({"ShortDescription":")" + std::to_string(i) + "\"}");
  }
  const auto got = world.receiver.wait_for(31);
  REQUIRE(got.size() == 31);
  for (std::size_t i = 0; i < got.size(); ++i)
    CHECK(text_at(got[i].body, {"Call", "ShortDescription"}) == std::to_string(i));
}

TEST_CASE("only what was asked for is told", "[webhooks]") {
  WebhookDesk world;
  world.add(R"("CoreEntityType":"Call","Events":"Individual","IndividualTriggers":["Closed","Reopened"])", "/closing");
  world.add(R"("CoreEntityType":"Call","EntityType":"problem")", "/problems");
  world.add(R"*("CoreEntityType":"Call","EntityType":"call","PayloadFilter":"ShortDescription.StartsWith(\"loud\")")*",
            "/loud");
  world.add(R"("CoreEntityType":"Call","PayloadFilter":"CreatedBy == @UserId")", "/own");
  world.add(R"("CoreEntityType":"Task")", "/tasks");
  world.add(R"("CoreEntityType":"Call","Active":false)", "/idle");
  world.add(R"("CoreEntityType":"Call","Events":"Individual","IndividualTriggers":["ActionAddedtoHistory"])",
            "/history");

  const std::string loud = world.incident("loud one");
  world.desk.done("analyst2", "PUT", "incident/" + loud + "/close", R"({"Description":"done"})");
  world.desk.done("analyst2", "POST", "problem", R"({"ShortDescription":"quiet"})");
  // /closing 1, /problems 1, /loud 2, /own 2, /history 3: nothing else comes after a Ping that is sent last.
  const std::string last = world.add(R"("CoreEntityType":"Knowledge")", "/last");
  CHECK(world.receiver.wait_for(9).size() == 9);
  world.desk.done("admin", "PUT", "webhook/" + last + "/test", "{}");
  std::map<std::string, std::vector<std::string>> by_path;
  for (const Received& each : world.receiver.wait_for(10)) by_path[each.path].push_back(each.header("callisto-event"));
  CHECK(by_path["/closing"] == std::vector<std::string>{"Call.Closed"});
  CHECK(by_path["/problems"] == std::vector<std::string>{"Call.Created"});
  CHECK(by_path["/loud"] == std::vector<std::string>{"Call.Created", "Call.Closed"});
  CHECK(by_path["/own"] == std::vector<std::string>{"Call.Created", "Call.Created"});
  CHECK(by_path["/history"].size() == 3);
  CHECK(by_path["/last"] == std::vector<std::string>{"Ping"});
  CHECK(by_path.count("/tasks") == 0);
  CHECK(by_path.count("/idle") == 0);
}

TEST_CASE("what is wrong with a webhook is told all at once, when it is saved", "[webhooks]") {
  WebhookDesk world;
  struct Row {
    const char* members;
    std::set<std::string> errors;
  };
  const Row rows[] = {
      {R"("PayloadUrl":"http://x.example/","Secret":"s3cret-s3cret","CoreEntityType":"Call")", {}},
      {R"("CoreEntityType":"Call")", {"PayloadUrl"}},
      {R"("PayloadUrl":"http://x.example/","Secret":"********","CoreEntityType":"Call")", {"Secret"}},
      {R"("PayloadUrl":"http://x.example/","Secret":"s3cret-s3cret\n","CoreEntityType":"Call")", {"Secret"}},
      {R"("PayloadUrl":"http://x.example/","Secret":"whsec_c2VjcmV0\r\n","CoreEntityType":"Call")", {"Secret"}},
      {R"("PayloadUrl":"gopher://x/","Secret":"s3cret-s3cret","CoreEntityType":"Call")", {"PayloadUrl"}},
      {R"("PayloadUrl":"file:///etc/passwd","Secret":"s3cret-s3cret","CoreEntityType":"Call")", {"PayloadUrl"}},
      {R"("PayloadUrl":"http://169.254.169.254/latest","Secret":"s3cret-s3cret","CoreEntityType":"Call")",
       {"PayloadUrl"}},
      {R"("PayloadUrl":"http://0xA9FEA9FE/","Secret":"s3cret-s3cret","CoreEntityType":"Call")", {"PayloadUrl"}},
      {R"("PayloadUrl":"http://user:pw@x.example/","Secret":"s3cret-s3cret","CoreEntityType":"Call")", {"PayloadUrl"}},
      {R"("PayloadUrl":"nonsense","Secret":"whsec_!","CoreEntityType":"Call")", {"PayloadUrl", "Secret"}},
      {R"("PayloadUrl":"nonsense","CoreEntityType":"Cal","Events":"Some","Secret":"whsec_!")",
       {"CoreEntityType", "Events"}},  // what is no value at all comes first
      {R"("PayloadUrl":"http://x.example/","Secret":"s3cret-s3cret","CoreEntityType":"Call","EntityType":"task")",
       {"EntityType"}},
      {R"("PayloadUrl":"http://x.example/","Secret":"s3cret-s3cret","CoreEntityType":"Call","Events":"Individual")",
       {"IndividualTriggers"}},
      {R"("PayloadUrl":"http://x.example/","Secret":"s3cret-s3cret","CoreEntityType":"Call","Events":"Individual",)"
       R"("IndividualTriggers":["Creatd"])",
       {"IndividualTriggers"}},
      {R"("PayloadUrl":"http://x.example/","Secret":"s3cret-s3cret","CoreEntityType":"Call",)"
       R"("PayloadSelect":"Ref,Nonsense","PayloadFilter":"Ref >","AttachmentNameFilter":"(a")",
       {"PayloadSelect", "PayloadFilter", "AttachmentNameFilter"}},
  };
  for (const Row& row : rows) {
    const Reply reply = world.desk.send("admin", "POST", "webhook", "{" + std::string(row.members) + "}");
    INFO(row.members << " -> " << reply.raw.substr(0, 800));
    CHECK(reply.status == (row.errors.empty() ? 200 : 400));
    CHECK(reply.errors() == row.errors);
  }
}

TEST_CASE("a loopback receiver is refused where the server listens to more than loopback", "[webhooks]") {
  TemporaryFolder folder;
  ServerProcess server(folder.path(), {"--samples", "--set", "listen=0.0.0.0:0"});
  const Client admin(server, server.token("admin"));
  for (const char* url : {"http://127.0.0.1:9/", "http://2130706433/", "http://0x7f.1/", "http://localhost:80/",
                          "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://127.1/"}) {
    const Answer answer =
        admin.send("POST", "v1/webhook",
                   std::string(R"({"PayloadUrl":")") + url + R"(","Secret":"s3cret-s3cret","CoreEntityType":"Call"})");
    INFO(url << " -> " << answer.body);
    CHECK(answer.status == 400);
    CHECK(answer.body.find("webhooks.networks") != std::string::npos);
  }
}

TEST_CASE("a loopback receiver is refused where a proxy publishes a server that listens on loopback", "[webhooks]") {
  const std::pair<const char*, int> rows[] = {{"base_url=https://desk.example", 400},
                                              {"http.trusted_proxies=127.0.0.1", 400},
                                              {"base_url=http://localhost:8080", 200},
                                              {"base_url=http://127.0.0.1:1/x", 200}};
  for (const auto& [setting, status] : rows) {
    TemporaryFolder folder;
    ServerProcess server(folder.path(), {"--samples", "--set", setting});
    const Client admin(server, server.token("admin"));
    const Answer answer =
        admin.send("POST", "v1/webhook",
                   R"({"PayloadUrl":"http://127.0.0.1:9/","Secret":"s3cret-s3cret","CoreEntityType":"Call"})");
    INFO(setting << " -> " << answer.body);
    CHECK(answer.status == status);
    CHECK(answer.body.find("PayloadUrl: PayloadUrl") == std::string::npos);
  }
}

TEST_CASE("webhooks belong to people with the right Integration", "[webhooks]") {
  WebhookDesk world;
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  for (const char* login : {"analyst", "user"}) {
    CHECK(world.desk.get(login, "webhook").status == 403);
    CHECK(world.desk.get(login, "webhook/" + webhook).status == 403);
    CHECK(world.desk.get(login, "webhook-delivery").status == 403);
    CHECK(world.desk.get(login, "webhook-log").status == 403);
    CHECK(world.desk.get(login, "webhook/" + webhook + "/delivery").status == 403);
    CHECK(world.desk.send(login, "PUT", "webhook/" + webhook + "/test", "{}").status == 403);
    CHECK(world.desk.send(login, "PUT", "webhook/" + webhook + "/rotate-secret", "{}").status == 403);
    CHECK(world.desk.send(login, "DELETE", "webhook/" + webhook).status == 403);
  }
  CHECK(world.desk.send("admin", "POST", "webhook-delivery", "{}").status == 405);
  CHECK(world.desk.send("admin", "POST", "webhook-log", "{}").status == 405);
}

TEST_CASE("a secret is never read back, and asterisks keep it", "[webhooks]") {
  WebhookDesk world;
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  const Reply read = world.desk.get("admin", "webhook/" + webhook);
  CHECK(read["Secret"] == "********");
  CHECK(read.raw.find("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") == std::string::npos);
  world.desk.done("admin", "PUT", "webhook/" + webhook, R"({"Secret":"********","Name":"kept"})");
  world.incident("x");
  CHECK(is_signed(world.receiver.wait_for(1).at(0), webhook_secret));
  CHECK(world.desk.get("admin", "webhook", {{"$filter", "Secret == \"x\""}}).status == 400);
  CHECK(world.desk.get("admin", "webhook", {{"$orderby", "Secret"}}).status == 400);
  // Nor does it stand in any file of the desk.
  for (const auto& file : std::filesystem::recursive_directory_iterator(world.desk.folder())) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    INFO(file.path());
    CHECK(bytes.find("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") == std::string::npos);
  }
}

TEST_CASE("a rotated secret is shown once and signs beside the one before", "[webhooks]") {
  WebhookDesk world;
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  const Reply rotated = world.desk.done("admin", "PUT", "webhook/" + webhook + "/rotate-secret", "{}");
  const std::string made = rotated["Secret"];
  CHECK(made.starts_with("whsec_"));
  CHECK(rotated["PreviousSecretUntil"] != "null");
  CHECK(world.desk.get("admin", "webhook/" + webhook)["Secret"] == "********");
  world.incident("x");
  const Received request = world.receiver.wait_for(1).at(0);
  CHECK(is_signed(request, made));
  CHECK(is_signed(request, webhook_secret));
  world.desk.done("admin", "PUT", "webhook/" + webhook + "/rotate-secret", R"({"Secret":"one of my own"})");
  world.incident("y");
  const Received second = world.receiver.wait_for(2).at(1);
  CHECK(is_signed(second, "one of my own"));
  CHECK(is_signed(second, made));
  CHECK_FALSE(is_signed(second, webhook_secret));
  CHECK(world.desk.send("admin", "PUT", "webhook/" + webhook + "/rotate-secret", R"({"Secret":"whsec_?"})").status ==
        400);
  // Eight asterisks are what a read shows: anybody who knows that could sign with them.
  const Reply masked =
      world.desk.send("admin", "PUT", "webhook/" + webhook + "/rotate-secret", R"({"$action":{"Secret":"********"}})");
  CHECK(masked.status == 400);
  CHECK(masked.errors() == std::set<std::string>{"Secret"});
  world.incident("z");
  CHECK(is_signed(world.receiver.wait_for(3).at(2), "one of my own"));
}

TEST_CASE("a webhook that is given no secret has one made, which is shown once and signs", "[webhooks]") {
  WebhookDesk world;
  const std::string rest = R"("PayloadUrl":")" + world.receiver.url() + R"(","CoreEntityType":"Call")";
  const auto create = [&](const std::string& members, const std::string& select = {}) {
    return world.desk.send("admin", "POST", "webhook" + select, "{" + rest + members + "}");
  };
  std::size_t count = 0;
  for (const auto& [members, select] :
       std::vector<std::pair<std::string, std::string>>{{"", ""}, {R"(,"Secret":null)", ""}, {"", "?$select=Secret"}}) {
    const Reply made = create(members, select);
    INFO(members << select << " -> " << made.raw);
    REQUIRE(made.status == 200);
    const std::string secret = made["Secret"];
    REQUIRE(secret.starts_with("whsec_"));
    CHECK(secret.size() == std::string("whsec_").size() + 44);
    const std::string ref = world.desk.refs("admin", "webhook", {{"$orderby", "Ref desc"}, {"$top", "1"}}).at(0);
    CHECK(world.desk.get("admin", "webhook/" + ref)["Secret"] == "********");
    world.incident("x");
    CHECK(is_signed(world.receiver.wait_for(++count).back(), secret));
    world.desk.done("admin", "PUT", "webhook/" + ref, R"({"Active":false})");
  }
  // The same request once more tells the webhook, and not its secret.
  const ServerProcess::Headers again{"Content-Type: application/json", "Idempotency-Key: once"};
  const Reply first = world.desk.send("admin", "POST", "webhook", "{" + rest + "}", again);
  const Reply second = world.desk.send("admin", "POST", "webhook", "{" + rest + "}", again);
  CHECK(first["Secret"].starts_with("whsec_"));
  CHECK(second["Ref"] == first["Ref"]);
  CHECK(second["Secret"] == "********");
  // An empty one, or the mask of another webhook's, is none that was left out.
  for (const char* none : {R"(,"Secret":"")", R"(,"Secret":"********")"})
    CHECK(create(none).errors() == std::set<std::string>{"Secret"});
  // One that is given is not shown, and none can be taken away.
  const Reply given = create(R"(,"Secret":"a long random text here")");
  CHECK(given["Secret"] == "********");
  for (const char* none : {R"({"Secret":null})", R"({"Secret":""})"}) {
    const Reply taken = world.desk.send("admin", "PUT", "webhook/" + given["Ref"], none);
    CHECK(taken.status == 400);
    CHECK(taken.errors() == std::set<std::string>{"Secret"});
  }
}

TEST_CASE("a secret that is made is shown whatever the answer selects", "[webhooks]") {
  WebhookDesk world;
  const std::string path = "webhook/" + world.add(R"("CoreEntityType":"Call")") + "/rotate-secret?$select=";
  struct Row {
    const char *select, *member;
  };
  for (const Row& row : {Row{"Secret", "Secret"}, Row{"Key:Secret", "Key"}, Row{"Ref", "Secret"}, Row{"*", "Secret"},
                         Row{"Secret:Ref", "_Secret"}, Row{"Name,Key:Secret,Owner.Name", "Key"},
                         Row{"Status:Secret,Secret:Status", "Status"}}) {
    const Reply rotated = world.desk.done("admin", "PUT", path + row.select, "{}");
    INFO(row.select << " -> " << rotated.raw);
    CHECK(rotated[row.member].starts_with("whsec_"));
    CHECK(rotated.raw.find("whsec_") == rotated.raw.rfind("whsec_"));
    CHECK(rotated.raw.find("\"********\"") == std::string::npos);
  }
  // And it is the one that signs.
  const std::string made = world.desk.done("admin", "PUT", path + "New:Secret", "{}")["New"];
  world.incident("x");
  CHECK(is_signed(world.receiver.wait_for(1).at(0), made));
}

TEST_CASE("a test sends a Ping and answers its delivery", "[webhooks]") {
  WebhookDesk world;
  const std::string webhook = world.add(R"("CoreEntityType":"Call")");
  const Reply delivery = world.desk.done("admin", "POST", "webhook/" + webhook + "/test", "{}");
  CHECK(delivery["Event"] == "Ping");
  const Received ping = world.receiver.wait_for(1).at(0);
  CHECK(ping.header("callisto-event") == "Ping");
  CHECK(ping.header("callisto-delivery") == delivery["Ref"]);
  CHECK(text_at(ping.body, {"Action"}) == "Ping");
  CHECK(is_signed(ping, webhook_secret));
}

TEST_CASE("a webhook that is switched off takes no test and says why, by the API and by the command", "[webhooks]") {
  WebhookDesk world;
  const std::string webhook = world.add(R"("CoreEntityType":"Call","Active":false)");
  const Reply refused = world.desk.send("admin", "PUT", "webhook/" + webhook + "/test", "{}");
  CHECK(refused.status == 400);
  CHECK(refused["Type"] == "InvalidStateException");
  CHECK_THAT(refused["Message"], Catch::Contains("does not offer test, which needs Active == true; it offers update"));
  CHECK(world.desk.refs("admin", "webhook/" + webhook + "/delivery", {}).empty());
  const auto test = [&] { return run_program({"webhook", "test", webhook, "--data", world.desk.folder()}); };
  CHECK(test().exit_status == 1);  // beside the server
  world.desk.server().stop();
  const Finished finished = test();
  CHECK(finished.exit_status == 1);
  CHECK_THAT(finished.output, Catch::Contains("webhook " + webhook + " is switched off") &&
                                  Catch::Contains("set Active to true by PUT webhook/" + webhook));
  const Finished list = run_program({"webhook", "list", "--data", world.desk.folder()});
  CHECK_THAT(list.output, Catch::Contains("\tno\tP\t0\t-"));  // and nothing waits
}

TEST_CASE("a preview shows what would be sent and sends nothing", "[webhooks]") {
  WebhookDesk world;
  const std::string webhook =
      world.add(R"("CoreEntityType":"Call","PayloadFilter":"ShortDescription == \"it's\"","PayloadSelect":"Ref")");
  const std::string ref = world.desk.done("admin", "POST", "incident", R"({"ShortDescription":"other"})")["Ref"];
  const std::string path = "webhook/" + webhook + "/preview";
  const std::string body = R"({"Entity":"incident","Ref":)" + ref + R"(,"Event":"Closed"})";
  Reply shown = world.desk.done("admin", "PUT", path, body);
  CHECK(shown["Matches"] == "false");
  CHECK(shown["Reason"] == "the record does not satisfy PayloadFilter");
  const std::string version = world.desk.get("admin", "webhook/" + webhook).headers["etag"];
  world.desk.done("admin", "PUT", "incident/" + ref, R"({"ShortDescription":"it's"})");
  const std::size_t sent = world.receiver.wait_for(1).size();
  shown = world.desk.done("admin", "PUT", path, body);
  CHECK(shown["Matches"] == "true");
  CHECK(shown["Url"] == world.receiver.url());
  CHECK(text_at(shown.raw, {"Headers", "Callisto-Event"}) == "Call.Closed");
  CHECK(text_at(shown["Body"], {"Call", "Ref"}) == ref);
  CHECK(shown["Curl"].starts_with("curl -X POST '" + world.receiver.url() + "'"));
  CHECK(world.receiver.received().size() == sent);
  CHECK(world.desk.get("admin", "webhook/" + webhook).headers["etag"].substr(0, 3) == version.substr(0, 3));
  CHECK(world.desk.send("admin", "PUT", path, R"({"Entity":"incident","Ref":999999,"Event":"Closed"})").status == 400);
  CHECK(world.desk.send("admin", "PUT", path, R"({"Entity":"role","Ref":1,"Event":"Closed"})").status == 400);
  CHECK(world.desk.send("admin", "PUT", path, "{}").errors() == std::set<std::string>{"Entity", "Ref", "Event"});
}

TEST_CASE("a delivery goes on with the trace of the request that led to it, on every attempt", "[webhooks]") {
  WebhookDesk world;
  world.add(R"("CoreEntityType":"Call")", "/hook");
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
  const auto post = [&](const ServerProcess::Headers& more) {
    ServerProcess::Headers headers{"Content-Type: application/json"};
    headers.insert(headers.end(), more.begin(), more.end());
    CHECK(world.desk.send("analyst", "POST", "incident", R"({"ShortDescription":"x"})", headers).status == 200);
  };
  struct Sent {
    ServerProcess::Headers headers;
    std::string parent, state;
  };
  const Sent cases[] = {{{"traceparent: 00-" + trace + "-01"}, "00-" + trace + "-01", ""},
                        {{"traceparent: 00-" + trace + "-01", "tracestate: a=1,b=2"}, "00-" + trace + "-01", "a=1,b=2"},
                        {{"traceparent: 42-" + trace + "-03-more", "tracestate: a=1", "tracestate: b=2"},
                         "00-" + trace + "-01",
                         "a=1,b=2"},
                        {{"traceparent: ff-" + trace + "-01", "tracestate: a=1"}, "", ""},
                        {{"traceparent: 00-" + trace + "-01", "tracestate: A"}, "00-" + trace + "-01", ""},
                        {{"tracestate: a=1"}, "", ""},
                        {{}, "", ""}};
  std::size_t count = 0;
  for (const Sent& each : cases) {
    post(each.headers);
    const auto got = world.receiver.wait_for(++count);
    REQUIRE(got.size() == count);
    CHECK(got.back().header("traceparent") == each.parent);
    CHECK(got.back().header("tracestate") == each.state);
  }
}

TEST_CASE("a webhook leaves out what a client changes that it names, and rounds end", "[webhooks]") {
  WebhookDesk world;
  const std::string client = world.desk.refs("admin", "client", {{"$filter", "ClientId == \"sample-app\""}}).at(0);
  world.add(R"("CoreEntityType":"Call","ExcludedClient":)" + client, "/others");
  const std::string all = world.add(R"("CoreEntityType":"Call")", "/all");
  const auto post = [&](const std::string& hops, const std::string& proof) {
    ServerProcess::Headers headers{"Content-Type: application/json", "Callisto-Hop: " + hops};
    if (!proof.empty()) headers.push_back("Callisto-Delivery-Proof: " + proof);
    CHECK(world.desk.send("analyst", "POST", "incident", R"({"ShortDescription":"x"})", headers).status == 200);
  };
  // A receiver passes on what it was sent, and the next delivery is one further.
  world.incident("the first");
  for (std::size_t round = 1; round <= 5; ++round) {
    const Received last = world.receiver.wait_for(round).at(round - 1);
    CHECK(last.header("callisto-hop") == std::to_string(round));
    post(last.header("callisto-hop"), last.header("callisto-delivery-proof"));
  }
  const std::string proof = world.receiver.received().back().header("callisto-delivery-proof");
  // The sixth is not lost from sight, nor is the webhook a failing one.
  const Reply ended =
      world.desk.get("admin", "webhook-delivery", {{"$filter", "Status == \"F\""}, {"$select", "Error"}});
  CHECK(ended.raw.find("5 deliveries led to each other") != std::string::npos);
  CHECK(world.concluded(all)["Status"] == "F");
  CHECK(world.desk.get("admin", "webhook/" + all)["Status"] == "S");
  const std::string metrics = world.desk.server().send("GET", "/metrics").body;
  CHECK(metrics.find("callisto_webhook_untold_total{reason=\"round\"} 1\n") != std::string::npos);

  // Without a proof, with one that is none, or for a number that is none, it begins anew.
  std::string forged = proof;
  forged.back() = forged.back() == '0' ? '1' : '0';
  const std::pair<std::string, std::string> unbelieved[] = {
      {"5", ""}, {"5", "1"}, {"5", forged}, {"5", "0." + proof}, {"5", proof + "0"}, {"99999999999999999999", proof}};
  std::size_t count = 5;
  for (const auto& [hops, given] : unbelieved) {
    INFO(hops << " with " << given);
    post(hops, given);
    const auto got = world.receiver.wait_for(++count);
    REQUIRE(got.size() == count);
    CHECK(got.back().header("callisto-hop") == "1");
    CHECK(got.back().path == "/all");
  }

  // What is sent again is as far along its round as it was.
  const std::string first = world.desk.refs("admin", "webhook-delivery", {{"$orderby", "Ref"}}).at(4);
  world.desk.done("admin", "PUT", "webhook-delivery/" + first + "/redeliver", "{}");
  CHECK(world.receiver.wait_for(++count).back().header("callisto-hop") == "5");
}

TEST_CASE("an edit counts at once; a deleted webhook is gone and its deliveries stay readable", "[webhooks]") {
  WebhookDesk world;
  world.receiver.answer([](const Received&) { return test::ReceiverAnswer{500}; });
  const std::string webhook = world.add(R"("CoreEntityType":"Call")", "/old");
  world.incident("x");
  world.receiver.wait_for(1);
  world.desk.done("admin", "PUT", "webhook/" + webhook, R"({"PayloadUrl":")" + world.receiver.url("/new") + "\"}");
  world.receiver.answer(
      [](const Received& request) { return test::ReceiverAnswer{request.path == "/new" ? 200 : 500}; });
  const Reply delivery = world.concluded(webhook);
  CHECK(delivery["Status"] == "S");
  CHECK(world.receiver.received().back().path == "/new");

  world.receiver.answer([](const Received&) { return test::ReceiverAnswer{500}; });
  world.incident("y");
  world.desk.done("admin", "DELETE", "webhook/" + webhook);
  CHECK(world.desk.get("admin", "webhook/" + webhook).status == 404);
  const auto refs = world.desk.refs("admin", "webhook-delivery", {{"$orderby", "Ref desc"}});
  REQUIRE(refs.size() == 2);
  std::string status = "P";
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while ((status == "P" || status == "R") && std::chrono::steady_clock::now() < until)
    status = world.desk.get("admin", "webhook-delivery/" + refs[0])["Status"];
  CHECK(status == "C");
  CHECK(world.desk.send("admin", "PUT", "webhook-delivery/" + refs[0] + "/redeliver", "{}").status == 400);
}

}  // namespace
