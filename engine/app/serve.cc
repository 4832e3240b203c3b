// The composition root: everything that serves is made here, on this stack, and passed on by reference.
#include "engine/api/api.h"
#include "engine/api/render_error.h"
#include "engine/app/admissions.h"
#include "engine/app/asked_file.h"
#include "engine/app/commands.h"
#include "engine/app/data_folder.h"
#include "engine/app/database_url.h"
#include "engine/app/desk_keeper.h"
#include "engine/app/first_start.h"
#include "engine/app/front.h"
#include "engine/app/health.h"
#include "engine/app/load.h"
#include "engine/app/nodes.h"
#include "engine/app/operations.h"
#include "engine/app/own_door.h"
#include "engine/app/prepare.h"
#include "engine/app/reload.h"
#include "engine/app/reload_watcher.h"
#include "engine/app/samples.h"
#include "engine/app/script_monitor.h"
#include "engine/app/server_urls.h"
#include "engine/app/service_manager.h"
#include "engine/app/shadow/recorder.h"
#include "engine/app/starter.h"
#include "engine/app/version.h"
#include "engine/app/webhook_actions.h"
#include "engine/base/access_log.h"
#include "engine/base/bounded_writer.h"
#include "engine/base/log.h"
#include "engine/base/log_writer.h"
#include "engine/base/process_limits.h"
#include "engine/base/ticker.h"
#include "engine/http/server.h"
#include "engine/scim/scim.h"
#include "engine/workbench/workbench.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace callisto::app {

namespace {

constexpr std::chrono::seconds due_pause{10};
constexpr std::chrono::milliseconds index_pause{200};
constexpr std::chrono::seconds statistics_pause{15};
constexpr std::size_t least_threads = 48;  // with those that serve, and some that others take meanwhile
constexpr std::size_t thread_stack_bytes = 1024 * 1024;
constexpr std::chrono::seconds asked_pause{60};
constexpr std::chrono::seconds order_pause{1};  // of `callisto record`
constexpr std::size_t bodies_at_once = 8;       // of the largest; what a body becomes takes memory of its own

// The whole of what one may take fits in any case.
std::uint64_t all_answers(const Settings& settings) {
  const std::uint64_t wanted =
      settings.answers_bytes > 0 ? settings.answers_bytes : process_limits::memory_to_have() / 4;
  return std::max<std::uint64_t>(wanted, std::uint64_t{2} * settings.answer_bytes);
}

api::Options api_options(const Runtime& runtime) {
  const Settings& settings = runtime.settings;
  api::Options options;
  options.api_root = settings.api_root;
  options.oauth_root = settings.oauth_root;
  options.base_url = settings.base_url;
  options.versions = settings.api_versions;
  options.program_version = version();
  options.body_bytes = settings.body_bytes;
  options.answer_bytes = settings.answer_bytes;
  options.answers = std::make_shared<MemoryBudget>(all_answers(settings));
  options.joined_rows = static_cast<std::uint64_t>(settings.joined_rows);
  options.slow = std::chrono::milliseconds(settings.log_slow_ms);
  options.asked = std::make_shared<api::AskedQueries>();
  options.page_key = runtime.sealer.key_for("next page");
  add_webhook_answers(options, runtime);
  return options;
}

// Beside the API: /service.api/scim/v2.
std::string scim_path(const Settings& settings) {
  return settings.api_root.substr(0, settings.api_root.rfind('/')) + "/scim/v2";
}

std::vector<std::string> roots_of(const Settings& settings) {
  std::vector<std::string> roots;
  for (const std::string& version : settings.api_versions) roots.push_back(settings.api_root + "/" + version + "/");
  return roots;
}

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

// What whoever reads a log wants to know first of the server that wrote it.
std::string start_line(const Settings& settings, const std::string& listening, const std::string& generation) {
  std::error_code none;
  const std::filesystem::path data = std::filesystem::absolute(settings.data, none);
  return std::string("started: version=") + version() + " commit=" + commit() +
         " database=" + without_password(settings.database_url()) + " data=" + (none ? settings.data : data.string()) +
         " listen=" + listening + " generation=" + generation;
}

// All addresses, as urls.
std::string told(const std::vector<http::ListenAddress>& addresses, const Prepared& prepared,
                 std::string_view between) {
  std::string text;
  for (const http::ListenAddress& each : addresses)
    text.append(text.empty() ? "" : between).append(http::url_of(each, prepared.tls != nullptr));
  return text;
}

// `door`: where the server itself is reached; a proxy may publish it elsewhere.
std::string welcome(const Settings& settings, const std::string& listening, const OwnDoor& door,
                    const FirstStart& first_start, bool samples) {
  const bool is_published = !settings.base_url.empty();
  const std::string& base = is_published ? settings.base_url : door.url;
  const std::string curl =
      is_published || door.socket.empty() ? "curl -s " : "curl -s --unix-socket " + door.socket + " ";
  std::string text = "listening on " + listening + "\n" + first_start.told(base);
  if (!samples) return text;
  return text +
         "\nTry it (accounts admin, analyst, analyst2, user, user2; password callisto):\n\n"
         "  TOKEN=$(" +
         curl + base + settings.oauth_root +
         "/login -d client_id=sample-app -d grant_type=password \\\n"
         "    -d username=analyst -d password=callisto -d scope=session-type:Analyst \\\n"
         "    | sed 's/.*\"access_token\":\"\\([^\"]*\\).*/\\1/')\n"
         "  " +
         curl + "-H \"Authorization: Bearer $TOKEN\" '" + base + settings.api_root + "/" +
         settings.api_versions.front() + "'\n\nREADME.md has the tour. Ctrl-C stops the server.\n";
}

// A server waits for nobody who should read what it prints. As long as the process: its thread may be held up.
BoundedWriter& standard_output() {
  constexpr std::size_t most_bytes = 64 * 1024;
  static auto* output = new BoundedWriter(STDOUT_FILENO, most_bytes, [](std::uint64_t) { return std::string(); });
  return *output;
}

audit::Event noted(audit::Kind kind, std::string reason) {
  audit::Event event;
  event.kind = kind;
  event.reason = std::move(reason);
  return event;
}

struct Serving {
  const http::Handler& handler;
  api::Traffic& traffic;
  audit::Sink& audit_log;
  const FirstStart& first_start;
  Reload& reload;
  const Front& front;
  Nodes* nodes = nullptr;  // null: there are no others
  bool samples = false;
};

void reload(const Serving& serving) {
  serving.reload.run(serving.nodes && serving.nodes->follows());
  if (!serving.nodes) return;
  if (const auto told = serving.nodes->reloaded(!serving.reload.failed()); !told)
    log::error("The other nodes were not told to reload: " + told.error().log_detail);
}

int serve_until_signal(const Settings& settings, const Prepared& prepared, const Serving& serving,
                       const sigset_t& signals) {
  http::ServerOptions options;
  options.listen = prepared.listen;
  options.socket_rights = prepared.socket_rights;
  options.tls = prepared.tls;
  options.spill_folder = settings.data;
  options.all_bodies_bytes = bodies_at_once * settings.body_bytes;
  options.gzip = settings.gzip;
  options.complete = [&serving](const http::Request& request, http::Response& response) {
    serving.front.complete(request, response);
  };
  options.render_error = [&serving](const Error& error, http::Response& response) {
    api::render_error(error, response);
    serving.traffic.refused(response);
  };
  auto server = http::Server::start(options, serving.handler);
  if (!server) {
    print_error(server.error());
    return 1;
  }
  const std::vector<http::ListenAddress>& addresses = (*server)->addresses();
  const std::string listening = "listening on " + told(addresses, prepared, ", ");
  serving.audit_log.note(noted(audit::Kind::ServerStarted, listening));
  log::info(start_line(settings, told(addresses, prepared, ","), serving.reload.generation()));
  const ListeningFile where(settings.data, addresses);
  standard_output().add(welcome(settings, told(addresses, prepared, "\nlistening on "),
                                own_door(addresses, options.tls != nullptr), serving.first_start, serving.samples),
                        true);
  ServiceManager manager(own_door(addresses, options.tls != nullptr));
  manager.ready(listening);
  int received = 0;
  while (sigwait(&signals, &received) == 0 && received == SIGHUP) {
    manager.reloading();
    reload(serving);
    manager.ready(listening + ", generation " + serving.reload.generation());
  }
  manager.stopping();
  log::info("stopping: finishing the requests that run");
  (*server)->stop();
  serving.audit_log.note(noted(audit::Kind::ServerStopped, "signal " + std::to_string(received)));
  return 0;
}

void do_what_is_due(Generation& generation) {
  if (const auto done = generation.do_what_is_due(); !done)
    log::error("What is due could not be read: " + done.error().log_detail);
}

void index_what_was_written(Generation& generation) {
  if (const auto done = generation.index_what_was_written(); !done)
    log::error("The indexes of substrings are behind: " + done.error().log_detail);
}

void renew_statistics(Generation& generation) {
  if (const auto done = generation.renew_statistics(); !done)
    log::error("The statistics of the database are old: " + done.error().log_detail);
}

// Nothing where the setting switches it off.
std::unique_ptr<workbench::Workbench> make_workbench(const Runtime& runtime, const Prepared& prepared) {
  const Settings& settings = runtime.settings;
  if (!settings.workbench) return nullptr;
  workbench::Options options{settings.base_url,    settings.api_root,
                             settings.oauth_root,  settings.api_versions.front(),
                             settings.server_name, version()};
  return std::make_unique<workbench::Workbench>(std::move(options), prepared.workbench_readers, runtime.auth,
                                                workbench::Store{runtime.database, runtime.clock, runtime.random});
}

Result<int> serve_desk(const Runtime& runtime, const ScriptMonitor& scripts,
                       std::shared_ptr<const records::Model> model, const Prepared& prepared, const sigset_t& signals,
                       const ServeOptions& serve_options) {
  const Settings& settings = runtime.settings;
  oidc::FetchOptions fetch_options;
  fetch_options.proxy = settings.oidc_proxy;
  const auto fetcher = oidc::make_curl_fetcher(std::move(fetch_options));
  ScriptedAdmissions admissions(runtime);
  CALLISTO_TRY(auto providers, make_providers(prepared.providers, runtime.auth, admissions, runtime.audit_log,
                                              runtime.sealer, runtime.clock, runtime.random, *fetcher));
  const sign_in::AuthorizationEndpoint authorization(sign_in_options(settings, runtime.sealer), runtime.auth,
                                                     std::move(providers), runtime.clock, runtime.random,
                                                     runtime.audit_log);
  api::Options options = api_options(runtime);
  options.rates = std::make_shared<api::Rates>(static_cast<std::int64_t>(settings.upload_bytes), settings.repeat_keys);
  CALLISTO_TRY(auto first, Generation::create(runtime, options, model));
  api::Api api(options, Generation::served(first), runtime.auth, runtime.audit_log, authorization);
  Reload reload(runtime, options, api, prepared.tls, std::move(first));
  admissions.follow([&reload] { return reload.current(); });
  reload.keep_description("found at the start");
  CALLISTO_CHECK(runtime.webhooks.start());
  reload.look_at_webhooks();
  const Ticker by_itself(due_pause, [&reload] { do_what_is_due(*reload.current()); });
  const Ticker sampling(statistics_pause, [&reload] { renew_statistics(*reload.current()); });
  const Ticker indexing(index_pause, [&reload] { index_what_was_written(*reload.current()); });
  const AskedFile asked(settings.data + "/" + asked_file, *options.asked);
  const Ticker keeping(asked_pause, [&asked] { asked.write(); });
  FirstStart first_start(settings, runtime.database, std::move(model), runtime.clock, runtime.random,
                         runtime.audit_log);
  CALLISTO_CHECK(first_start.offer());
  api::Traffic traffic({settings.log_access, settings.log_probes}, std::chrono::milliseconds(settings.log_slow_ms),
                       runtime.random);
  CALLISTO_TRY(const auto operations,
               Operations::create(runtime, traffic, *options.rates, scripts, reload, prepared.metrics_readers));
  CALLISTO_TRY(const auto keeper, DeskKeeper::create(runtime, traffic, reload));
  const Ticker looking(DeskKeeper::pause, [&keeper] { keeper->look(); });
  const ServerUrls server_urls(runtime, options, *keeper);
  const auto workbench = make_workbench(runtime, prepared);
  scim::Scim provisioning({scim_path(settings), settings.base_url}, runtime.auth, [&reload] {
    const auto generation = reload.current();
    return scim::Desk{generation->model(), generation->slots(), generation->writer(), generation};
  });
  const Front front(settings, prepared);
  Recorder recorder(settings.data, roots_of(settings), runtime.clock);
  const Ticker recording(order_pause, [&] { recorder.look(reload.current()->model().catalog()); });
  const Recorder::Next ask_api = [&api](http::Request& request, http::Response& response, api::RequestTrace& trace) {
    api.handle(request, response, trace);
  };
  const auto serve_one = [&](http::Request& request, http::Response& response, api::RequestTrace& trace) {
    if (front.answer(request, response, trace) || operations->handle(request, response, trace)) return;
    if (server_urls.handle(request, response, trace)) return;
    if (workbench && workbench->handle(request, response)) {
      trace.route = "workbench";
      return;
    }
    if (provisioning.handle(request, response)) {
      trace.route = "scim";
      return;
    }
    if (!first_start.handle(request, response)) recorder.handle(request, response, trace, ask_api);
  };
  const http::Handler handler = [&](http::Request& request, http::Response& response) {
    front.hear(request);
    traffic.handle(request, response, serve_one);
  };
  std::unique_ptr<Nodes> nodes;
  if (settings.is_on_postgres()) { CALLISTO_TRY(nodes, Nodes::watch(runtime.database)); }
  std::unique_ptr<ReloadWatcher> watch;
  if (serve_options.watch) { CALLISTO_TRY(watch, ReloadWatcher::start(script_folders(settings))); }
  return serve_until_signal(
      settings, prepared,
      {handler, traffic, runtime.audit_log, first_start, reload, front, nodes.get(), serve_options.samples}, signals);
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
  CALLISTO_TRY(const auto webhooks,
               Webhooks::create(settings, prepared.schedule, prepared.transport, database, sealer, clock, random));
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
