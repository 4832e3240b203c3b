// callisto test: the desk's specs against the sample desk in memory.
#include "engine/app/commands.h"
#include "engine/app/load.h"
#include "engine/app/sample_desk.h"
#include "engine/app/specs.h"
#include "engine/base/file_watcher.h"
#include "engine/testing/report.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

namespace callisto::app {

namespace {

// SIGINT and SIGTERM as something to read, so that the database in memory is cleaned up.
class StopSignals {
 public:
  StopSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    descriptor_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~StopSignals() { close(descriptor_); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int descriptor() const { return descriptor_; }
  bool received() const {
    pollfd waiting{descriptor_, POLLIN, 0};
    return poll(&waiting, 1, 0) > 0;
  }

 private:
  int descriptor_ = -1;
};

// A dot for each on a terminal.
void show_progress(const testing::Outcome& outcome) {
  std::fputc(outcome.failure ? 'F' : '.', stdout);
  std::fflush(stdout);
}

bool write_junit(const std::string& file, const testing::Report& report) {
  if (file.empty()) return true;
  std::ofstream out(file, std::ios::binary);
  out << testing::to_junit(report) << std::flush;
  if (!out) std::fprintf(stderr, "callisto: %s cannot be written. Choose another file with --junit.\n", file.c_str());
  return out.good();
}

int run_once(const Settings& settings, const TestOptions& given, const StopSignals& signals) {
  SystemRandom random;
  testing::RunOptions options;
  auto files = spec_files(settings, given.path);
  if (!files) {
    print_error(files.error());
    return 2;
  }
  options.files = *std::move(files);
  options.words = given.words;
  options.seed = given.seed;
  options.start = sample_start;
  options.should_stop = [&signals] { return signals.received(); };
  const bool terminal = isatty(1) == 1;
  if (terminal) options.done = show_progress;
  auto model = load_model(in_memory(settings), SystemClock(), random);
  if (!model) return 1;
  const auto report = run_specs(settings, std::move(model), options, random);
  if (!report) {
    print_error(report.error());
    return 1;
  }
  std::printf("%s%s", terminal ? "\n" : "", testing::to_text(*report, options).c_str());
  std::fflush(stdout);
  const bool passed = report->failed() == 0 && !report->outcomes.empty() && !report->is_stopped;
  if (!write_junit(given.junit, *report) || !passed) return 1;
  return given.mutate ? mutate(settings, given, std::move(options.files), options.should_stop) : 0;
}

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return text;
}

int run_again(const Settings& settings, const TestOptions& given, const StopSignals& signals) {
  std::vector<std::string> watched = script_folders(settings);
  if (!given.path.empty()) watched.push_back(given.path);
  std::string changed = "everything";
  for (;;) {
    const auto watch = FileWatcher::over(watched);  // before the run: what changes meanwhile is run again
    if (!watch) {
      print_error(watch.error());
      return 1;
    }
    std::printf("\n%s %s\n", time_of_day().c_str(), changed.c_str());
    std::fflush(stdout);
    if (run_once(settings, given, signals) == 2) return 2;
    std::printf("waiting for a change; Ctrl-C ends\n");
    std::fflush(stdout);
    changed = (*watch)->wait(signals.descriptor());
    if (changed.empty()) return 0;
  }
}

}  // namespace

int test(const Settings& settings, TestOptions options) {
  const StopSignals signals;
  if (options.random && !options.seed) {
    SystemRandom random;
    const std::string bytes = random.bytes(4);
    std::uint64_t seed = 0;
    for (const char byte : bytes) seed = seed << 8 | static_cast<unsigned char>(byte);
    options.seed = seed;
  }
  return options.watch ? run_again(settings, options, signals) : run_once(settings, options, signals);
}

}  // namespace callisto::app
