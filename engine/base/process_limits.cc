#include "engine/base/process_limits.h"

#include "engine/base/text.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace callisto::process_limits {

namespace {

constexpr rlim_t enough_descriptors = 65'536;
constexpr const char* cgroups = "/sys/fs/cgroup";

class Gate {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

std::optional<rlim_t> soft_limit(__rlimit_resource resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

// "pids.max" of this process's group or the nearest one above it that has a number there.
std::optional<std::string> group_limit(std::string_view folder, const std::string& path, const char* file) {
  for (std::filesystem::path group = path;; group = group.parent_path()) {
    std::ifstream in(std::string(folder) + group.string() + "/" + file);
    std::string number;
    if (std::getline(in, number) && !number.empty() && number != "max") return number;
    if (!group.has_relative_path()) return std::nullopt;
  }
}

// Of version 2 ("0::/path"), or of the controller's own hierarchy in version 1 ("4:pids:/path").
std::optional<std::string> group_limit(const char* controller, const char* file) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto parts = text::split(line, ':');
    if (parts.size() < 3) continue;
    const std::string path(line.substr(parts[0].size() + parts[1].size() + 2));
    const bool is_own = parts[1] == controller;
    if (!is_own && !parts[1].empty()) continue;
    if (auto found = group_limit(cgroups + (is_own ? "/" + std::string(controller) : std::string()), path, file))
      return found;
  }
  return std::nullopt;
}

std::string listed(const std::vector<std::string>& limits) {
  std::string text;
  for (const std::string& each : limits) text += (text.empty() ? "" : "; ") + each;
  return text.empty() ? "no limit of this process" : text;
}

std::vector<std::string> memory_limits() {
  std::vector<std::string> limits;
  if (const auto bytes = soft_limit(RLIMIT_AS))
    limits.push_back("`ulimit -v` (LimitAS) is " + std::to_string(*bytes / 1024) + " KiB");
  if (const auto bytes = soft_limit(RLIMIT_DATA))
    limits.push_back("`ulimit -d` (LimitDATA) is " + std::to_string(*bytes / 1024) + " KiB");
  if (const auto bytes = group_limit("memory", "memory.max"))
    limits.push_back("memory.max of the container is " + *bytes);
  return limits;
}

}  // namespace

void raise_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t most = std::min(limit.rlim_max, enough_descriptors);
  if (limit.rlim_cur >= most) return;
  limit.rlim_cur = most;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t most_descriptors() {
  return static_cast<std::size_t>(soft_limit(RLIMIT_NOFILE).value_or(enough_descriptors));
}

std::size_t open_descriptors() {
  std::error_code failed;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", failed), end; !failed && entry != end;
       entry.increment(failed))
    ++count;
  return count > 0 ? count - 1 : 0;  // the one that reads the folder
}

std::size_t threads_to_have(std::size_t wanted, std::size_t stack_bytes) {
  Gate gate;
  std::vector<pthread_t> made;
  made.reserve(wanted);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  const auto wait = [](void* opened) -> void* {
    static_cast<Gate*>(opened)->wait();
    return nullptr;
  };
  for (pthread_t thread{}; made.size() < wanted && pthread_create(&thread, &attributes, wait, &gate) == 0;)
    made.push_back(thread);
  pthread_attr_destroy(&attributes);
  gate.open();
  for (const pthread_t each : made) pthread_join(each, nullptr);
  return made.size();
}

std::uint64_t memory_to_have() {
  std::uint64_t most = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(getpagesize());
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA})
    if (const auto bytes = soft_limit(resource)) most = std::min<std::uint64_t>(most, *bytes);
  for (const char* file : {"memory.max", "memory.limit_in_bytes"}) {
    const std::string digits = group_limit("memory", file).value_or("");
    std::uint64_t bytes = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), bytes).ec == std::errc() && bytes > 0)
      most = std::min(most, bytes);
  }
  return most;
}

std::string of_threads() {
  std::vector<std::string> limits;
  if (const auto most = soft_limit(RLIMIT_NPROC))
    limits.push_back("`ulimit -u` (LimitNPROC) is " + std::to_string(*most) + ", and counts all threads of this user");
  if (const auto most = group_limit("pids", "pids.max"))
    limits.push_back("pids.max of the container (TasksMax, --pids-limit) is " + *most);
  for (std::string& each : memory_limits()) limits.push_back(std::move(each));
  return listed(limits);
}

std::string of_memory() { return listed(memory_limits()); }

namespace {

// Where there is none left for the files of the container's limits either.
std::string of_address_space() {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur == RLIM_INFINITY) return "not enough memory";
  char text[100] = {};
  std::snprintf(text, sizeof text, "not enough memory: `ulimit -v` (LimitAS) is %llu KiB",
                static_cast<unsigned long long>(limit.rlim_cur) / 1024);
  return text;
}

std::string words_of_shortage() {
  try {
    return "there was not enough memory; the limits are: " + of_memory();
  } catch (const std::bad_alloc&) { return of_address_space(); }
}

}  // namespace

std::string words_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error)) return words_of_shortage();
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system && system->code() == std::errc::resource_unavailable_try_again)
    return "a thread could not be made; the limits are: " + of_threads();
  const std::string_view text = error.what();
  return std::string(text) + (text.find("out of memory") == text.npos ? "" : "; the limits are: " + of_memory());
}

}  // namespace callisto::process_limits
