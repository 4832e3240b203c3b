#include "engine/http/passed_sockets.h"

#include "engine/base/text.h"
#include "engine/http/listening/socket_address.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string>

namespace callisto::http {

namespace {

constexpr int first_descriptor = 3;
constexpr int most_passed = 1024;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool is_number(std::string_view text, int& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size();
}

int option_of(int descriptor, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

Result<ListenAddress> address_of(int descriptor, const std::string& name) {
  const std::string which = "the descriptor " + std::to_string(descriptor) +
                            (name.empty() ? "" : " (" + text::quoted(name) + " in LISTEN_FDNAMES)");
  if (fcntl(descriptor, F_GETFD) < 0)
    return bad_format(which +
                      " is not open, though LISTEN_FDS counts it. The service manager passed less than it said.");
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  if (option_of(descriptor, SO_TYPE) != SOCK_STREAM)
    return bad_format(which + " is no stream socket. Write ListenStream= in the socket unit.");
  if (option_of(descriptor, SO_ACCEPTCONN) != 1)
    return bad_format(which + " does not listen. Write Accept=no in the socket unit.");
  auto address = listening_address(descriptor);
  if (!address) return bad_format(which + " is neither of IPv4 nor of IPv6 nor a unix socket with a path.");
  address->descriptor = descriptor;
  return *address;
}

}  // namespace

Result<std::vector<ListenAddress>> passed_sockets() {
  std::vector<ListenAddress> passed;
  const std::string count_text = variable("LISTEN_FDS");
  int process = 0, count = 0;
  // Variables that are left over from another process mean nothing to this one.
  if (count_text.empty() || !is_number(variable("LISTEN_PID"), process) || process != getpid()) return passed;
  if (!is_number(count_text, count) || count < 0 || count > most_passed)
    return bad_format("LISTEN_FDS is " + text::quoted(count_text) + " instead of a number of descriptors up to " +
                      std::to_string(most_passed) + ". It is set by the service manager alone.");
  const std::string names_text = variable("LISTEN_FDNAMES");
  const auto names = text::split(names_text, ':');
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    CALLISTO_TRY(auto address, address_of(first_descriptor + i, at < names.size() ? std::string(names[at]) : ""));
    passed.push_back(std::move(address));
  }
  return passed;
}

}  // namespace callisto::http
