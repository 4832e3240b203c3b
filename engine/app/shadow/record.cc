// callisto record: makes a data folder's server keep its requests, beside a copy of the desk as it is now. The server
// looks at the order each second; the command watches, and takes the order back when it is told to end.
#include "engine/app/commands.h"
#include "engine/app/opening/data_folder.h"
#include "engine/app/opening/load.h"
#include "engine/app/shadow/recording.h"
#include "engine/base/whole_file.h"
#include "engine/importing/copy.h"
#include "engine/storage/upkeep.h"

#include <signal.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace callisto::app {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t minute_ms = 60'000;
constexpr std::uint64_t mib = std::uint64_t{1} << 20;
constexpr timespec pause{0, 200'000'000};
constexpr std::chrono::seconds patience{10};  // of the server's first look
constexpr std::chrono::hours copy_patience{24};
constexpr std::string_view sqlite = "sqlite:";

// A desk of any database as one file of SQLite, so that a shadow run needs no server.
Result<void> copy_desk(const Settings& settings, const std::string& file) {
  const std::string url = settings.database_url();
  if (url.starts_with(sqlite)) return storage::back_up(url, file, [](std::uint64_t, std::uint64_t) {});
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return bad_format("the entities and scripts cannot be loaded");
  CALLISTO_TRY(const auto target, storage::Database::open({.url = std::string(sqlite) + file}));
  CALLISTO_CHECK(bring_schema_to(*target, *model, clock));
  CALLISTO_TRY(const auto source,
               storage::Database::open({.url = url, .read_only = true, .read_deadline = copy_patience}));
  CALLISTO_TRY(const auto connection, source->connect_reader());
  CALLISTO_CHECK(importing::copy_desk(*connection, *target, [](std::string_view, std::uint64_t, std::uint64_t) {}));
  return {};
}

Result<void> check_server(const Settings& settings) {
  CALLISTO_TRY(const auto process, server_of_data_folder(settings));
  if (process) return {};
  return bad_format("no server runs on " + settings.data +
                    ". Start one with 'callisto serve', or name its data folder with --data.");
}

class Recording {
 public:
  Recording(const Settings& settings, const RecordOptions& options)
      : settings_(settings), options_(options), folder_(settings.data + recording::folder) {}

  Result<void> run(const sigset_t& signals) {
    CALLISTO_CHECK(check_server(settings_));
    CALLISTO_CHECK(make_folder());
    const auto recorded = record(signals);
    std::error_code ignored;
    take_back_order();
    if (!fs::exists(requests_path(), ignored)) fs::remove_all(folder_, ignored);  // there is nothing to keep
    if (recorded) print();
    return recorded;
  }

 private:
  Result<void> record(const sigset_t& signals) const {
    std::fprintf(stderr, "callisto: copying the database\n");
    CALLISTO_CHECK(copy_desk(settings_, folder_ + recording::desk));
    CALLISTO_CHECK(give_order(SystemClock().now().ms + options_.minutes * minute_ms));
    return watch(signals);
  }

  std::string order_path() const { return folder_ + recording::order; }
  std::string requests_path() const { return folder_ + recording::requests; }

  Result<void> make_folder() const {
    std::error_code failed;
    if (!fs::create_directory(folder_, failed) && !failed)
      return bad_format("there is a recording in " + folder_ + " already. Move it elsewhere, or remove it.");
    if (!failed) fs::permissions(folder_, fs::perms::owner_all, failed);
    if (failed) return bad_format("the folder " + folder_ + " cannot be made: " + failed.message());
    return {};
  }

  Result<void> give_order(std::int64_t until) const {
    CALLISTO_TRY(WholeFile file, WholeFile::make(order_path(), 0600));
    CALLISTO_CHECK(file.write(text_of(RecordingOrder{until, static_cast<std::uint64_t>(options_.mib) * mib})));
    return file.replace();
  }

  // A server takes away an order whose time is over, once all lines are in the file.
  void take_back_order() const {
    std::error_code ignored;
    if (!fs::exists(order_path(), ignored)) return;
    const auto begun = std::chrono::steady_clock::now();
    if (give_order(0))
      while (fs::exists(order_path(), ignored) && std::chrono::steady_clock::now() - begun < patience)
        nanosleep(&pause, nullptr);
    fs::remove(order_path(), ignored);
  }

  // Until the server has taken the order away, or a signal comes.
  Result<void> watch(const sigset_t& signals) const {
    std::error_code ignored;
    const auto begun = std::chrono::steady_clock::now();
    bool is_told = false;
    while (fs::exists(order_path(), ignored)) {
      if (sigtimedwait(&signals, nullptr, &pause) > 0) return {};
      if (!is_told && fs::exists(requests_path(), ignored)) {
        is_told = true;
        std::fprintf(stderr, "callisto: recording into %s for %d min or %d MiB of requests; Ctrl-C ends it\n",
                     folder_.c_str(), options_.minutes, options_.mib);
      }
      if (!is_told && std::chrono::steady_clock::now() - begun > patience)
        return bad_format(
            "the server does not record; its log says why. A server older than this program cannot record.");
    }
    return is_told ? Result<void>() : bad_format("the server cannot record; its log says why");
  }

  void print() const {
    std::error_code ignored;
    const auto bytes = fs::file_size(requests_path(), ignored);
    std::printf("%s has %llu KiB of requests. `callisto shadow --scripts CANDIDATE` repeats them.\n", folder_.c_str(),
                static_cast<unsigned long long>(ignored ? 0 : (bytes + 1023) / 1024));
  }

  const Settings& settings_;
  const RecordOptions& options_;
  const std::string folder_;
};

}  // namespace

int record(const Settings& settings, const RecordOptions& options) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, each);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  if (const auto done = Recording(settings, options).run(signals); !done) {
    print_error(done.error());
    return 1;
  }
  return 0;
}

}  // namespace callisto::app
