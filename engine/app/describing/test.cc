// callisto test: the desk's specs against the sample desk in memory.
#include "engine/app/commands.h"
#include "engine/app/describing/coverage.h"
#include "engine/app/describing/mutation.h"
#include "engine/app/describing/promises.h"
#include "engine/app/describing/specs.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"
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
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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

// `option`: which named the file.
bool write_file(const std::string& file, const char* option, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out)
    std::fprintf(stderr, "callisto: %s cannot be written. Choose another file with %s.\n", file.c_str(), option);
  return out.good();
}

// One run of the specs, with what is told of it.
class Run {
 public:
  Run(const Settings& settings, const TestOptions& given, const StopSignals& signals)
      : settings_(settings),
        given_(given),
        is_watched_(given.coverage || !given.lcov.empty() || !given.report.empty()) {
    options_.words = given.words;
    options_.seed = given.seed;
    options_.start = sample_start;
    options_.should_stop = [&signals] { return signals.received(); };
    options_.done = [this](const testing::Outcome& outcome) {
      done_.push_back(coverage_.take_done());
      if (is_terminal_) show_progress(outcome);
    };
  }

  int all() {
    auto files = spec_files(settings_, given_.path);
    if (!files) {
      print_error(files.error());
      return 2;
    }
    options_.files = *std::move(files);
    model_ = load_model(in_memory(settings_), SystemClock(), random_);
    if (!model_) return 1;
    if (is_watched_) model_->observer = &coverage_;
    auto report = run_specs(settings_, model_, options_, random_, is_watched_ ? &coverage_.lines_run : nullptr);
    if (!report) {
      print_error(report.error());
      return 1;
    }
    report_ = *std::move(report);
    if (is_watched_) files_ = coverage_.files(*model_);
    const bool is_told = tell();
    const bool passed = report_.failed() == 0 && !report_.outcomes.empty() && !report_.is_stopped;
    const bool is_judged = !passed || !given_.mutate || tell_mutants();
    return is_told && write_page() && passed && is_judged ? 0 : 1;
  }

 private:
  bool tell() const {
    std::printf("%s%s", is_terminal_ ? "\n" : "", testing::to_text(report_, options_).c_str());
    if (given_.coverage) std::printf("%s", to_text(files_).c_str());
    std::fflush(stdout);
    const bool is_written = given_.lcov.empty() || write_file(given_.lcov, "--lcov", to_lcov(files_));
    return (given_.junit.empty() || write_file(given_.junit, "--junit", testing::to_junit(report_))) && is_written;
  }

  bool tell_mutants() {
    auto mutation = mutate(settings_, given_, options_.files, options_.should_stop);
    if (!mutation) {
      print_error(mutation.error());
      return false;
    }
    mutation_ = *std::move(mutation);
    std::printf("%s", to_text(*mutation_).c_str());
    std::fflush(stdout);
    if (mutation_->judged == mutation_->all) return true;
    std::fprintf(stderr, "callisto: stopped before all of %zu mutants were judged\n", mutation_->all);
    return false;
  }

  bool write_page() const {
    if (given_.report.empty()) return true;
    const Promises promises{*model_, report_, done_, files_, mutation_ ? &*mutation_ : nullptr};
    return write_file(given_.report, "--report", page_of(promises));
  }

  const Settings& settings_;
  const TestOptions& given_;
  const bool is_watched_;
  const bool is_terminal_ = isatty(1) == 1;
  SystemRandom random_;
  testing::RunOptions options_;
  std::shared_ptr<records::Model> model_;
  Coverage coverage_;
  Coverage::Files files_;
  std::vector<std::vector<std::string>> done_;  // of each outcome
  testing::Report report_;
  std::optional<Mutation> mutation_;
};

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
    if (Run(settings, given, signals).all() == 2) return 2;
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
  return options.watch ? run_again(settings, options, signals) : Run(settings, options, signals).all();
}

}  // namespace callisto::app
