// Where settings come from: each way there is, which one counts, and what `callisto settings` tells of it.
#include "engine/app/opening/given_settings.h"

#include "engine/app/opening/shown_settings.h"
#include "engine/json/read.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>
#include "tests/support/temporary_folder.h"

using namespace callisto;
using namespace callisto::app;
using Catch::Contains;

namespace {

std::string write(const test::TemporaryFolder& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder / name, std::ios::binary) << text;
  return folder / name;
}

std::string line_of(const GivenSettings& given, const std::string& name) {
  const std::string text = settings_as_lua(given);
  const std::size_t at = text.find(name);
  REQUIRE(at != text.npos);
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

const std::vector<std::string>& secrets() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const SettingDescription& each : described_settings())
      if (each.is_secret) all.emplace_back(each.name);
    return all;
  }();
  return names;
}

}  // namespace

TEST_CASE("each setting tells where it came from, and the later place counts") {
  const test::TemporaryFolder folder;
  const std::string file = write(folder, "callisto.lua", "return {\n  licences = 3,\n  [\"sso.secret\"] = \"a\",\n}\n");
  const std::string credential = write(folder, "sso.secret", "b\n");
  std::filesystem::create_directory(folder / "credentials");
  std::filesystem::copy(credential, folder / "credentials/sso.secret");
  GivenSettings given;
  CHECK_THAT(line_of(given, "licences = "), Contains("licences = 0,") && Contains("-- default"));
  REQUIRE(set_from_file(given, file));
  CHECK_THAT(line_of(given, "licences = "), Contains("licences = 3,") && Contains("-- " + file + ":2"));
  CHECK(given.settings.sso_secret == "a");
  REQUIRE(set_from_credentials(given, folder / "credentials"));
  CHECK(given.settings.sso_secret == "b");
  CHECK(given.source_of("sso.secret").kind == "credential");
  CHECK(given.source_of("sso.secret").place == folder / "credentials/sso.secret");
  REQUIRE(set_from_environment(given,
                               {"CALLISTO_LICENCES=4", "CALLISTO_SSO_SECRET_FILE=" + write(folder, "third", "c\r\n")}));
  CHECK(given.settings.sso_secret == "c");
  CHECK_THAT(line_of(given, "sso.secret"), Contains("-- CALLISTO_SSO_SECRET_FILE=" + folder / "third"));
  CHECK_THAT(line_of(given, "licences = "), Contains("licences = 4,") && Contains("-- CALLISTO_LICENCES"));
  REQUIRE(given.set("licences", "5", {"argument", "--set"}));
  CHECK_THAT(line_of(given, "licences = "), Contains("licences = 5,") && Contains("-- --set"));
  CHECK_FALSE(given.set("licences", "many", {"argument", "--data"}));
  CHECK(given.source_of("licences").place == "--set");
}

TEST_CASE("a secret, and no other setting, may stand in a file of its own") {
  const test::TemporaryFolder folder;
  CHECK(secrets() ==
        std::vector<std::string>{"database", "sso.secret", "oidc.client_secret", "oidc.proxy", "webhooks.proxy"});
  for (const SettingDescription& each : described_settings()) {
    const std::string file = write(folder, "one", "postgresql://desk:pw@db/desk\n");
    GivenSettings given;
    const auto done = set_from_environment(given, {variable_of(each.name) + "_FILE=" + file});
    INFO(each.name);
    CHECK(bool(done) == each.is_secret);
    if (done) CHECK(given.source_of(each.name).kind == "environment-file");
    else CHECK_THAT(done.error().message, Contains("only secrets are taken from files"));
  }
}

TEST_CASE("the file of a secret that is none is told with its name and never with what it holds") {
  const test::TemporaryFolder folder;
  const std::pair<std::string, const char*> cases[] = {
      {folder / "nowhere", "cannot be read"},
      {folder.path(), "is a folder"},
      {write(folder, "empty", ""), "is empty"},
      {write(folder, "blank", "\n"), "is empty"},
      {write(folder, "two", "s3cret\ns3cret\n"), "more than one line"},
      {write(folder, "two_ends", "s3cret\n\n"), "more than one line"},
      {write(folder, "zero", std::string("s3\0cret", 7)), "more than one line"},
      {write(folder, "bytes", "s3cret\xff"), "more than one line"},
      {write(folder, "large", std::string(16 * 1024 + 1, 's')), "too large"}};
  for (const auto& [file, words] : cases) {
    GivenSettings given;
    const auto done = set_from_environment(given, {"CALLISTO_SSO_SECRET_FILE=" + file});
    INFO(file);
    REQUIRE_FALSE(done);
    CHECK_THAT(done.error().message, Contains("CALLISTO_SSO_SECRET_FILE: ") && Contains(file) && Contains(words));
    CHECK_THAT(done.error().message, !Contains("s3cret"));
  }
  for (const auto& [held, expected] :
       std::vector<std::pair<std::string, std::string>>{{"plain", "plain"},
                                                        {"line\n", "line"},
                                                        {"dos\r\n", "dos"},
                                                        {" blanks \n", " blanks "},
                                                        {std::string(16 * 1024, 's'), std::string(16 * 1024, 's')}}) {
    GivenSettings given;
    REQUIRE(set_from_environment(given, {"CALLISTO_SSO_SECRET_FILE=" + write(folder, "good", held)}));
    CHECK(given.settings.sso_secret == expected);
  }
}

TEST_CASE("a secret and its file at once are refused, in either order") {
  const test::TemporaryFolder folder;
  const std::string by_file = "CALLISTO_SSO_SECRET_FILE=" + write(folder, "one", "a");
  for (const auto& environment : {std::vector<std::string>{"CALLISTO_SSO_SECRET=b", by_file},
                                  std::vector<std::string>{by_file, "CALLISTO_SSO_SECRET=b"}}) {
    GivenSettings given;
    const auto done = set_from_environment(given, environment);
    REQUIRE_FALSE(done);
    CHECK(done.error().message ==
          "both CALLISTO_SSO_SECRET and CALLISTO_SSO_SECRET_FILE are in the environment; leave one of them out");
  }
}

TEST_CASE("credentials of other names are let be, slips are refused") {
  const test::TemporaryFolder folder;
  write(folder, "tls.pem", "not ours");
  write(folder, "oidc.client_secret", "x\n");
  GivenSettings given;
  REQUIRE(set_from_credentials(given, folder.path()));
  CHECK(given.settings.oidc_client_secret == "x");
  write(folder, "sso-secret", "y");
  const auto slip = set_from_credentials(given, folder.path());
  REQUIRE_FALSE(slip);
  CHECK(slip.error().message == "unknown setting sso-secret in the credentials; did you mean sso.secret?");
  CHECK_THAT(set_from_credentials(given, folder / "nowhere").error().message, Contains("$CREDENTIALS_DIRECTORY"));
}

TEST_CASE("settings are shown as a file that says the same, without secrets") {
  const test::TemporaryFolder folder;
  GivenSettings given;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"server.name", "Say \"hi\" \\ to\n\x01us"},
                                                        {"webhooks.time_scale", "0.001"},
                                                        {"http.gzip", "false"},
                                                        {"limits.body", "1000001"},
                                                        {"limits.answer", "25M"},
                                                        {"limits.uploads", "3G"},
                                                        {"licences", "7"},
                                                        {"entities", "a, b"},
                                                        {"metrics.allow", "10.0.0.0/8"},
                                                        {"base_url", "https://desk.example/x"}})
    REQUIRE(given.set(name, value, {"argument", "--set"}));
  GivenSettings again;
  REQUIRE(set_from_file(again, write(folder, "shown.lua", settings_as_lua(given))));
  again.settings.database.clear();  // shown as what counts: in the data folder
  CHECK(again.settings == given.settings);
  CHECK_THAT(settings_as_lua(given), Contains("[\"limits.answer\"] = \"25M\",") && Contains("= 1000001,"));
}

TEST_CASE("no secret is shown, whatever its form") {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"sso.secret", "hunter2", "********"},
      {"oidc.client_secret", "hunter2", "********"},
      {"database", "postgresql://desk:hunter2@db.example/desk", "postgresql://desk@db.example/desk"},
      {"database", "postgresql://db.example/desk?password=hunter2&sslmode=require",
       "postgresql://db.example/desk?sslmode=require"},
      {"database", "postgresql://desk:hunter2/desk@db.example/desk", "postgresql://desk@db.example/desk"},
      {"database", "hunter2", "********"},
      {"webhooks.proxy", "http://u:hunter2@proxy:3128", "http://u@proxy:3128"}};
  for (const auto& [name, value, expected] : cases) {
    GivenSettings given;
    REQUIRE(given.set(name, value, {"argument", "--set"}));
    INFO(name << " " << value);
    CHECK(holds_secret(given.settings, name));
    const std::string lua = settings_as_lua(given), json = settings_as_json(given);
    CHECK_THAT(lua + json, !Contains("hunter2"));
    CHECK_THAT(line_of(given, name), Contains("-- ") && Contains(expected));
    CHECK(line_of(given, name).starts_with("  -- "));  // a mask that is read as a secret would be one
    CHECK_THAT(json, Contains(expected) && Contains("\"masked\":true"));
  }
  GivenSettings given;
  REQUIRE(given.set("database", "postgresql://desk@db.example/desk", {"argument", "--set"}));
  CHECK_FALSE(holds_secret(given.settings, "database"));
  CHECK_FALSE(holds_secret(given.settings, "sso.secret"));
  CHECK_FALSE(holds_secret(given.settings, "listen"));
}

TEST_CASE("settings as JSON have a value of their own type") {
  GivenSettings given;
  REQUIRE(given.set("licences", "7", {"environment", "CALLISTO_LICENCES"}));
  const auto read = json::parse(settings_as_json(given));
  REQUIRE(read);
  REQUIRE(read->items().size() == described_settings().size());
  CHECK_THAT(settings_as_json(given),
             Contains(R"({"name":"licences","value":7,"source":"environment","place":"CALLISTO_LICENCES",)") &&
                 Contains(R"({"name":"http.gzip","value":true,"source":"default",)") &&
                 Contains(R"({"name":"scripts","value":["scripts"],)"));
}

TEST_CASE("an installed program has its settings where its system keeps them") {
  CHECK(installed_settings_file("/usr/bin/callisto") == "/etc/callisto/callisto.lua");
  CHECK(installed_settings_file("/usr/local/bin/callisto") == "/usr/local/etc/callisto/callisto.lua");
  CHECK(installed_settings_file("/opt/callisto/bin/callisto") == "/opt/callisto/etc/callisto/callisto.lua");
  CHECK(installed_settings_file("/home/ada/main/build/callisto").empty());
  CHECK(installed_settings_file("callisto").empty());
}
