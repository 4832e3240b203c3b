// The first start of a desk without samples: no default password, but a link that makes the administrator, once.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace {

using namespace callisto;
using namespace callisto::tests;

const ServerProcess::Headers form_type{"Content-Type: application/x-www-form-urlencoded"};
constexpr std::string_view mark = "/service.web/oauth/setup?token=";

// The path and query that the server printed; empty: none.
std::string link_of(const std::string& printed) {
  const std::size_t start = printed.find(mark);
  return start == printed.npos ? "" : printed.substr(start, printed.find('\n', start) - start);
}

}  // namespace

TEST_CASE("a new desk has no password; its link makes one administrator, who can sign in") {
  const TemporaryFolder folder;
  REQUIRE(run_program({"client", "add", "--data", folder.path(), "app"}).exit_status == 0);
  ServerProcess server(folder.path(), {});
  const std::string printed = server.printed_until("LOGIN\n");
  CHECK(printed.find("callisto person add --administrator --data " + folder.path() + " LOGIN") != std::string::npos);
  const std::string link = link_of(printed);
  REQUIRE(link.size() == mark.size() + 43);
  const std::string token = link.substr(mark.size());

  const Answer page = server.send("GET", link);
  CHECK(page.status == 200);
  CHECK(page.headers.at("content-type") == "text/html; charset=utf-8");
  CHECK(page.headers.at("cache-control") == "no-store");
  CHECK(page.headers.at("content-security-policy").starts_with("default-src 'none'"));
  CHECK(server.send("HEAD", link).status == 200);
  CHECK(server.send("GET", std::string(mark) + "x").status == 404);

  const std::string form = "token=" + token + "&username=ada&password=correct+horse&repeated=";
  CHECK(server.send("POST", "/service.web/oauth/setup", form_type, form + "wrong").status == 400);
  CHECK(server.send("POST", "/service.web/oauth/setup", form_type, form + "correct+horse").status == 200);
  CHECK(server.send("POST", "/service.web/oauth/setup", form_type, form + "correct+horse").status == 404);
  CHECK(server.send("GET", link).status == 404);

  const auto signed_in = json::parse(
      server.login("client_id=app&grant_type=password&username=ADA&password=correct+horse&scope=session-type:Analyst")
          .body);
  REQUIRE(signed_in);
  REQUIRE(signed_in->find("access_token"));
  const Client ada(server, signed_in->find("access_token")->text());
  CHECK(ada.send("POST", "v1/organization", R"({"Name": "Ours"})").status == 200);
  server.stop();

  std::ifstream file(folder.path() + "/audit.jsonl");
  const std::string log(std::istreambuf_iterator<char>(file), {});
  CHECK(log.find("\"reason\":\"ada, Administrator, by the setup link\"") != std::string::npos);
  CHECK(log.find(token) == std::string::npos);
  ServerProcess again(folder.path(), {});
  CHECK(again.send("GET", link).status == 404);
  again.stop();
  CHECK(link_of(again.printed_until({})).empty());
}

TEST_CASE("an empty desk gets a client with its first administrator, who signs in through it at once") {
  const TemporaryFolder folder;
  const std::string login =
      "grant_type=password&username=ADA&password=correct+horse&scope=session-type:Analyst&client_id=callisto";
  SECTION("in a browser") {
    ServerProcess server(folder.path(), {});
    const std::string token = link_of(server.printed_until("LOGIN\n")).substr(mark.size());
    const Answer done = server.send("POST", "/service.web/oauth/setup", form_type,
                                    "token=" + token + "&username=ada&password=correct+horse&repeated=correct+horse");
    CHECK(done.status == 200);
    CHECK(done.body.find("through the client <code>callisto</code>") != std::string::npos);
    CHECK(server.login(login).status == 200);
  }
  SECTION("by the command") {
    const Finished added =
        run_program({"person", "add", "--administrator", "--data", folder.path(), "ada"}, "correct horse\n");
    CHECK(added.output.find("client callisto added") != std::string::npos);
    const Finished second =
        run_program({"person", "add", "--administrator", "--data", folder.path(), "bob"}, "correct horse\n");
    CHECK(second.output.find("client") == std::string::npos);
    ServerProcess server(folder.path(), {});
    CHECK(server.login(login).status == 200);
  }
}

TEST_CASE("no link is offered where there is an administrator") {
  const TemporaryFolder folder;
  SECTION("of the samples") {
    ServerProcess server(folder.path(), {"--samples"});
    server.stop();
    CHECK(link_of(server.printed_until({})).empty());
  }
  SECTION("made by the command") {
    REQUIRE(run_program({"person", "add", "--administrator", "--data", folder.path(), "ada"}, "correct horse\n")
                .exit_status == 0);
    ServerProcess server(folder.path(), {});
    server.stop();
    CHECK(link_of(server.printed_until({})).empty());
  }
}

TEST_CASE("somebody without the right Administration is no administrator; each start makes a new link") {
  const TemporaryFolder folder;
  REQUIRE(run_program({"person", "add", "--analyst", "--data", folder.path(), "bob"}, "correct horse\n").exit_status ==
          0);
  std::string first;
  {
    ServerProcess server(folder.path(), {});
    first = link_of(server.printed_until("LOGIN\n"));
    CHECK_FALSE(first.empty());
  }
  ServerProcess server(folder.path(), {});
  const std::string second = link_of(server.printed_until("LOGIN\n"));
  CHECK_FALSE(second.empty());
  CHECK(second != first);
  CHECK(server.send("GET", first).status == 404);
  CHECK(server.send("GET", second).status == 200);
}

TEST_CASE("the link goes to standard output, never to the log") {
  const TemporaryFolder folder;
  const std::string errors = folder.path() + "/errors";
  ServerProcess server(folder.path(), {"--set", "log.level=debug"}, errors);
  const std::string link = link_of(server.printed_until("LOGIN\n"));
  REQUIRE_FALSE(link.empty());
  server.send("GET", link);
  server.send("POST", "/service.web/oauth/setup", form_type, "token=" + link.substr(mark.size()));
  server.stop();
  std::ifstream file(errors);
  const std::string log(std::istreambuf_iterator<char>(file), {});
  CHECK(log.find("stopping") != std::string::npos);
  CHECK(log.find(link.substr(mark.size())) == std::string::npos);
}
