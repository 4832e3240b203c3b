#include "engine/base/process_metrics.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace callisto {

namespace {

namespace fs = std::filesystem;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::string content_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Fields of /proc/self/stat behind the name, which may hold blanks and parentheses: proc(5) counts the first as (3).
std::vector<double> stat_fields() {
  const std::string text = content_of("/proc/self/stat");
  const std::size_t end = text.rfind(')');
  if (end == text.npos) return {};
  std::istringstream rest(text.substr(end + 1));
  std::string state;
  rest >> state;
  return {std::istream_iterator<double>(rest), {}};
}

// Since 1970, of the machine.
std::optional<double> booted() {
  std::istringstream lines(content_of("/proc/stat"));
  for (std::string word; lines >> word;)
    if (double time = 0; word == "btime" && lines >> time) return time;
  return std::nullopt;
}

std::optional<double> descriptors() {
  std::error_code problem;
  std::ptrdiff_t count = 0;
  for (fs::directory_iterator each("/proc/self/fd", problem), end; !problem && each != end; each.increment(problem))
    ++count;
  if (problem) return std::nullopt;
  return static_cast<double>(std::max<std::ptrdiff_t>(count - 1, 0));  // one of them reads the folder
}

void append_stat(MetricsText& text) {
  const std::vector<double> fields = stat_fields();                                    // the first is ppid (4)
  constexpr std::size_t threads = 16, start = 18, virtual_memory = 19, resident = 20;  // (20), (22), (23), (24)
  if (fields.size() <= resident) return;
  text.gauge("process_threads", "Threads of this process.", fields[threads]);
  text.gauge("process_virtual_memory_bytes", "Virtual memory size.", fields[virtual_memory]);
  text.gauge("process_resident_memory_bytes", "Resident memory size.",
             fields[resident] * static_cast<double>(sysconf(_SC_PAGESIZE)));
  if (const auto boot = booted())
    text.gauge("process_start_time_seconds", "When this process was started, since 1970.",
               *boot + fields[start] / static_cast<double>(sysconf(_SC_CLK_TCK)));
}

}  // namespace

void append_process(MetricsText& text) {
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0)
    text.counter("process_cpu_seconds_total", "Processor time, of the user and of the system.",
                 seconds(used.ru_utime) + seconds(used.ru_stime));
  if (const auto open = descriptors()) text.gauge("process_open_fds", "Open file descriptors.", *open);
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) == 0)
    text.gauge("process_max_fds", "File descriptors that it may have.", static_cast<double>(most.rlim_cur));
  append_stat(text);
}

}  // namespace callisto
