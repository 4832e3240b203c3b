// callisto export and import of what it wrote: nothing is lost, nothing is added.
#include "desk.h"
#include "engine/storage/database.h"

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// A desk with an entity of every type of property, and folders for what is made of it.
class Exported {
 public:
  Exported() {
    write(at("entities/thing.lua"), R"(return entity "thing" {
  description = "Holds one of each.",
  properties = {
    long "Big", short "Small", double "Real", decimal "Money" { scale = 4 }, text "Words" { length = 200 },
    richtext "Rich", boolean "Flag" { stored = { "Y", "N" } }, datetime "Moment", binary "Bytes",
  },
})");
  }
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  std::vector<std::string> with(std::vector<std::string> arguments, const std::string& data) const {
    arguments.insert(arguments.end(), {"--data", at(data), "--set", "entities=entities," + at("entities")});
    return arguments;
  }
  Finished run(std::vector<std::string> arguments, const std::string& data) const {
    return run_program(with(std::move(arguments), data));
  }
  std::vector<std::string> settings() const { return {"--set", "entities=entities," + at("entities")}; }

 private:
  TemporaryFolder folder_;
};

std::vector<std::string> with_samples(std::vector<std::string> arguments) {
  arguments.emplace_back("--samples");
  return arguments;
}

}  // namespace

TEST_CASE("what is exported, imported and exported again is the same, byte for byte") {
  const Exported desk;
  std::string thing, deleted, token;
  {
    const ServerProcess server(desk.at("first"), with_samples(desk.settings()));
    token = server.token("admin");
    const Client client(server, token);
    const Answer made =
        client.send("POST", "v1/thing",
                    "{\"Big\":9223372036854775807,\"Small\":-32768,\"Real\":0.1,\"Money\":-12345678901234.5678,"
                    "\"Words\":\"\xF0\x9F\x98\x80 quote\\\" back\\\\ "
                    "line\\n\",\"Flag\":true,\"Moment\":\"1969-12-31T23:59:59.999Z\"}");
    INFO(made.body);
    REQUIRE(made.status == 200);
    thing = text_of(*json::parse(made.body), "Ref");
    const std::string bytes("\0\xFF\x01 nul\0", 8);
    CHECK(client.send("PUT", "v1/thing/" + thing + "/bytes", bytes, {"Content-Type: application/octet-stream"}).status <
          300);
    CHECK(client.send("POST", "v1/thing", "{\"Big\":-9007199254740993,\"Real\":3}").status == 200);
    deleted = text_of(*json::parse(client.send("POST", "v1/thing", R"({"Words":"gone"})").body), "Ref");
    CHECK(client.send("DELETE", "v1/thing/" + deleted, "").status == 200);
    // Beside the running server.
    CHECK(desk.run({"export", "--output", desk.at("beside.jsonl")}, "first").exit_status == 0);
    CHECK_THAT(contents(desk.at("beside.jsonl")), Contains("9223372036854775807"));
  }
  const Finished first = desk.run({"export", "--output", desk.at("one.jsonl")}, "first");
  INFO(first.output);
  REQUIRE(first.exit_status == 0);
  struct stat status {};
  REQUIRE(stat(desk.at("one.jsonl").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  const Finished imported = desk.run({"import", desk.at("one.jsonl")}, "second");
  INFO(imported.output);
  REQUIRE(imported.exit_status == 0);
  REQUIRE(desk.run({"export", "--output", desk.at("two.jsonl")}, "second").exit_status == 0);
  const std::string one = contents(desk.at("one.jsonl")), two = contents(desk.at("two.jsonl"));
  CHECK(one.size() > 100'000);
  CHECK((one == two));
  CHECK_THAT(one, StartsWith("{\"callisto\":\"export\",\"format\":1,") && Contains("\"Money\":-123456789012345678") &&
                      Contains("-9007199254740993") && Contains("\"Real\":3.0") && Contains("\xF0\x9F\x98\x80") &&
                      Contains("\"Words\":\"gone\"") && Contains("\"_table\":\"person_password\""));

  std::filesystem::copy_file(desk.at("first/secret.key"), desk.at("second/secret.key"));
  // The desk works: people sign in, sessions live on, keys of deleted records are not given again.
  const ServerProcess server(desk.at("second"), desk.settings());
  const Client client(server, server.token("admin"));
  const json::Node read = client.get_json("v1/thing/" + thing);
  CHECK(text_of(read, "Big") == "9223372036854775807");
  CHECK(text_of(read, "Money") == "-12345678901234.5678");
  CHECK(text_of(read, "Words") == "\xF0\x9F\x98\x80 quote\" back\\ line\n");
  CHECK(text_of(read, "Moment") == "1969-12-31T23:59:59.999Z");
  CHECK(client.get("v1/thing/" + thing + "/bytes").body == std::string("\0\xFF\x01 nul\0", 8));
  CHECK(Client(server, token).get("v1/thing").status == 200);
  const std::string next = text_of(*json::parse(client.send("POST", "v1/thing", R"({"Words":"next"})").body), "Ref");
  CHECK(std::stoll(next) == std::stoll(deleted) + 1);
}

TEST_CASE("values that no API writes survive too", "[sqlite]") {
  const Exported desk;
  { const ServerProcess server(desk.at("first"), desk.settings()); }
  {
    const auto database = storage::Database::open({.url = database_url(desk.at("first"))});
    REQUIRE(database);
    REQUIRE((*database)->write([](storage::Connection& connection) -> Result<void> {
      const Sql sql(
          "INSERT INTO thing (\"Ref\", \"Id\", \"Words\", \"Rich\", \"Real\", \"Bytes\") VALUES (?1, ?2, ?3, ?4, ?5, "
          "?6)");
      const std::string nul("a\0b", 3), not_utf8("\xC3(", 2);
      CALLISTO_CHECK(
          connection.execute(sql, {std::int64_t{1}, std::string("a"), nul, not_utf8, 1e308 * 10, Binary{""}}));
      CALLISTO_CHECK(connection.execute(
          sql, {std::int64_t{2}, std::string("b"), std::string(), Null{}, -0.0, Binary{std::string(3, '\0')}}));
      // A text where a number is due stays what it is.
      CALLISTO_CHECK(connection.execute(Sql("UPDATE thing SET \"Big\" = ?1 WHERE \"Ref\" = 2"), {std::string("many")}));
      return {};
    }));
  }
  REQUIRE(desk.run({"export", "--output", desk.at("one.jsonl")}, "first").exit_status == 0);
  const Finished imported = desk.run({"import", desk.at("one.jsonl")}, "second");
  INFO(imported.output);
  REQUIRE(imported.exit_status == 0);
  REQUIRE(desk.run({"export", "--output", desk.at("two.jsonl")}, "second").exit_status == 0);
  const std::string one = contents(desk.at("one.jsonl"));
  CHECK(one == contents(desk.at("two.jsonl")));
  CHECK_THAT(one, Contains(R"("Words":"a\u0000b")") && Contains(R"("Rich":{"text":"wyg="})") &&
                      Contains(R"("Real":{"real":"inf"})") && Contains(R"("Bytes":{"bytes":""})") &&
                      Contains(R"("Bytes":{"bytes":"AAAA"})") && Contains(R"("Words":"")") &&
                      Contains(R"("Big":"many")"));
}

TEST_CASE("the tables of named entities alone, with their key counters") {
  const Exported desk;
  { const ServerProcess server(desk.at("first"), with_samples(desk.settings())); }
  REQUIRE(desk.run({"export", "incident", "person", "--output", desk.at("some.jsonl")}, "first").exit_status == 0);
  const std::string text = contents(desk.at("some.jsonl"));
  CHECK_THAT(text, Contains("\"_table\":\"call\"") && Contains("\"_table\":\"person\"") &&
                       !Contains("\"_table\":\"person_password\"") && !Contains("\"_table\":\"call_history\""));
  CHECK_THAT(text, Contains("\"entity\":\"call\"") && !Contains("\"entity\":\"call_history\""));
  REQUIRE(desk.run({"import", desk.at("some.jsonl")}, "second").exit_status == 0);
  REQUIRE(desk.run({"export", "person", "incident", "--output", desk.at("again.jsonl")}, "second").exit_status == 0);
  CHECK((contents(desk.at("again.jsonl")) == text));
  const Finished wrong = desk.run({"export", "incidents"}, "first");
  CHECK(wrong.exit_status == 2);
  CHECK_THAT(wrong.output, Contains("did you mean 'incident'"));
}

TEST_CASE("an export is a new file: what has the name stays as it is, and nothing is left beside it") {
  namespace fs = std::filesystem;
  const Exported desk;
  { const ServerProcess server(desk.at("first"), desk.settings()); }
  write(desk.at("out/kept"), "mine");
  fs::create_symlink("kept", desk.at("out/link"));
  fs::create_symlink("nowhere", desk.at("out/dangling"));
  fs::create_directory(desk.at("out/folder"));
  REQUIRE(mkfifo(desk.at("out/fifo").c_str(), 0600) == 0);
  for (const char* name : {"kept", "link", "dangling", "folder", "fifo"}) {
    const Finished refused = desk.run({"export", "--output", desk.at("out/") + name}, "first");
    INFO(refused.output);
    CHECK(refused.exit_status == 1);
    CHECK_THAT(refused.output, Contains(desk.at("out/") + name + " exists: name a new file"));
  }
  CHECK(contents(desk.at("out/kept")) == "mine");
  CHECK(fs::is_symlink(desk.at("out/link")));
  CHECK(fs::is_fifo(desk.at("out/fifo")));
  CHECK_FALSE(fs::exists(desk.at("out/nowhere")));
  CHECK(desk.run({"export", "--output", desk.at("absent/file")}, "first").exit_status == 1);
  CHECK(desk.run({"export", "--output", desk.at("out/new")}, "first").exit_status == 0);
  CHECK(std::distance(fs::directory_iterator(desk.at("out")), fs::directory_iterator()) == 6);
}

TEST_CASE("a desk that was moved knows its key: no other is taken for it at the first start", "[sqlite]") {
  const Exported desk;
  { const ServerProcess server(desk.at("first"), desk.settings()); }
  REQUIRE(desk.run({"export", "--output", desk.at("one.jsonl")}, "first").exit_status == 0);
  const Finished imported = desk.run({"import", desk.at("one.jsonl")}, "imported");
  CHECK(imported.exit_status == 0);
  CHECK_THAT(imported.output,
             Contains("copy secret.key of the exported desk's data folder into " + desk.at("imported") + ".\n"));
  std::filesystem::create_directory(desk.at("copied"));
  REQUIRE(desk.run({"copy", "--from", database_url(desk.at("first")), "--to", database_url(desk.at("copied"))}, "first")
              .exit_status == 0);
  for (const char* moved : {"imported", "copied"}) {
    const Finished strange = desk.run({"serve", "--set", "listen=127.0.0.1:0"}, moved);
    CHECK(strange.exit_status == 1);
    CHECK_THAT(strange.output, Contains("is not the key of this desk's secrets"));
    std::filesystem::copy_file(desk.at("first/secret.key"), desk.at(moved) + "/secret.key",
                               std::filesystem::copy_options::overwrite_existing);
    const ServerProcess server(desk.at(moved), desk.settings());
    CHECK(server.send("GET", "/healthz").status == 200);
  }
}

TEST_CASE("what cannot be loaded is refused whole, and the reason is told") {
  const Exported desk;
  { const ServerProcess server(desk.at("full"), with_samples(desk.settings())); }
  REQUIRE(desk.run({"export", "thing", "partition", "--output", desk.at("good.jsonl")}, "full").exit_status == 0);
  const std::string good = contents(desk.at("good.jsonl"));
  const std::string line = good.substr(0, good.find('\n') + 1);
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    REQUIRE(text.find(from) != text.npos);
    return text.replace(text.find(from), from.size(), to);
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {replaced("\"format\":1", "\"format\":2"), "another format"},
      {line, "cut short"},
      {good.substr(0, good.size() - 20), "line "},
      {good + good.substr(line.size()), "line "},  // rows twice
      {replaced("\"Name\"", "\"Nmae\""), "Nmae"},
      {replaced("\"_table\":\"partition\"", "\"_table\":\"partitoin\""), "partitoin"},
      {replaced("\"_table\":\"partition\"", "\"_table\":[]"), "no table"},
      {replaced("\"Ref\":1", "\"Ref\":[1]"), "no value"},
      {replaced("\"Ref\":1", "\"Ref\":99999999999999999999"), "64 bits"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    write(desk.at("bad.jsonl"), cases[i].first);
    const Finished finished = desk.run({"import", desk.at("bad.jsonl")}, "empty");
    INFO(i << ": " << finished.output);
    CHECK(finished.exit_status == 1);
    if (i != 3) CHECK_THAT(finished.output, Contains(cases[i].second));
  }
  // Nothing of all that is there.
  CHECK(desk.run({"import", desk.at("good.jsonl")}, "empty").exit_status == 0);

  const Finished full = desk.run({"import", desk.at("good.jsonl")}, "full");
  CHECK(full.exit_status == 1);
  CHECK_THAT(full.output, Contains("has records of") && Contains("empty desk"));
  write(desk.at("other.jsonl"), "{\"Ref\":1}\n");
  const Finished other = desk.run({"import", desk.at("other.jsonl")}, "third");
  CHECK(other.exit_status == 2);
  CHECK_THAT(other.output, Contains("--map"));
}

TEST_CASE("an export to - is on standard output, as one without a file") {
  const Exported desk;
  { ServerProcess(desk.at("first"), with_samples(desk.settings())).stop(); }
  const Finished named = desk.run({"export", "--output", "-"}, "first");
  CHECK(named.exit_status == 0);
  CHECK_THAT(named.output, Contains("\"incident\""));
  CHECK(named.output == desk.run({"export"}, "first").output);
  CHECK_FALSE(std::filesystem::exists("-"));
}
