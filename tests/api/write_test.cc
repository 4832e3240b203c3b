// What a body may say and how it is answered: the sentences of API rules 4.1 to 4.5 to 4.7, one test for each.
#include "shared_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

using Names = std::set<std::string>;

const std::string json_type = "Content-Type: application/json";

// A call of its own for a test: the url below v1.
std::string new_call(std::string_view login = "analyst") {
  return "call/" + desk().done(login, "POST", "call", R"({"ShortDescription": "x"})")["Ref"];
}

Reply put(const std::string& path, std::string_view body) { return desk().send("analyst", "PUT", path, body); }

std::string one(std::string_view name, std::string_view value) {
  return "{\"" + std::string(name) + "\": " + std::string(value) + "}";
}

}  // namespace

TEST_CASE("POST answers 200, the record as a GET shows it, and its Location") {
  const Reply made = desk().done("analyst", "POST", "incident", R"({"ShortDescription": "x", "AffectedUsers": 3})");
  CHECK(made.headers.at("location") == "/service.api/api/v1/incident/" + made["Ref"]);
  const Reply read = desk().get("analyst", "incident/" + made["Ref"]);
  CHECK(made.raw == read.raw);
  CHECK(made.headers.at("etag") == read.headers.at("etag"));
  CHECK(made["Id"].size() == 36);
  CHECK(made["CreatedBy"] == "2");
  CHECK(made["UpdatedDate"] == made["CreatedDate"]);
  const Reply changed = put("incident/" + made["Ref"], R"({"AffectedUsers": 4})");
  CHECK(changed.headers.count("location") == 0);
  CHECK(changed.raw == desk().get("analyst", "incident/" + made["Ref"]).raw);
  CHECK(changed.headers.at("etag") != made.headers.at("etag"));
}

TEST_CASE("a write looks at other records as they are, not as an earlier write found them") {
  const Reply person = desk().done("admin", "POST", "person", R"({"LastName": "Leaver", "Partition": 1})");
  const std::string body = R"({"ShortDescription": "x", "User": )" + person["Ref"] + "}";
  for (int i = 0; i < 2; ++i) {
    const std::string incident = "incident/" + desk().done("analyst", "POST", "incident", body)["Ref"];
    desk().done("analyst", "PUT", incident, R"({"User": null})");
  }
  desk().done("admin", "DELETE", "person/" + person["Ref"]);
  CHECK(desk().send("analyst", "POST", "incident", body).status == 400);
}

TEST_CASE("numbers are answered as they are kept") {
  const Reply made =
      desk().done("analyst", "POST", "incident", R"({"ShortDescription": "x", "Number1": -0.0, "Number2": 0.1})");
  CHECK(made.raw == desk().get("analyst", "incident/" + made["Ref"]).raw);
}

TEST_CASE("DELETE answers what went") {
  const Reply made = desk().done("analyst", "POST", "knowledge", R"({"Title": "x"})");
  const Reply gone = desk().done("analyst", "DELETE", "knowledge/" + made["Ref"]);
  CHECK(gone["_self"] == "api:v1/knowledge/" + made["Ref"]);
  CHECK(gone["_context"] == "api:v1/knowledge/$metadata");
  CHECK(gone.body.members().size() == 2);
  CHECK(desk().get("analyst", "knowledge/" + made["Ref"]).status == 404);
  CHECK(desk().send("analyst", "DELETE", "knowledge/" + made["Ref"]).status == 404);
}

TEST_CASE("a body that is not JSON in UTF-8 is 415, one that is none 400") {
  const std::string call = new_call();
  for (const char* type : {"text/plain", "application/json; charset=iso-8859-1", "application/xml", "text/json",
                           "application/x-www-form-urlencoded"}) {
    const Reply reply = desk().send("analyst", "PUT", call, R"({"Name": "x"})", {std::string("Content-Type: ") + type});
    INFO(type);
    CHECK(reply.status == 415);
    CHECK(reply["SubStatus"] == "NotSupported");
    CHECK(reply["Type"] == "UnsupportedMediaTypeException");
  }
  for (const char* type : {"application/json", "Application/JSON;charset=UTF-8", "application/json; charset=\"utf-8\""})
    CHECK(desk().send("analyst", "PUT", call, R"({"Name": "x"})", {std::string("Content-Type: ") + type}).status ==
          200);
  for (const char* body : {"{", "{\"Name\": }", "{\"Name\": 'x'}", "[1]", "5", "\"x\"", "{\"Name\": \"x\"} x",
                           "{\"Name\": \"a\xff\"}", "{\"Name\": \"a\\ud800\"}", "{\"Name\": \"a\", \"Name\": \"b\"}",
                           "\xef\xbb\xbf", "\xef\xbb\xbf\xef\xbb\xbf{}"}) {
    const Reply reply = put(call, body);
    INFO(body << " -> " << reply.raw);
    CHECK(reply.status == 400);
    CHECK(reply["Type"] == "FormatException");
  }
}

TEST_CASE("a byte order mark of UTF-8 is passed over, that of another form is told") {
  using namespace std::string_literals;
  const std::string call = new_call();
  CHECK(put(call, "\xef\xbb\xbf{\"Name\": \"marked\"}").status == 200);
  CHECK(desk().get("analyst", call)["Name"] == "marked");
  for (const auto& [body, form] :
       std::vector<std::pair<std::string, std::string>>{{"\xff\xfe{\0}\0"s, "UTF-16"},
                                                        {"\xfe\xff\0{\0}"s, "UTF-16"},
                                                        {"{\0}\0"s, "UTF-16"},
                                                        {"\xff\xfe\0\0{\0\0\0"s, "UTF-32"},
                                                        {"\0\0\xfe\xff\0\0\0{"s, "UTF-32"}}) {
    const Reply reply = put(call, body);
    CHECK(reply.status == 400);
    CHECK(reply["Message"] == "The body is " + form + "; send it as UTF-8.");
  }
}

TEST_CASE("a packed body is 415 with the name of its coding") {
  const std::string call = new_call();
  const auto sent = [&](const std::string& method, const std::string& path, const std::string& coding,
                        const std::string& type = json_type) {
    return desk().send("analyst", method, path, "{\"Name\": \"x\"}", {type, "Content-Encoding: " + coding});
  };
  CHECK(sent("PUT", call, "identity").status == 200);
  for (const std::string coding : {"gzip", "deflate", "br", "zstd", "gzip, gzip"})
    for (const auto& [path, type] : std::vector<std::pair<std::string, std::string>>{
             {call, json_type},
             {call + "/attachment", json_type},
             {call + "/attachment", "Content-Type: multipart/form-data; boundary=XX"},
             {"person/2/image", "Content-Type: image/png"}}) {
      const Reply reply = sent(path.ends_with("attachment") ? "POST" : "PUT", path, coding, type);
      INFO(path << " " << reply.raw);
      CHECK((reply.status == 415 || (path.starts_with("person") && reply.status == 403)));
      if (reply.status == 415) CHECK_THAT(reply["Message"], Catch::Contains("Content-Encoding '" + coding + "'"));
    }
}

TEST_CASE("an empty body is legal where nothing is mandatory") {
  const std::string call = new_call();
  CHECK(desk().send("analyst", "PUT", call + "/lock", "", {}).status == 200);
  CHECK(desk().send("analyst", "PUT", call + "/unlock", "", {"Content-Type: text/plain"}).status == 200);
  CHECK(desk().send("analyst", "POST", call + "/submit", "").status == 200);
  CHECK(desk().send("analyst", "PUT", call, "", {}).status == 400);
  CHECK(put(call, "{}").status == 400);
  const Reply nothing = desk().send("analyst", "POST", "call", "", {});
  CHECK(nothing.status == 400);
  CHECK(nothing["Message"].find("ShortDescription") != std::string::npos);
}

TEST_CASE("PUT is partial: what is missing stays, null clears") {
  const std::string call = new_call();
  desk().done("analyst", "PUT", call,
              R"({"Name": "n", "Number1": 1.5, "Priority": 2, "Checkbox1": true, "Time1": "2026-01-01T00:00:00Z"})");
  const Reply changed = put(call, R"({"Number1": 2.5})");
  CHECK(changed["Name"] == "n");
  CHECK(changed["Number1"] == "2.5");
  const Reply cleared = put(call, R"({"Name": null, "Priority": null, "Checkbox1": null, "Time1": null})");
  for (const char* name : {"Name", "Priority", "Checkbox1", "Time1"}) CHECK(cleared[name] == "null");
  CHECK(cleared["Number1"] == "2.5");
  const Reply item = put("configuration-item/102", R"({"Name": null})");
  CHECK(item.status == 400);
  CHECK(item.errors() == Names{"Name"});
}

TEST_CASE("what is mandatory says something: an empty text is nothing") {
  CHECK(desk().send("analyst", "POST", "knowledge", R"({"Title": ""})").errors() == Names{"Title"});
  CHECK(desk().send("analyst", "POST", "call", R"({"ShortDescription": "", "Description": null})").status == 400);
  CHECK(put("configuration-item/102", R"({"Name": ""})").errors() == Names{"Name"});
  CHECK(put(new_call() + "/close", R"({"Description": ""})").errors() == Names{"Description"});
}

TEST_CASE("what GET gave can be PUT back: nothing is written") {
  for (const std::string& path : {new_call(), std::string("configuration-item/103"), std::string("person/10"),
                                  std::string("request/20"), std::string("knowledge/1"), std::string("service/3")}) {
    const Reply read = desk().get("analyst", path);
    const Reply same = put(path, read.raw);
    INFO(path << " -> " << same.raw.substr(0, 500));
    CHECK(same.status == 200);
    CHECK(same.raw == read.raw);
    CHECK(same.headers.at("etag") == read.headers.at("etag"));
  }
  const std::string call = new_call();
  const Reply twice = put(call, R"({"ShortDescription": "x"})");
  CHECK(twice["LastHistoryOrder"] == "1");
}

TEST_CASE("all problems of a body come in one answer") {
  const std::string call = new_call();
  const Reply bad = put(
      call, R"({"Nmae": 1, "State": 2, "Priority": "x", "Number1": "a", "Checkbox1": "maybe", "IpkStatus": 2147483648,
                                  "Time1": "tomorrow", "Name": 5, "Number2": 1})");
  CHECK(bad.status == 400);
  CHECK(bad["SubStatus"] == "None");
  CHECK(bad["Type"] == "ValidationException");
  CHECK(bad.errors() == Names{"Nmae", "State", "Priority", "Number1", "Checkbox1", "IpkStatus", "Time1", "Name"});
  CHECK(bad.raw.find("did you mean 'Name'?") != std::string::npos);
  const Reply act = put(call + "/close", R"({"Nmae": 1, "Resolved": "maybe"})");
  CHECK(act.errors() == Names{"Nmae", "Resolved", "Description"});
  CHECK(desk().get("analyst", call)["Number2"] == "null");
}

TEST_CASE("a lookup that leads nowhere is told with all other problems of the body") {
  const std::string call = new_call();
  const Reply one_link = put(call, R"({"Impact": 77})");
  CHECK(one_link["Message"] == "Impact: there is no call-impact 77, or this session may not see it.");
  CHECK(one_link.errors() == Names{"Impact"});
  const Reply links = put(call, R"({"Impact": 77, "Urgency": 88, "User": 99999})");
  CHECK(links.status == 400);
  CHECK(links["SubStatus"] == "LinkedRecordNotFound");
  CHECK(links["Type"] == "LinkedRecordNotFoundException");
  CHECK(links["Message"] == "3 values cannot be accepted; Errors lists them.");
  CHECK(links.errors() == Names{"Impact", "Urgency", "User"});
  const Reply mixed = put(call, R"({"Impact": 77, "Number1": "x", "Nmae": 1})");
  CHECK(mixed.status == 400);
  CHECK(mixed["SubStatus"] == "None");
  CHECK(mixed["Type"] == "ValidationException");
  CHECK(mixed.errors() == Names{"Impact", "Number1", "Nmae"});
  const Reply act = put(call + "/forward", R"({"ReceivingAnalyst": 999, "Impact": 77, "Resolved": 1})");
  CHECK(act.errors() == Names{"ReceivingAnalyst", "Impact", "Resolved"});
  const Reply made = desk().send("analyst", "POST", "call", R"({"Impact": 77})");
  CHECK(made["SubStatus"] == "None");
  CHECK(made.errors() == Names{"Impact", "ShortDescription"});
  CHECK(desk().get("analyst", call)["Impact"] == "null");
}

TEST_CASE("a partition without access is 403 before any value is told") {
  const std::string call = new_call();
  for (const char* body : {R"({"Partition": 2, "Impact": 77})", R"({"Impact": 77, "Partition": 2})",
                           R"({"Number1": "x", "Partition": 2})"})
    CHECK(put(call, body).status == 403);
}

TEST_CASE("a read-only property is refused unless it says what is stored, on POST always") {
  const std::string call = new_call();
  CHECK(put(call, R"({"State": 1, "Name": "a"})")["Name"] == "a");
  for (const char* name : {"State", "Ref", "LastHistoryOrder", "Analyst"}) {
    const Reply changed = put(call, one(name, "7"));
    CHECK(changed.status == 400);
    CHECK(changed.errors() == Names{name});
  }
  const Reply made =
      desk().send("analyst", "POST", "call", R"({"ShortDescription": "x", "State": 0, "Ref": 5, "CreatedDate": null})");
  CHECK(made.status == 400);
  CHECK(made.errors() == Names{"State", "Ref", "CreatedDate"});
  for (const char* name : {"IsDeleted", "RecordVersion", "ClockStoppedDate"})
    CHECK(put(call, one(name, "null")).status == 400);
}

TEST_CASE("_self, _context, _links and _actions of a body are ignored") {
  CHECK(put(new_call(),
            R"({"_self": 1, "_context": [], "_links": {"a": {}}, "_actions": null, "Name": "a"})")["Name"] == "a");
}

TEST_CASE("If-Match takes any ETag of the current version and no other") {
  const std::string call = new_call();
  const Reply old = desk().get("analyst", call);
  const std::string tag = old.headers.at("etag");
  const auto changed = [&](const std::string& if_match) {
    return desk().send("analyst", "PUT", call, R"({"Name": "a"})", {json_type, "If-Match: " + if_match});
  };
  CHECK(changed("\"0.abc\"").status == 400);
  CHECK(desk().send("analyst", "PUT", call, R"({"Name": "a"})", {json_type, "If-Match;"}).status == 400);  // empty
  CHECK(changed("\"other\", " + tag).status == 200);
  const Reply late = desk().send("analyst", "PUT", call, R"({"Name": "b"})", {json_type, "If-Match: " + tag});
  CHECK(late.status == 400);
  CHECK(late["SubStatus"] == "NotAllowed");
  CHECK(desk().get("analyst", call)["Name"] == "a");
  CHECK(desk()
            .send("analyst", "PUT", call + "/close", R"({"Description": "x"})", {json_type, "If-Match: " + tag})
            .status == 400);
  const std::string of_other = desk().get("analyst2", call).headers.at("etag");
  CHECK(desk().send("analyst", "PUT", call, R"({"Name": "c"})", {json_type, "If-Match: " + of_other}).status == 200);
  CHECK(desk().send("analyst", "PUT", call, R"({"Name": "d"})", {json_type, "If-Match: *"}).status == 200);
  const Reply article = desk().done("analyst", "POST", "knowledge", R"({"Title": "x"})");
  CHECK(desk().send("analyst", "DELETE", "knowledge/" + article["Ref"], "", {"If-Match: \"9.x\""}).status == 400);
  CHECK(desk()
            .send("analyst", "DELETE", "knowledge/" + article["Ref"], "", {"If-Match: " + article.headers.at("etag")})
            .status == 200);
}

TEST_CASE("an action goes by PUT and POST, in any letter case, with parameters beside properties") {
  const std::string call = new_call();
  const Reply noted =
      desk().send("analyst", "POST", call + "/Add-Note", R"({"$action": {"Description": "a"}, "Name": "n"})");
  CHECK(noted["Name"] == "n");
  CHECK(noted["Description"] == "null");
  const Reply both =
      put(call + "/defer", R"({"$action": {"DeferUntil": "2030-01-01T00:00:00Z"}, "Description": "b", "Status": 2})");
  CHECK(both["Status"] == "2");
  CHECK(both["SuspendUntil"] == "2030-01-01T00:00:00.000Z");
  CHECK(put(call + "/close", R"({"$action": {"Descripton": "x"}})").errors() == Names{"Descripton", "Description"});
  CHECK(put(call + "/close", R"({"$action": 5})").status == 400);
  const Reply state = put(call + "/reopen", "{}");
  CHECK(state.status == 400);
  CHECK(state["SubStatus"] == "NotAllowed");
  CHECK(state["Type"] == "InvalidStateException");
  CHECK(state["Message"].find("Open") != std::string::npos);
  CHECK(state["Message"].find("resolve") != std::string::npos);
}

TEST_CASE("refusals come in their order") {
  const std::string call = new_call();
  const ServerProcess::Headers wrong{"Content-Type: text/plain", "If-Match: \"0.x\""};
  const ServerProcess::Headers old{json_type, "If-Match: \"0.x\""};
  const std::string action = call + "/reopen";
  CHECK(desk().send("analyst", "PUT", "cal/1/reopen", "{", wrong)["SubStatus"] == "ResourceNotFound");
  CHECK(desk().send("analyst", "PUT", call + "/reopne", "{", wrong)["SubStatus"] == "ResourceNotFound");
  CHECK(desk().send("analyst", "DELETE", action, "{", wrong).status == 405);
  CHECK(desk().send("analyst", "PUT", "call/999999/reopen", "{", wrong)["SubStatus"] == "RecordNotFound");
  const std::string hidden = desk().refs("admin", "call", {{"$filter", "Partition == 2"}, {"$top", "1"}}).front();
  CHECK(desk().send("analyst", "PUT", "call/" + hidden + "/reopen", "{", wrong)["SubStatus"] == "RecordNotFound");
  CHECK(desk().send("user", "PUT", new_call("user") + "/forward", "{", wrong).status == 403);
  CHECK(desk().send("analyst", "PUT", action, "{", wrong).status == 415);
  CHECK(desk().send("analyst", "PUT", action, "{", old)["Type"] == "FormatException");
  CHECK(desk().send("analyst", "PUT", action, R"({"Nmae": 1})", old)["Message"].starts_with("If-Match"));
  CHECK(put(action, R"({"Nmae": 1})")["Type"] == "InvalidStateException");
  CHECK(put(call + "/close", R"({"Nmae": 1})")["Type"] == "ValidationException");
}

TEST_CASE("a method that a url has not is 405 with Allow, an operation that an entity has not 405 NotSupported") {
  for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{
           {"PUT", "call"}, {"DELETE", "call"}, {"POST", "call/1"}, {"PATCH", "call/1"}}) {
    const Reply reply = desk().send("admin", method, path, "{}");
    INFO(method << " " << path << " -> " << reply.raw);
    CHECK(reply.status == 405);
    CHECK(reply["SubStatus"] == "NotAllowed");
    CHECK(reply.headers.at("allow").find("GET") != std::string::npos);
  }
  for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{
           {"POST", "asset"}, {"PUT", "cmdb-link/1"}, {"POST", "call-history"}, {"POST", "request-history"}}) {
    const Reply reply = desk().send("admin", method, path, "{}");
    INFO(method << " " << path << " -> " << reply.raw);
    CHECK(reply.status == 405);
    CHECK(reply["SubStatus"] == "NotSupported");
    CHECK(reply.headers.count("allow") == 1);
  }
}

TEST_CASE("partitions limit what is written") {
  CHECK(desk().done("analyst", "POST", "call", R"({"ShortDescription": "x"})")["Partition"] == "1");
  CHECK(desk().done("analyst2", "POST", "call", R"({"ShortDescription": "x", "Partition": 2})")["Partition"] == "2");
  for (const char* partition : {"2", "99"}) {
    const Reply refused = desk().send("analyst", "POST", "call",
                                      R"({"ShortDescription": "x", "Partition": )" + std::string(partition) + "}");
    CHECK(refused.status == 403);
    CHECK(refused["SubStatus"] == "NotAllowed");
  }
  CHECK(put(new_call(), R"({"Partition": 2})").status == 403);
  CHECK(put(new_call(), R"({"Partition": 99})").status == 403);
  // Whoever may see every partition has access to all there are: one that is missing is a lookup that leads nowhere.
  for (const auto& [method, path] : {std::pair<std::string, std::string>("POST", "call"), {"PUT", new_call()}}) {
    const Reply missing = desk().send("admin", method, path, R"({"ShortDescription": "x", "Partition": 99})");
    CHECK(missing.status == 400);
    CHECK(missing["SubStatus"] == "LinkedRecordNotFound");
  }
  const std::string moved = new_call("analyst2");
  CHECK(desk().done("analyst2", "PUT", moved, R"({"Partition": 2})")["Partition"] == "2");
  CHECK(put(moved, R"({"Name": "x"})")["SubStatus"] == "RecordNotFound");
  CHECK(put(moved, R"({"Name": "x"})").raw == put("call/999999", R"({"Name": "x"})").raw);
}

TEST_CASE("who has no right is told 403, whatever the body says") {
  for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{{"POST", "task"},
                                                                                     {"POST", "knowledge"},
                                                                                     {"POST", "person"},
                                                                                     {"POST", "call-priority"},
                                                                                     {"PUT", "call-priority/1"},
                                                                                     {"PUT", "service/1"},
                                                                                     {"DELETE", "service/1"},
                                                                                     {"PUT", "knowledge/1"},
                                                                                     {"PUT", "knowledge/1/retire"},
                                                                                     {"PUT", "service/1/freeze"}}) {
    const Reply reply = desk().send("user", method, path, R"({"Nmae": 1})");
    INFO(method << " " << path << " -> " << reply.raw);
    CHECK(reply.status == 403);
    CHECK(reply["SubStatus"] == "NotAllowed");
    CHECK(reply["Type"] == "UnauthorizedAccessException");
  }
}

TEST_CASE("people change their own profile, but not what they are") {
  CHECK(desk().done("user", "PUT", "person/4", R"({"Phone": "+43 1", "LanguageCode": "de"})")["Phone"] == "+43 1");
  for (const char* body : {R"({"FirstName": "Ada"})", R"({"FirstName": null})", R"({"LastName": "Administrator"})",
                           R"({"FirstName": "Ada", "LastName": "Admin", "Phone": "1"})"})
    CHECK(desk().send("user", "PUT", "person/4", body).status == 403);
  CHECK(desk().done("analyst", "PUT", "person/4", R"({"FirstName": "Mary"})")["Name"] == "Mary Huber");
  for (const char* body : {R"({"IsAnalyst": true})", R"({"LoginId": "admin"})", R"({"IsVip": true})",
                           R"({"Partition": 1, "Organization": 1})"})
    CHECK(desk().send("user", "PUT", "person/4", body).status == 403);
  CHECK(desk().send("user", "PUT", "person/5", R"({"Phone": "1"})").status >= 403);
}

TEST_CASE("lookup tables are written like anything else") {
  const Reply made = desk().done("admin", "POST", "call-reason", R"({"Name": "Rain"})");
  const std::string path = "call-reason/" + made["Ref"];
  CHECK(desk().done("admin", "PUT", path, R"({"Name": "Snow"})")["Name"] == "Snow");
  desk().done("admin", "DELETE", path);
  CHECK(put(new_call(), one("Reason", made["Ref"]))["SubStatus"] == "LinkedRecordNotFound");
}

TEST_CASE("a refused request leaves nothing behind") {
  const auto count = [] { return desk().get("admin", "task", {{"$count", "true"}}).raw; };
  const std::string before = count();
  const std::string requests = desk().get("admin", "request", {{"$count", "true"}}).raw;
  CHECK(desk().send("analyst", "POST", "request", R"({"Title": "x", "Template": 1, "Priority": 99})").status == 400);
  CHECK(desk().send("analyst", "POST", "request", R"({"Title": null, "Template": 1})").status == 400);
  CHECK(count() == before);
  CHECK(desk().get("admin", "request", {{"$count", "true"}}).raw == requests);
  const std::string call = new_call();
  const Reply read = desk().get("analyst", call);
  CHECK(put(call + "/close", R"({"Description": "x", "Name": 5})").status == 400);
  CHECK(desk().get("analyst", call).raw == read.raw);
}

TEST_CASE("an Idempotency-Key makes one record of two requests") {
  const ServerProcess::Headers headers{json_type, "Idempotency-Key: 5d1f"};
  const Reply first = desk().send("analyst", "POST", "incident", R"({"ShortDescription": "once"})", headers);
  REQUIRE(first.status == 200);
  const Reply second = desk().send("analyst", "POST", "incident", R"({"ShortDescription": "once"})", headers);
  CHECK(second.status == 200);
  CHECK(second.raw == first.raw);
  CHECK(second.headers.at("location") == first.headers.at("location"));
  CHECK(desk().refs("analyst", "incident", {{"$filter", "ShortDescription == \"once\""}}).size() == 1);
  CHECK(desk().send("analyst", "POST", "incident", R"({"ShortDescription": "twice"})", headers).status == 400);
  CHECK(desk().refs("analyst", "incident", {{"$filter", "ShortDescription == \"twice\""}}).empty());
  const Reply other = desk().send("analyst2", "POST", "incident", R"({"ShortDescription": "once"})", headers);
  CHECK(other.status == 200);
  CHECK(other["Ref"] != first["Ref"]);
}

TEST_CASE("every action of an entity with history writes one row, dense in Order") {
  const Reply made = desk().done("analyst", "POST", "request", R"({"Title": "x", "Template": 4})");
  const std::string request = "request/" + made["Ref"];
  for (const char* step : {"authorize", "suspend", "resume"}) put(request + "/" + step, "{}");
  put(request + "/cancel", R"({"Description": "enough"})");
  const Reply history = desk().get("analyst", request + "/history", {{"$select", "*"}, {"$orderby", "Order"}});
  std::vector<std::string> rows;
  for (const json::Node& row : history.body.find("results")->items())
    rows.push_back(text_of(row, "Order") + " " + text_of(row, "Action") + " " + text_of(row, "FromState") +
                   text_of(row, "ToState"));
  CHECK(rows ==
        std::vector<std::string>{"1 create 01", "2 authorize 12", "3 suspend 23", "4 resume 32", "5 cancel 25"});
  for (const std::string& task : desk().refs("analyst", request + "/task", {}))
    CHECK(desk().get("analyst", "task/" + task)["State"] == "4");
}

TEST_CASE("a record that was read before another changed it is told so when it is PUT back") {
  const std::string call = new_call();
  const std::string old = desk().get("analyst", call).raw;
  CHECK(put(call, old).status == 200);
  CHECK(put(call, R"({"Name": "another"})").status == 200);
  const Reply stale = put(call, old);
  CHECK(stale.status == 400);
  CHECK_THAT(stale.raw, Catch::Contains("the record has changed since it was read"));
}

TEST_CASE("a capitalised property is found by the text that was written into it, whatever letters it has") {
  int number = 0;
  for (const char* written : {"\u0131s\u0131", "i\u0307x", "\u017fharp", "\u0149n", "stra\u00dfe", "\ufb01x", "\u00b5m",
                              "\u03c2\u03c3", "\u01c6x", "\u1fb3x", "\u0390x", "\u24d0x", "\U00010428x", "\u0250x"}) {
    const std::string text = std::string(written) + "-" + std::to_string(++number);
    const Reply made =
        desk().done("admin", "POST", "configuration-item", R"({"Name": "letters", "AssetRef": ")" + text + R"("})");
    for (const std::string& filter :
         {"AssetRef == \"" + text + "\"", "AssetRef == \"" + made["AssetRef"] + "\"", "!(AssetRef != \"" + text + "\")",
          "AssetRef.Contains(\"" + text + "\")", "AssetRef.StartsWith(\"" + text + "\")",
          "AssetRef.EndsWith(\"" +
              text.substr(1 + (text[0] & 0x80 ? (text[0] & 0x20 ? (text[0] & 0x10 ? 3 : 2) : 1) : 0)) + "\")"}) {
      INFO(filter << " of " << made["AssetRef"]);
      CHECK(desk().refs("admin", "configuration-item", {{"$filter", "Name == \"letters\" && " + filter}}) ==
            std::vector<std::string>{made["Ref"]});
    }
    const Query join{{"$innerJoin", "A:configuration-item(AssetRef == \"" + text + "\" && Ref == Ref)"},
                     {"$filter", "Name == \"letters\""}};
    CHECK(desk().refs("admin", "configuration-item", join) == std::vector<std::string>{made["Ref"]});
  }
}
