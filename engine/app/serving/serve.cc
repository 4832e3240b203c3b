// callisto serve: what comes before the desk is served.
#include "engine/app/commands.h"
#include "engine/app/opening/data_folder.h"
#include "engine/app/opening/database_url.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/prepare.h"
#include "engine/app/opening/samples.h"
#include "engine/app/opening/starter.h"
#include "engine/app/serving/run_server.h"
#include "engine/app/serving/script_monitor.h"
#include "engine/app/serving/serve_desk.h"
#include "engine/app/serving/webhooks.h"
#include "engine/base/access_log.h"
#include "engine/base/log.h"
#include "engine/base/log_writer.h"
#include "engine/base/process_limits.h"

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <string>
#include <vector>

namespace callisto::app {

namespace {

constexpr std::size_t least_threads = 48;  // with those that serve, and some that others take meanwhile
constexpr std::size_t thread_stack_bytes = 1024 * 1024;

// SIGTERM, SIGINT and SIGHUP are taken by the main thread alone; the others must not see them, so this comes before any
// thread. What means something to other programs, above all SIGUSR1 to those that then open their log anew, is no
// reason to end: the log is standard error.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  for (const int meaningless : {SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF}) signal(meaningless, SIG_IGN);
  return signals;
}

// What outlives entities and scripts.
Result<int> serve_database(const Settings& settings, const Prepared& prepared, const sigset_t& signals,
                           const ServeOptions& options, const std::shared_ptr<const records::Model>& model,
                           storage::Database& database, audit::Log& audit_log, const Clock& clock, Random& random) {
  const std::string key_file = settings.data + "/secret.key";
  CALLISTO_TRY(const Sealer sealer, Sealer::from_file(key_file, random));
  CALLISTO_CHECK(agree_on_key(database, sealer, key_file));
  CALLISTO_TRY(const auto auth,
               auth::Service::create(database, clock, random, auth_options(settings, sealer), audit_log));
  CALLISTO_TRY(auto transport, webhooks::make_curl_transport(prepared.transport, clock));
  CALLISTO_TRY(const auto webhooks, Webhooks::create(settings, prepared.schedule, prepared.transport.policy,
                                                     std::move(transport), database, sealer, clock, random));
  ScriptMonitor scripts(database, clock, random, model->catalog().find("script-failure") != nullptr);
  records::DueFigures due;
  return serve_desk({settings, database, *auth, audit_log, sealer, *webhooks, scripts, due, clock, random}, scripts,
                    model, prepared, signals, options);
}

// What is there before the first request.
Result<void> begin_desk(const ServeOptions& options, storage::Database& database, const records::Model& model,
                        const Clock& clock, Random& random) {
  if (options.samples) CALLISTO_CHECK(load_samples(database, model, find_folder("samples/desk"), clock, random));
  if (options.starter) CALLISTO_CHECK(bring_starter(database, model, find_folder("samples/starter"), clock, random));
  return keep_states(database, model, clock, random);
}

Result<void> look_at(const Settings& settings) {
  CALLISTO_CHECK(check_rights(settings));
  return check_desk_is_there(settings);
}

// Until the database takes writes or is found wrong for another reason, which is told later; false where a signal
// ends the waiting. A service manager may start both at once, and a standby may be about to lead.
bool wait_for_database(const Settings& settings, int seconds, const sigset_t& signals) {
  constexpr timespec pause{0, 500'000'000};
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  for (bool is_told = false;; is_told = true) {
    const auto opened = storage::Database::open({.url = of_primary(settings.database_url()), .read_only = true});
    if (opened || !opened.error().is_unavailable() || std::chrono::steady_clock::now() >= latest) return true;
    if (!is_told)
      log::warning("waiting up to " + std::to_string(seconds) + " s for the database: " + opened.error().log_detail);
    const int signal = sigtimedwait(&signals, nullptr, &pause);
    if (signal > 0 && signal != SIGHUP) return false;
  }
}

int serve_from_start(const Settings& settings, const ServeOptions& options, const sigset_t& signals) {
  std::vector<std::string> problems;
  const Prepared prepared = prepare(settings, problems);
  for (const std::string& problem : problems) log::print("callisto: " + problem + "\n");
  if (!problems.empty()) return 1;
  const auto claim = claim_data_folder(settings);
  if (!claim) {
    print_error(claim.error());
    return 1;
  }
  if (settings.is_on_postgres() && !wait_for_database(settings, options.wait_seconds, signals)) return 0;
  if (const auto sound = look_at(settings); !sound) {
    print_error(sound.error());
    if (sound.error().is_unavailable() && options.wait_seconds == 0)
      log::print("callisto: `callisto serve --wait 60` waits a minute for a database server that starts later\n");
    return 1;
  }
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto database = open_database(settings, *model, clock);
  if (!database) return 1;
  if (const auto begun = begin_desk(options, *database, *model, clock, random); !begun) {
    print_error(begun.error());
    return 1;
  }
  const auto audit_log = open_audit(settings, clock);
  if (!audit_log) return 1;
  const auto status = serve_database(settings, prepared, signals, options, model, *database, *audit_log, clock, random);
  if (status) return *status;
  print_error(status.error());
  return 1;
}

}  // namespace

int serve(const Settings& settings, const ServeOptions& options) {
  const sigset_t signals = block_signals();
  process_limits::raise_descriptors();
  constexpr std::size_t least_descriptors = 48;  // the program's own files, before a connection has one
  if (process_limits::most_descriptors() < least_descriptors) {
    log::print("callisto: there are too few file descriptors to serve: `ulimit -n` (LimitNOFILE) is " +
               std::to_string(process_limits::most_descriptors()) + ". Raise it.\n");
    return 1;
  }
  if (process_limits::threads_to_have(least_threads, thread_stack_bytes) < least_threads || !log::start_writer() ||
      !standard_output().start()) {
    log::print("callisto: serving needs " + std::to_string(least_threads) +
               " threads at least, which the system does not grant. The limits are: " + process_limits::of_threads() +
               ".\n");
    return 1;
  }
  const int status = serve_from_start(settings, options, signals);
  standard_output().flush(log::patience);
  log::flush();
  return status;
}

}  // namespace callisto::app
