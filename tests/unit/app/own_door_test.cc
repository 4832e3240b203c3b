// How this machine reaches a server of its own, whatever it listens on.
#include "engine/app/serving/own_door.h"

#include "engine/app/opening/data_folder.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace callisto;
using namespace callisto::app;

TEST_CASE("a server is reached by its first address") {
  struct Row {
    const char *listen, *url, *socket;
    bool tls;
  };
  for (const Row& row : {Row{"127.0.0.1:81", "http://127.0.0.1:81", "", false},
                         {"0.0.0.0:81", "http://127.0.0.1:81", "", false},
                         {"[::]:81", "https://[::1]:81", "", true},
                         {"[fe80::1%lo]:81", "http://[fe80::1%25lo]:81", "", false},
                         {"unix:/run/desk", "http://localhost", "/run/desk", false},
                         {"unix:/run/desk", "http://localhost", "/run/desk", true}}) {
    const OwnDoor door = own_door({http::parse_listen_address(row.listen).value(), {"127.0.0.1", 9}}, row.tls);
    CHECK((door.url == row.url && door.socket == row.socket));
  }
}

TEST_CASE("where a server listens stands in its data folder as long as it runs") {
  const test::TemporaryFolder folder;
  Settings settings;
  settings.data = folder.path();
  settings.listen = {"127.0.0.1:0", "127.0.0.1:81"};
  const std::vector<http::ListenAddress> real{{"::1", 82}, {"", 0, "desk.sock"}};
  const auto told = [&] { return where_it_listens(settings).value(); };
  CHECK(told() == std::vector<http::ListenAddress>{{"127.0.0.1", 81}});
  {
    const ListeningFile file(settings.data, real);
    CHECK(told() == std::vector<http::ListenAddress>{{"127.0.0.1", 81}});  // of a server that was killed
    const auto claim = claim_data_folder(settings);
    REQUIRE(claim);
    const auto found = told();
    REQUIRE(found.size() == 2);
    CHECK((found[0] == real[0] && found[1].path == std::filesystem::absolute("desk.sock").string()));
  }
  CHECK_FALSE(std::filesystem::exists(folder / "listening"));
  settings.listen = {"127.0.0.1:0"};
  CHECK_THAT(where_it_listens(settings).error().message, Catch::Contains("the setting listen has port 0"));
}
