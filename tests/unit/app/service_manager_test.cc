// What a service manager hears: sd_notify(3).
#include "engine/app/serving/service_manager.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include "tests/support/temporary_folder.h"

namespace {

using namespace callisto;
using namespace callisto::app;
using Catch::Contains;

// For the time of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

class Manager {
 public:
  // '@' before it: of the abstract namespace.
  explicit Manager(const std::string& path) : descriptor_(socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    if (path[0] == '@') address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    REQUIRE(bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), length) == 0);
    const timeval patience{30, 0};
    setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~Manager() { close(descriptor_); }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  std::string heard() const {
    char bytes[1024];
    const ssize_t count = recv(descriptor_, bytes, sizeof bytes, 0);
    return count < 0 ? std::string("(nothing)") : std::string(bytes, static_cast<std::size_t>(count));
  }

 private:
  const int descriptor_;
};

}  // namespace

TEST_CASE("a service manager is told of start, reload and end, at a socket of either kind") {
  const test::TemporaryFolder folder;
  for (const std::string& path : {folder / "notify", "@" + folder.path().substr(1)}) {
    const Manager manager(path);
    const Variable variable("NOTIFY_SOCKET", path);
    ServiceManager told({"http://127.0.0.1:1", ""});
    told.ready("listening");
    CHECK(manager.heard() == "READY=1\nSTATUS=listening");
    told.reloading();
    const std::string reloading = manager.heard();
    CHECK(reloading.starts_with("RELOADING=1\nMONOTONIC_USEC="));
    CHECK(std::stoll(reloading.substr(27)) > 0);
    told.ready("again");
    CHECK(manager.heard() == "READY=1\nSTATUS=again");
    told.stopping();
    CHECK(manager.heard().starts_with("STOPPING=1\n"));
  }
}

TEST_CASE("without a service manager, or with one that is gone, a server goes on") {
  ServiceManager none({"http://127.0.0.1:1", ""});
  none.ready("x");
  none.stopping();
  for (const std::string& path : {std::string("/nowhere/notify"), std::string(200, 'x'), std::string("/")}) {
    const Variable variable("NOTIFY_SOCKET", path);
    ServiceManager gone({"http://127.0.0.1:1", ""});
    gone.ready("x");
    gone.stopping();
  }
}

TEST_CASE("the watchdog's time is that of this process alone") {
  CHECK_FALSE(watchdog_interval());
  const Variable interval("WATCHDOG_USEC", "30000000");
  CHECK(watchdog_interval() == std::chrono::seconds(30));
  {
    const Variable own("WATCHDOG_PID", std::to_string(getpid()));
    CHECK(watchdog_interval() == std::chrono::seconds(30));
  }
  {
    const Variable other("WATCHDOG_PID", "1");
    CHECK_FALSE(watchdog_interval());
  }
  for (const char* wrong : {"", "0", "-1", "soon", "30s", "99999999999999999999"}) {
    const Variable none("WATCHDOG_USEC", wrong);
    CHECK_FALSE(watchdog_interval());
  }
}

TEST_CASE("a server that does not answer does not feed the watchdog") {
  const test::TemporaryFolder folder;
  const Manager manager(folder / "notify");
  const Variable where("NOTIFY_SOCKET", folder / "notify"), interval("WATCHDOG_USEC", "3000");
  ServiceManager told({"http://127.0.0.1:1", ""});
  told.ready("x");
  CHECK(manager.heard() == "READY=1\nSTATUS=x");
  told.stopping();  // after a feeding that was under way
  CHECK(manager.heard().starts_with("STOPPING=1"));
}
