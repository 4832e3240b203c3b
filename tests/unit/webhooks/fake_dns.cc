#include "fake_dns.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>

namespace callisto::test {

namespace {

std::mutex mutex;
std::condition_variable changed;
std::map<std::string, std::vector<std::string>, std::less<>> names;
bool hangs = false;
int hanging = 0;

// One block for both, as glibc's freeaddrinfo wants it.
addrinfo* entry(const std::string& text, const char* service, addrinfo* next) {
  struct Block {
    addrinfo info;
    sockaddr_in6 address;
  };
  auto* block = static_cast<Block*>(std::calloc(1, sizeof(Block)));
  const bool v6 = text.find(':') != std::string::npos;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&block->address);
  const auto port = htons(static_cast<std::uint16_t>(service ? std::atoi(service) : 0));
  if (v6) {
    block->address.sin6_port = port;
    inet_pton(AF_INET6, text.c_str(), &block->address.sin6_addr);
  } else {
    v4->sin_port = port;
    inet_pton(AF_INET, text.c_str(), &v4->sin_addr);
  }
  block->address.sin6_family = v6 ? AF_INET6 : AF_INET;
  block->info.ai_family = block->address.sin6_family;
  block->info.ai_socktype = SOCK_STREAM;
  block->info.ai_addrlen = v6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  block->info.ai_addr = reinterpret_cast<sockaddr*>(&block->address);
  block->info.ai_next = next;
  return &block->info;
}

int resolve(std::string_view name, const char* service, addrinfo** found) {
  std::unique_lock lock(mutex);
  if (name == "hang.test" && hangs) {
    ++hanging;
    changed.notify_all();
    changed.wait(lock, [] { return !hangs; });
    --hanging;
    changed.notify_all();
    return EAI_AGAIN;
  }
  const auto known = names.find(name);
  if (known == names.end() || known->second.empty()) return EAI_NONAME;
  *found = nullptr;
  for (auto text = known->second.rbegin(); text != known->second.rend(); ++text) *found = entry(*text, service, *found);
  return 0;
}

}  // namespace

void set_addresses(const std::string& name, std::vector<std::string> addresses) {
  const std::lock_guard lock(mutex);
  names[name] = std::move(addresses);
}

HangingDns::HangingDns() {
  const std::lock_guard lock(mutex);
  hangs = true;
}

HangingDns::~HangingDns() {
  std::unique_lock lock(mutex);
  hangs = false;
  changed.notify_all();
  changed.wait(lock, [] { return hanging == 0; });
}

void HangingDns::wait_for_lookup() const {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return hanging > 0; });
}

}  // namespace callisto::test

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  if (name && std::string_view(name).ends_with(".test")) return callisto::test::resolve(name, service, found);
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "getaddrinfo"));
  return real(name, service, hints, found);
}
