// A database server that starts after this one.
#include "tests/api/server_process.h"
#include "tests/support/postgres.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <future>
#include <iterator>
#include <thread>

using namespace callisto;
using namespace callisto::tests;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a server waits for its database where it is told to, and says so") {
  const auto postgres = test::Postgres::make();
  if (!postgres) return;
  const std::string url = postgres->new_database();
  postgres->stop();
  const TemporaryFolder folder;
  const std::string log = folder / "log";
  auto starting = std::async(std::launch::async, [&] {
    return std::make_unique<ServerProcess>(folder.path(),
                                           std::vector<std::string>{"--set", "database=" + url, "--wait", "60"}, log);
  });
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (text_of(log).find("waiting up to 60 s for the database") == std::string::npos &&
         std::chrono::steady_clock::now() < latest)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(text_of(log).find("waiting up to 60 s for the database") != std::string::npos);
  postgres->restart();
  const auto server = starting.get();
  CHECK(server->send("GET", "/readyz").status == 200);
}

TEST_CASE("without it a server that cannot reach its database ends at once, and tells of the option") {
  const auto postgres = test::Postgres::make();
  if (!postgres) return;
  const std::string url = postgres->new_database();
  postgres->stop();
  const TemporaryFolder folder;
  const Finished ended =
      run_program({"--data", folder.path(), "--set", "database=" + url, "serve", "--listen", "127.0.0.1:0"});
  INFO(ended.output);
  CHECK(ended.exit_status == 1);
  CHECK(ended.output.find("cannot connect to PostgreSQL") != std::string::npos);
  CHECK(ended.output.find("callisto serve --wait 60") != std::string::npos);
}
