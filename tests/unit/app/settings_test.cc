#include "engine/app/opening/given_settings.h"
#include "tests/support/paths.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <unistd.h>

using namespace callisto;
using namespace callisto::app;
using Catch::Contains;

namespace {

// A settings file for the time of a test.
class File {
 public:
  explicit File(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / ("callisto-settings-" + std::to_string(getpid()))).string()) {
    std::ofstream(path_) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string problems_of(const std::string& text) {
  GivenSettings settings;
  const File file(text);
  const auto done = set_from_file(settings, file.path());
  REQUIRE_FALSE(done);
  return std::regex_replace(done.error().message, std::regex(file.path()), "FILE");
}

std::string sample() {
  std::ifstream file(test::source_folder() + "/samples/callisto.lua");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a setting has one form and one meaning in --set, the environment and the file") {
  GivenSettings by_flag, by_environment, by_file;
  REQUIRE(by_flag.set("oauth.access_seconds", "30", {"argument", "--set"}));
  REQUIRE(set_from_environment(by_environment, {"CALLISTO_OAUTH_ACCESS_SECONDS=30", "PATH=/bin"}));
  const File file("return { [\"oauth.access_seconds\"] = 30, scripts = { \"a\", \"b\" }, listen = '127.0.0.1:0' }");
  REQUIRE(set_from_file(by_file, file.path()));
  CHECK(by_flag.settings.access_seconds == 30);
  CHECK(by_environment.settings.access_seconds == 30);
  CHECK(by_file.settings.access_seconds == 30);
  CHECK(by_file.settings.scripts == std::vector<std::string>{"a", "b"});
  CHECK(by_file.settings.listen == std::vector<std::string>{"127.0.0.1:0"});
}

TEST_CASE("a slip in a variable's name is refused, names of other programs are not") {
  GivenSettings settings;
  for (const auto& [slip, meant] :
       std::vector<std::pair<std::string, std::string>>{{"LICENSES", "LICENCES"},
                                                        {"LISTN", "LISTEN"},
                                                        {"log_level", "LOG_LEVEL"},
                                                        {"BASEURL", "BASE_URL"},
                                                        {"OAUTH_ACCES_SECONDS", "OAUTH_ACCESS_SECONDS"},
                                                        {"LOG.LEVEL", "LOG_LEVEL"}}) {
    const auto done = set_from_environment(settings, {"CALLISTO_" + slip + "=5"});
    INFO(slip);
    REQUIRE_FALSE(done);
    CHECK(done.error().message ==
          "unknown setting CALLISTO_" + slip + " in the environment; did you mean CALLISTO_" + meant + "?");
  }
  for (const char* other : {"PROGRAM", "FAULTS", "SEED", "TEST_DATABASE", "STANDSTILL", "RELOADS", "SANITIZE", "FUZZ",
                            "SOURCE_DIR", "VERSION", "HOME", ""}) {
    INFO(other);
    CHECK(set_from_environment(settings, {"CALLISTO_" + std::string(other) + "=5", "CALLISTO_LISTN", "LISTN=5"}));
  }
  CHECK(settings.settings == Settings());
}

TEST_CASE("what Kubernetes and Docker say of services is no setting, whatever these are called") {
  GivenSettings settings;
  for (const std::string service : {"API", "OAUTH", "LOG", "LISTE", "API_ROO", "WEB", "DATA", "BASE", "TLS_KE"})
    for (const std::string link :
         {"_SERVICE_HOST=10.43.0.5", "_SERVICE_HOST=fd00::5", "_SERVICE_PORT=80", "_SERVICE_PORT_HTTP=80",
          "_SERVICE_PORT_WEB_2=8080", "_PORT=tcp://10.43.0.5:80", "_PORT=udp://[fd00::5]:80",
          "_PORT_80_TCP=tcp://10.43.0.5:80", "_PORT_80_TCP_PROTO=tcp", "_PORT_80_TCP_PORT=80",
          "_PORT_80_TCP_ADDR=10.43.0.5", "_PORT_53_UDP_ADDR=10.43.0.5", "_PORT_9_SCTP=sctp://10.43.0.5:9"}) {
      INFO(service << link);
      CHECK(set_from_environment(settings, {"CALLISTO_" + service + link}));
    }
  CHECK(settings.settings == Settings());
  for (const char* slip : {"API_PORT=8080", "API_HOST=10.43.0.5", "LISTEN_PORT=", "DATE=tcp://10.43.0.5:80"}) {
    INFO(slip);
    CHECK(bool(set_from_environment(settings, {std::string("CALLISTO_") + slip})) ==
          (std::string(slip) == "LISTEN_PORT="));
  }
}

TEST_CASE("what does not fit says what was expected") {
  Settings settings;
  CHECK_THAT(set(settings, "licenses", "3").error().message, Contains("did you mean 'licences'?"));
  CHECK_THAT(set(settings, "licences", "many").error().message, Contains("a whole number of at least 0"));
  CHECK_THAT(set(settings, "log.level", "loud").error().message, Contains("one of debug info"));
  CHECK_THAT(set(settings, "api.root", "api/").error().message, Contains("a path such as"));
  for (const char* url : {"desk.example.com", "https://", "https://desk.example.com/", "https:///x", "https://a?b",
                          "https://user@desk.example.com", "ftp://desk.example.com", "http://a b"})
    CHECK_THAT(set(settings, "base_url", url).error().message, Contains("a url such as https://desk.example.com"));
  CHECK(set(settings, "base_url", "https://desk.example.com/a"));
  CHECK_THAT(set(settings, "entities", " , ").error().message, Contains("at least one"));
  for (const char* size : {"", "0", "M", "25G", "-1", "1.5M", "2000M", "99999999999999999999K"})
    CHECK_THAT(set(settings, "limits.attachment", size).error().message, Contains("such as 500K or 25M"));
}

TEST_CASE("sizes are bytes, or with K or M") {
  Settings settings;
  REQUIRE(set(settings, "limits.attachment", "500K"));
  CHECK(settings.attachment_bytes == 512000);
  REQUIRE(set(settings, "limits.body", "1000000"));
  CHECK(settings.body_bytes == 1000000);
  REQUIRE(set(settings, "limits.body", "1024M"));
  CHECK(settings.body_bytes == std::size_t{1} << 30);
}

TEST_CASE("all problems of a settings file are told with their lines") {
  CHECK(problems_of("return {\n  licenses = 3,\n  [\"log.level\"] = \"loud\",\n  data = function() end,\n}") ==
        "FILE:4: data is a function; a setting is a text, a number, true, false or a list of texts\n"
        "FILE:2: unknown setting 'licenses'; did you mean 'licences'?\n"
        "FILE:3: setting log.level: 'loud' does not fit; expected one of debug info warning error off");
  CHECK_THAT(problems_of("return {\n  listen = ,\n}"), Contains("FILE:2: unexpected symbol"));
  CHECK_THAT(problems_of("listen = 1"), Contains("FILE:1: "));
  CHECK_THAT(problems_of("return 5"), Contains("FILE: returns no settings; write: return {"));
  CHECK_THAT(problems_of("return { os.getenv 'HOME' }"), Contains("FILE:1: "));
  CHECK_THAT(problems_of("while true do end"), Contains("FILE"));
  CHECK_THAT(problems_of("return { 'debug' }"), Contains("a setting has no name"));
  GivenSettings settings;
  CHECK_THAT(set_from_file(settings, "/nowhere/callisto.lua").error().message, Contains("cannot be read"));
}

TEST_CASE("the sample file names every setting, at its default") {
  const std::string uncommented = std::regex_replace(sample(), std::regex("\n  -- "), "\n  ");
  const File file(uncommented);
  GivenSettings given;
  const auto done = set_from_file(given, file.path());
  Settings& settings = given.settings;
  INFO((done ? std::string() : done.error().message));
  REQUIRE(done);
  CHECK(settings.database_url() == Settings().database_url());
  settings.database.clear();
  const Settings expected;
  CHECK(settings == expected);
  for (const SettingDescription& each : described_settings()) {
    const std::string name(each.name);
    INFO(name);
    CHECK(((uncommented.find("\n  " + name + " =") != std::string::npos) ||
           (uncommented.find("\n  [\"" + name + "\"] =") != std::string::npos)));
  }
}

TEST_CASE("base_url may have a tidy path, without '/' at its end") {
  for (const char* fits : {"", "https://desk.example", "http://desk.example:8080", "https://x.example/desk",
                           "https://x.example/it/desk", "http://[::1]:80/a-b_c.d~e", "https://x.example/service.api"}) {
    INFO(fits);
    Settings settings;
    REQUIRE(set(settings, "base_url", fits));
    CHECK(settings.base_url == fits);
  }
  const std::pair<const char*, const char*> refused[] = {{"https://x.example/", "without '/' at its end"},
                                                         {"https://x.example/desk/", "without '/' at its end"},
                                                         {"https://x.example//desk", "between single '/'"},
                                                         {"https://x.example/a//b", "between single '/'"},
                                                         {"https://x.example/../desk", "between single '/'"},
                                                         {"https://x.example/./desk", "between single '/'"},
                                                         {"https://x.example/d%65sk", "letters, digits"},
                                                         {"https://x.example/d;sk", "letters, digits"},
                                                         {"https://x.example/d\xc3\xa9sk", "letters, digits"},
                                                         {"https://x.example/desk?a", "a url such as"},
                                                         {"https://x.example/desk#a", "a url such as"},
                                                         {"https://u@x.example/desk", "a url such as"},
                                                         {"x.example/desk", "a url such as"},
                                                         {"/desk", "a url such as"},
                                                         {"https:///desk", "a url such as"},
                                                         {"https://", "a url such as"}};
  for (const auto& [value, words] : refused) {
    INFO(value);
    Settings settings;
    const auto done = set(settings, "base_url", value);
    REQUIRE_FALSE(done);
    CHECK_THAT(done.error().message, Contains("base_url") && Contains(words));
    CHECK(settings.base_url.empty());
  }
}

TEST_CASE("http.cors_origins takes origins, spelled as browsers do") {
  using Origins = std::vector<std::string>;
  const std::pair<const char*, Origins> fits[] = {
      {"", {}},
      {"*", {"*"}},
      {"https://app.example", {"https://app.example"}},
      {"https://a.example, http://localhost:5173", {"https://a.example", "http://localhost:5173"}},
      {"HTTPS://App.Example", {"https://app.example"}},
      {"https://a.example:443", {"https://a.example"}},
      {"http://a.example:80", {"http://a.example"}},
      {"http://a.example:443", {"http://a.example:443"}},
      {"https://a.example:08443", {"https://a.example:8443"}},
      {"http://[::1]:5173", {"http://[::1]:5173"}},
      {"http://[::1]", {"http://[::1]"}},
      {"capacitor://localhost", {"capacitor://localhost"}}};
  for (const auto& [value, expected] : fits) {
    INFO(value);
    Settings settings;
    REQUIRE(set(settings, "http.cors_origins", value));
    CHECK(settings.cors_origins == expected);
  }
  for (const char* value : {"null",
                            "app.example",
                            "https://",
                            "https://a.example/",
                            "https://a.example/app",
                            "//a.example",
                            "https://*.example",
                            "https://a.example:",
                            "https://a.example:0",
                            "https://a.example:65536",
                            "https://a.example:8443x",
                            "https://u@a.example",
                            "https://a example",
                            "https://a.example?x",
                            "https://b\xc3\xbc.example",
                            "*, https://a.example",
                            "https://a.example https://b.example",
                            "https://[::1",
                            "://a.example",
                            "https://a.example:80:80"}) {
    INFO(value);
    Settings settings;
    const auto done = set(settings, "http.cors_origins", value);
    REQUIRE_FALSE(done);
    CHECK_THAT(done.error().message, Contains("http.cors_origins") && Contains("origin"));
  }
}
