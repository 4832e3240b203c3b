// Every kind of address that a server can listen on, what a client is then called, and what stands in the way.
#include "fixture.h"
#include "tests/support/temporary_folder.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <catch2/catch.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

namespace {

using namespace callisto;
using namespace callisto::http;
using namespace callisto::test;
using Catch::Contains;

constexpr std::string_view ask = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

ServerOptions listening_on(std::vector<std::string> texts) {
  ServerOptions options = ServerFixture::small_options();
  options.listen.clear();
  for (const std::string& text : texts) options.listen.push_back(parse_listen_address(text).value());
  return options;
}

// Answers with the client's address.
std::unique_ptr<Server> serve(const ServerOptions& options) {
  auto server = Server::start(
      options, [](Request& request, Response& response) { response.body = std::string(request.remote_address); });
  if (!server) FAIL(server.error().message);
  return *std::move(server);
}

std::string refusal(const ServerOptions& options) {
  const auto server = Server::start(options, [](Request&, Response&) {});
  return server ? "(it listens)" : server.error().message;
}

std::string seen_by(RawClient client) {
  client.send(ask);
  const Reply reply = client.read_reply();
  return reply.status == 200 ? reply.body : "(no answer)";
}

bool has_ipv6() {
  const int descriptor = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  const bool has = bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(descriptor);
  return has;
}

struct LinkLocal {
  std::string address, interface;
};
std::optional<LinkLocal> link_local() {
  std::optional<LinkLocal> found;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return found;
  for (const ifaddrs* each = all; each && !found; each = each->ifa_next) {
    if (!each->ifa_addr || each->ifa_addr->sa_family != AF_INET6) continue;
    sockaddr_in6 address{};
    std::memcpy(&address, each->ifa_addr, sizeof address);
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
    if (IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr)) found = {text, each->ifa_name};
  }
  freeifaddrs(all);
  return found;
}

mode_t mode_of(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 ? found.st_mode & 0777 : 0;
}

}  // namespace

TEST_CASE("several addresses are listened on at once, each with a port of its own", "[http][listen]") {
  const TemporaryFolder folder;
  const std::string one = folder.path() + "/one", two = folder.path() + "/two";
  auto server = serve(listening_on({"127.0.0.1:0", "unix:" + one, "127.0.0.1:0", "unix:" + two}));
  const auto addresses = server->addresses();
  REQUIRE(addresses.size() == 4);
  CHECK(addresses[0].port != addresses[2].port);
  CHECK(server->port() == addresses[0].port);
  CHECK(seen_by(RawClient(addresses[0].port)) == "127.0.0.1");
  CHECK(seen_by(RawClient(addresses[2].port)) == "127.0.0.1");
  CHECK(seen_by(RawClient(one)) == "unix");
  CHECK(seen_by(RawClient(two)) == "unix");
  server->stop();
  CHECK_FALSE(std::filesystem::exists(one));
  CHECK_FALSE(std::filesystem::exists(two));
  CHECK_FALSE(RawClient(addresses[2].port).connected());
}

TEST_CASE("IPv6 is listened on, and who comes by IPv4 is called by that", "[http][listen]") {
  if (!has_ipv6()) {
    WARN("this machine has no IPv6");
    return;
  }
  SECTION("one address") {
    const auto server = serve(listening_on({"[::1]:0"}));
    CHECK(seen_by(RawClient("::1", server->port())) == "::1");
    CHECK_FALSE(RawClient(server->port()).connected());
  }
  SECTION("all addresses of both") {
    const auto server = serve(listening_on({"[::]:0"}));
    CHECK(seen_by(RawClient("::1", server->port())) == "::1");
    CHECK(seen_by(RawClient(server->port())) == "127.0.0.1");
  }
  SECTION("[::] beside 0.0.0.0 with its port leaves IPv4 to that") {
    const int port = serve(listening_on({"127.0.0.1:0"}))->port();
    const std::string text = std::to_string(port);
    const auto server = serve(listening_on({"[::]:" + text, "0.0.0.0:" + text}));
    CHECK(seen_by(RawClient("::1", port)) == "::1");
    CHECK(seen_by(RawClient(port)) == "127.0.0.1");
  }
  SECTION("a name has all its addresses, with one port") {
    const auto server = serve(listening_on({"localhost:0"}));
    for (const ListenAddress& each : server->addresses()) CHECK(each.port == server->port());
    CHECK(seen_by(RawClient(server->port())) == "127.0.0.1");
    if (server->addresses().size() > 1) CHECK(seen_by(RawClient("::1", server->port())) == "::1");
  }
  SECTION("link-local, with its interface") {
    const auto found = link_local();
    if (!found) {
      WARN("this machine has no link-local address");
      return;
    }
    const auto server = serve(listening_on({"[" + found->address + "%" + found->interface + "]:0"}));
    const unsigned index = if_nametoindex(found->interface.c_str());
    CHECK(seen_by(RawClient(found->address, server->port(), index)) == found->address);
    CHECK_THAT(refusal(listening_on({"[" + found->address + "]:0"})), Contains("needs its network interface"));
    CHECK_THAT(refusal(listening_on({"[fe80::1%nowhere]:0"})), Contains("one of its network interfaces"));
  }
}

TEST_CASE("an address that cannot be listened on is told with the reason", "[http][listen]") {
  const auto server = serve(listening_on({"127.0.0.1:0"}));
  const std::string taken = std::to_string(server->port());
  struct Row {
    std::vector<std::string> listen;
    std::string words;
  };
  const Row rows[] = {
      {{"127.0.0.1:" + taken}, "Cannot listen on 127.0.0.1:" + taken + ": another program uses this port"},
      {{"192.0.2.1:0"}, "Cannot listen on 192.0.2.1:0: '192.0.2.1' is no address of this machine"},
      {{"[2001:db8::1]:0"}, "Cannot listen on [2001:db8::1]:0: "},
      {{"desk.invalid:0"}, "'desk.invalid' is no address and no name that this machine knows"},
      {{"127.0.0.1:0", "192.0.2.1:0"}, "192.0.2.1"},
  };
  for (const Row& row : rows) CHECK_THAT(refusal(listening_on(row.listen)), Contains(row.words));
  // One that the same setting takes in already is no other program's fault.
  const int free = serve(listening_on({"127.0.0.1:0"}))->port();
  const std::string text = std::to_string(free);
  CHECK_THAT(refusal(listening_on({"0.0.0.0:" + text, "127.0.0.1:" + text})),
             Contains("names 0.0.0.0:" + text + " too"));
}

TEST_CASE("a unix socket has the mode and the group that it is given", "[http][listen]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/desk";
  ServerOptions options = listening_on({"unix:" + path});
  const mode_t before = umask(077);
  {
    const auto server = serve(options);
    CHECK(mode_of(path) == 0660);
  }
  options.socket_rights = {0600, "", std::to_string(getegid())};
  {
    const auto server = serve(options);
    CHECK(mode_of(path) == 0600);
  }
  umask(before);
  options.socket_rights = {0600, "", "no such group"};
  CHECK_THAT(refusal(options), Contains("there is no group 'no such group', which socket.owner names"));
  options.socket_rights = {0600, "no such user", ""};
  CHECK_THAT(refusal(options), Contains("there is no user 'no such user', whom socket.owner names"));
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a unix socket takes the place of a stale one, and of nothing else", "[http][listen]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/desk";
  const ServerOptions options = listening_on({"unix:" + path});
  SECTION("of a server that was killed") {
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(descriptor);
    const auto server = serve(options);
    CHECK(seen_by(RawClient(path)) == "unix");
  }
  SECTION("of a server that lives") {
    const auto server = serve(options);
    CHECK_THAT(refusal(options), Contains("another server listens there"));
    CHECK(seen_by(RawClient(path)) == "unix");
  }
  SECTION("of a file") {
    std::ofstream(path) << "mine";
    CHECK_THAT(refusal(options), Contains("a file that is no socket stands there"));
    CHECK(std::filesystem::file_size(path) == 4);
  }
  SECTION("of a link, which is not followed") {
    std::filesystem::create_symlink("/nowhere", path);
    CHECK_THAT(refusal(options), Contains("a file that is no socket stands there"));
  }
  SECTION("at the end it leaves what another server put in its place") {
    auto first = serve(options);
    std::filesystem::remove(path);
    const auto second = serve(options);
    first->stop();
    CHECK(seen_by(RawClient(path)) == "unix");
  }
}

TEST_CASE("a unix socket without a place is told with the reason", "[http][listen]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/file";
  std::ofstream(file) << "";
  CHECK_THAT(refusal(listening_on({"unix:" + folder.path() + "/missing/desk"})),
             Contains("there is no folder '" + folder.path() + "/missing'. Make it"));
  CHECK_THAT(refusal(listening_on({"unix:" + file + "/desk"})), Contains("is no folder"));
  CHECK_THAT(refusal(listening_on({"unix:/proc/desk"})), Contains("'/proc'"));
  const std::string longest = folder.path() + "/" + std::string(107 - folder.path().size() - 1, 'x');
  CHECK_THAT(refusal(listening_on({"unix:" + longest + "x"})), Contains("the path has 108 bytes"));
  const auto server = serve(listening_on({"unix:" + longest}));
  CHECK(seen_by(RawClient(longest)) == "unix");
}
