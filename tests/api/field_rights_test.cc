// Who may read and write single properties (API rule 4.12): on every path where one could show, for every property of
// every entity at once; and where it depends on the record.
#include "desk.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

constexpr const char* sentinel = "Xyzzy-7310";

// A folder with additions to the product's entities, and a server that has them.
class FieldDesk {
 public:
  explicit FieldDesk(const std::map<std::string, std::string>& fields) {
    for (const auto& [entity, text] : fields)
      std::ofstream(folder_ / (entity + "+fields.lua")) << "return add_to \"" << entity << "\" { fields = {\n"
                                                        << text << "} }\n";
    desk_.emplace(std::vector<std::string>{"--set", "entities=entities," + folder_.path()});
  }
  const Desk* operator->() const { return &*desk_; }

 private:
  TemporaryFolder folder_;
  std::optional<Desk> desk_;
};

struct Field {
  std::string entity, name, type;
};

bool is_engines(const std::string& name) {
  return name == "Ref" || name == "IsDeleted" || name == "RecordVersion" || name == "Partition" || name == "RecordType";
}

// Every property that an entity's own file or common.lua gives it, and that is no other name of a lookup.
std::vector<Field> all_fields() {
  std::vector<Field> fields;
  const Finished described = run_program({"describe", "--json"});
  const auto whole = json::parse(described.output, {64, 1'000'000});
  REQUIRE(whole);
  const json::Node* entities = whole->find("entities");
  REQUIRE(entities);
  for (const json::Node& entity : entities->items())
    for (const json::Node& property : entity.find("properties")->items()) {
      const json::Node* key = property.find("key");
      if (is_engines(text_of(property, "name")) || (key && key->boolean()) || property.find("mirror")) continue;
      const json::Node* from = property.find("owner");
      if (from && from->text() != text_of(entity, "name")) continue;
      fields.push_back({text_of(entity, "name"), text_of(property, "name"), text_of(property, "type")});
    }
  return fields;
}

const char* const only_administrators = "{ read = { Administration = true } },\n";

std::map<std::string, std::string> everything() {
  std::map<std::string, std::string> files;
  for (const Field& field : all_fields())
    files[field.entity] += "  field \"" + field.name + "\" " + only_administrators;
  return files;
}

const FieldDesk& shut_desk() {
  static const FieldDesk desk(everything());
  return desk;
}

std::string message_of(const Reply& reply) { return reply["Message"]; }

std::string without(std::string text, const std::string& word) {
  for (std::size_t at; (at = text.find(word)) != text.npos;) text.erase(at, word.size());
  return text;
}

// What is said of the name is what is said of a name that nothing has.
void check_unknown(const std::string& entity, const std::string& name, const std::string& option,
                   const std::string& before, const std::string& behind) {
  const std::string stranger(name.size(), 'q');
  const Reply found = shut_desk()->get("analyst", entity, {{option, before + name + behind}});
  const Reply unknown = shut_desk()->get("analyst", entity, {{option, before + "Q" + stranger.substr(1) + behind}});
  INFO(entity << "?" << option << "=" << before << name << behind << " -> " << found.raw.substr(0, 300));
  CHECK(found.status == unknown.status);
  CHECK(found.status == 400);
  CHECK(without(message_of(found), name) == without(message_of(unknown), "Q" + stranger.substr(1)));
}

}  // namespace

TEST_CASE("what may not be read has no name in any query, whatever the property and the entity") {
  const auto fields = all_fields();
  REQUIRE(fields.size() > 150);
  for (const Field& field : fields) {
    const Reply seen = shut_desk()->get("analyst", field.entity, {{"$top", "1"}});
    if (seen.status != 200) continue;  // an entity that analysts do not read at all
    check_unknown(field.entity, field.name, "$select", "", "");
    check_unknown(field.entity, field.name, "$orderby", "", " desc");
    check_unknown(field.entity, field.name, "$filter", "", " == null");
    check_unknown(field.entity, field.name, "$groupby", "", "");
  }
}

TEST_CASE("what may not be read stands in no metadata and in no document") {
  const std::string openapi = shut_desk()->get("analyst", "openapi.json").raw;
  for (const Field& field : all_fields()) {
    const Reply told = shut_desk()->get("analyst", field.entity + "/$metadata");
    CAPTURE(field.entity, field.name);
    const json::Node* properties = told.body.find("properties");
    REQUIRE(properties);
    for (const json::Node& property : properties->items()) CHECK(text_of(property, "name") != field.name);
    const json::Node* summary = told.body.find("summary");
    REQUIRE(summary);
    for (const json::Node& name : summary->items()) CHECK(name.text() != field.name);
    CHECK(told["label"] != field.name);
    CHECK(told["stateProperty"] != field.name);
    const std::string described = "\"" + field.name + "\":{\"readOnly\"";
    CHECK(openapi.find(described) == openapi.npos);
  }
  const auto document = json::parse(openapi, {64, 1'000'000});
  REQUIRE(document);
  const json::Node* schemas = document->find("components")->find("schemas");
  const json::Node* call = schemas->find("Call");
  REQUIRE(call);
  const json::Node& own = call->find("allOf")->items().at(1);
  for (const json::Member& property : own.find("properties")->members())
    CHECK_FALSE(property.name == "ShortDescription");
}

TEST_CASE("no byte of what may not be read is in any answer") {
  const std::string call = shut_desk()->done(
      "admin", "POST", "incident",
      std::string(R"({"ShortDescription":")") + sentinel + R"(","Solution":"<p>)" + sentinel + R"(</p>"})")["Ref"];
  shut_desk()->done("admin", "PUT", "incident/" + call + "/close",
                    std::string(R"({"Description":")") + sentinel + "\"}");
  const std::string file =
      shut_desk()->done("admin", "POST", "incident/" + call + "/attachment",
                        std::string(R"({"Name":")") + sentinel +
                            R"(.txt","ContentType":"text/plain","BinaryData":"WHl6enktNzMxMA=="})")["Ref"];
  const std::string record = "incident/" + call;
  std::vector<std::string> paths{record,
                                 record + "/$metadata",
                                 record + "/$options",
                                 record + "/history",
                                 record + "/attachment",
                                 record + "/attachment/" + file,
                                 record + "/attachment/" + file + "/content",
                                 "incident?$top=1000",
                                 "call?$select=*&$top=1000",
                                 "call-history?$select=*&$top=1000",
                                 "attachment?$select=*",
                                 "incident/$options",
                                 "incident/$create?$options",
                                 "incident/$close?$options",
                                 "call?$leftJoin=H:call-history(TicketId==Ref)&$select=Ref,H.TicketId&$top=1000"};
  for (const std::string& path : paths) {
    const Reply reply = shut_desk()->get("analyst", path);
    INFO(path << " -> " << reply.status << " " << reply.raw.substr(0, 200));
    CHECK(reply.raw.find(sentinel) == std::string::npos);
    CHECK(reply.raw.find("ShortDescription") == std::string::npos);
    for (const auto& [name, value] : reply.headers) CHECK(value.find(sentinel) == std::string::npos);
  }
  CHECK(shut_desk()->get("analyst", record).status == 200);
  CHECK(shut_desk()->get("admin", record).raw.find(sentinel) != std::string::npos);
  CHECK(shut_desk()->get("analyst", record + "/attachment/" + file + "/content").status == 404);
  const Reply csv = shut_desk()->send("analyst", "GET", "incident?$select=*&$top=1000", {}, {"Accept: text/csv"});
  CHECK(csv.status == 200);
  CHECK(csv.raw.find(sentinel) == std::string::npos);
}

TEST_CASE("what may not be read cannot be written, and no refusal names it") {
  const std::string call =
      "incident/" + shut_desk()->done("admin", "POST", "incident", R"({"ShortDescription":"x"})")["Ref"];
  const Reply found = shut_desk()->send("analyst", "PUT", call, R"({"ShortDescription":"x"})");
  const Reply unknown = shut_desk()->send("analyst", "PUT", call, R"({"Qhortqescription":"x"})");
  CHECK(found.status == 400);
  CHECK(without(message_of(found), "ShortDescription") == without(message_of(unknown), "Qhortqescription"));
  const Reply near = shut_desk()->send("analyst", "PUT", call, R"({"ShortDescriptio":"x"})");
  CHECK(near.raw.find("did you mean") == std::string::npos);
  const Reply batch = shut_desk()->send("analyst", "POST", "incident/$batch", R"([{"ShortDescription":"x"}])");
  CHECK(batch.status == 400);
  CHECK(shut_desk()->get("analyst", "call", {{"ShortDescription==x", ""}, {"$top", "1"}}).status == 400);
  CHECK(shut_desk()->get("analyst", "person/1/image").status == 404);
  const Reply picture = shut_desk()->send("analyst", "PUT", "person/1/image", "abc", {"Content-Type: image/png"});
  CHECK(picture.raw.find("Image") == std::string::npos);
}

namespace {

const FieldDesk& ruled_desk() {
  static const FieldDesk desk(
      {{"call",
        R"lua(
  field "Solution" { read = { Analyst = true, User = "State == 2" }, write = { Analyst = "State != 3" } },
  field "Priority" { write = { Administration = true } },
  field "User" { read = { Analyst = true, User = "User == @UserId" } },
)lua"},
       {"person", "  field \"Email\" { read = { Administration = true, User = \"Ref == @UserId\" } },\n"}});
  return desk;
}

std::string new_call(const std::string& members) {
  return ruled_desk()->done("admin", "POST", "incident", R"({"ShortDescription":"x")" + members + "}")["Ref"];
}

std::string user() { return ruled_desk()->refs("admin", "person", {{"$filter", "LoginId == \"user\""}}).at(0); }

}  // namespace

TEST_CASE("a property that is read of some records alone is null in others, however it is asked for") {
  const std::string mine = R"(,"User":)" + user();
  const std::string open = new_call(mine + R"(,"Solution":"still secret")");
  const std::string closed = new_call(mine);
  ruled_desk()->done("admin", "PUT", "incident/" + closed, R"({"Solution":"told by now"})");
  ruled_desk()->done("admin", "PUT", "incident/" + closed + "/close", R"({"Description":"x"})");
  CHECK(ruled_desk()->get("user", "incident/" + open)["Solution"] == "null");
  CHECK(ruled_desk()->get("user", "incident/" + closed)["Solution"] == "told by now");
  CHECK(ruled_desk()->get("analyst", "incident/" + open)["Solution"] == "still secret");
  const auto found = [&](const std::string& filter) {
    return ruled_desk()->refs("user", "incident", {{"$filter", filter}});
  };
  CHECK(found("Solution == \"still secret\"").empty());
  CHECK(found("Solution.Contains(\"secret\")").empty());
  CHECK(found("Solution in (\"still secret\", \"told by now\")") == std::vector<std::string>{closed});
  CHECK(found("Solution == null && Ref == " + open) == std::vector<std::string>{open});
  CHECK(found("!(Solution == null) && Ref == " + open).empty());
  CHECK(ruled_desk()
            ->get("user", "incident", {{"$select", "Ref,Solution"}, {"$orderby", "Solution desc"}})
            .raw.find("still secret") == std::string::npos);
  const Reply groups =
      ruled_desk()->get("user", "incident", {{"$groupby", "Solution"}, {"$aggregate", "max(Solution) as Last"}});
  CHECK(groups.status == 200);
  CHECK(groups.raw.find("still secret") == std::string::npos);
  CHECK(groups.raw.find("told by now") != std::string::npos);
  const Reply joined = ruled_desk()->get(
      "user", "call-history",
      {{"$leftJoin", "C:incident(Ref==TicketId)"}, {"$select", "TicketId,C.Solution"}, {"$top", "1000"}});
  CHECK(joined.raw.find("still secret") == std::string::npos);
  CHECK(ruled_desk()->get("user", "incident", {{"$innerJoin", "C:incident(Solution==Solution)"}}).status == 400);
}

TEST_CASE("a lookup that is not read leads nowhere") {
  const std::string call = new_call(R"(,"User":)" + user());
  const Reply whole = ruled_desk()->get("user", "incident/" + call, {{"$select", "Ref,User.Email"}});
  CHECK(whole.status == 200);
  CHECK(ruled_desk()->get("analyst", "incident/" + call, {{"$select", "User.Email"}}).status == 400);
  CHECK(ruled_desk()->get("analyst", "incident/" + call, {{"$filter", "User.Email != null"}}).status == 400);
  CHECK(ruled_desk()->get("admin", "incident/" + call, {{"$select", "User.Email"}}).status == 200);
}

TEST_CASE("what may not be written is read-only for the session") {
  const std::string call = new_call("");
  const Reply refused = ruled_desk()->send("analyst", "PUT", "incident/" + call, R"({"Priority":1})");
  CHECK(refused.status == 400);
  CHECK(message_of(refused) == "Priority: is read-only");
  CHECK(ruled_desk()->send("analyst", "POST", "incident", R"({"Priority":1})").status == 400);
  CHECK(ruled_desk()
            ->send("analyst", "PUT", "incident/" + call + "/close", R"({"Description":"x","Priority":1})")
            .status == 400);
  CHECK(ruled_desk()->send("analyst", "POST", "incident/$batch", R"([{"Priority":1}])").status == 400);
  CHECK(ruled_desk()->send("admin", "PUT", "incident/" + call, R"({"Priority":1})").status == 200);
  // What was read comes back with it.
  CHECK(ruled_desk()->send("analyst", "PUT", "incident/" + call, R"({"Priority":1,"ShortDescription":"y"})").status ==
        200);
  const auto is_told_readonly = [&](std::string_view login) {
    const Reply told = ruled_desk()->get(login, "incident/$metadata");
    for (const json::Node& property : told.body.find("properties")->items())
      if (text_of(property, "name") == "Priority") return text_of(property, "readOnly");
    return std::string();
  };
  CHECK(is_told_readonly("analyst") == "true");
  CHECK(is_told_readonly("admin") == "(none)");
  const std::string create = ruled_desk()->get("analyst", "incident/$create?$options").raw;
  CHECK(create.find("\"name\":\"Priority\"") == create.npos);
}

TEST_CASE("a filter of `write` is asked of the record as it was") {
  const std::string call = new_call("");
  CHECK(ruled_desk()->send("analyst", "PUT", "incident/" + call, R"({"Solution":"open, so written"})").status == 200);
  ruled_desk()->done("analyst", "PUT", "incident/" + call + "/resolve", R"({"Description":"x"})");
  const Reply refused = ruled_desk()->send("analyst", "PUT", "incident/" + call, R"({"Solution":"too late"})");
  CHECK(refused.status == 400);
  CHECK(message_of(refused) == "Solution: is read-only");
}
