// What a server that stops does about those who connect at that moment, and about the thread that waits for them.
#include "engine/http/connections/handed_sockets.h"
#include "engine/http/tls.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_certificate.h"
#include "tests/unit/http/fixture.h"

#include <fcntl.h>
#include <poll.h>

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::http;
using namespace callisto::test;

std::ptrdiff_t descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

TEST_CASE("who waits for connections is woken when the server stops", "[http]") {
  HandedSockets sockets({}, [](int, const std::string&) {});
  std::promise<void> waits;
  auto woken = std::async(std::launch::async, [&] {
    sockets.wait_here();
    waits.set_value();
    return ::poll(nullptr, 0, 60'000);
  });
  waits.get_future().wait();
  sockets.stop();
  REQUIRE(woken.wait_for(std::chrono::seconds(20)) == std::future_status::ready);
  CHECK(woken.get() == 0);
}

TEST_CASE("a wait for connections tells of what came, and ends in its time", "[http]") {
  HandedSockets sockets({}, [](int, const std::string&) {});
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  pollfd asked[] = {{ends[0], POLLIN, 0}};
  CHECK(sockets.wait(asked, 1, 1) == 0);
  REQUIRE(write(ends[1], "x", 1) == 1);
  CHECK(sockets.wait(asked, 1, -1) == 1);
  CHECK(asked[0].revents == POLLIN);
  sockets.stop();
  CHECK(sockets.wait(asked, 1, -1) == 1);  // what came is told with it
  close(ends[0]);
  close(ends[1]);
}

// Whether what each of them has sent is the beginning of a handshake or nothing, the server stops amidst it.
void stop_while_they_come(const ServerOptions& options, std::string_view sent) {
  std::vector<RawClient> clients;
  const ServerFixture server({}, options);
  while (clients.size() < 8) {
    clients.push_back(server.client());
    clients.back().send(sent);
  }
}

TEST_CASE("connections that are accepted as a server stops are closed with it", "[http]") {
  const TemporaryFolder folder;
  const std::string path = folder / "desk.pem";
  std::ofstream(path) << make_certificate("a");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  ServerOptions plain = ServerFixture::small_options(), secure = plain;
  secure.tls = Tls::create({path, ""}).value();
  const auto before = descriptors();
  for (int round = 0; round < 50; ++round) {
    stop_while_they_come(plain, "");
    stop_while_they_come(secure, std::string_view("\x16\x03\x01\x02\x00\x01", 6));
    REQUIRE(descriptors() == before);
  }
}

}  // namespace
