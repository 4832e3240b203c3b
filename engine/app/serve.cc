// The composition root: everything that serves is made here, on this stack, and handed on by reference.
#include "engine/api/api.h"
#include "engine/api/render_error.h"
#include "engine/app/commands.h"
#include "engine/app/data_folder.h"
#include "engine/app/first_start.h"
#include "engine/app/load.h"
#include "engine/app/nodes.h"
#include "engine/app/operations.h"
#include "engine/app/prepare.h"
#include "engine/app/reload.h"
#include "engine/app/reload_watch.h"
#include "engine/app/samples.h"
#include "engine/app/script_watch.h"
#include "engine/base/log.h"
#include "engine/base/ticker.h"
#include "engine/http/proxies.h"
#include "engine/http/server.h"
#include "webhooks/details.h"

#include <pthread.h>
#include <signal.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace callisto::app {

namespace {

constexpr std::chrono::seconds due_pause{10};
constexpr std::chrono::milliseconds index_pause{200};
constexpr std::size_t bodies_at_once = 8;  // of the largest; what a body becomes takes memory of its own

api::Options api_options(const Settings& settings) {
  api::Options options;
  options.api_root = settings.api_root;
  options.oauth_root = settings.oauth_root;
  options.base_url = settings.base_url;
  options.versions = settings.api_versions;
  options.body_bytes = settings.body_bytes;
  options.answer_bytes = settings.answer_bytes;
  options.details.emplace("webhook-delivery",
                          [](const records::Context& context, std::int64_t key, json::Writer& writer) {
                            return webhooks::write_details(context.connection, key, writer);
                          });
  return options;
}

// SIGTERM, SIGINT and SIGHUP are taken by the main thread alone; the others must not see them, so this comes before any
// thread.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

void print_welcome(const Settings& settings, const std::string& base, const FirstStart& first_start, bool samples) {
  std::printf("listening on %s\n", base.c_str());
  first_start.print(base);
  if (samples) {
    const std::string sign_in = base + settings.oauth_root + "/login";
    std::printf(
        "\nTry it (accounts admin, analyst, analyst2, user, user2; password callisto):\n\n"
        "  TOKEN=$(curl -s %s -d client_id=sample-app -d grant_type=password \\\n"
        "    -d username=analyst -d password=callisto -d scope=session-type:Analyst \\\n"
        "    | sed 's/.*\"access_token\":\"\\([^\"]*\\).*/\\1/')\n"
        "  curl -s -H \"Authorization: Bearer $TOKEN\" '%s%s/%s'\n\n"
        "README.md has the tour. Ctrl-C stops the server.\n",
        sign_in.c_str(), base.c_str(), settings.api_root.c_str(), settings.api_versions.front().c_str());
  }
  std::fflush(stdout);
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
  Nodes* nodes = nullptr;  // null: there are no others
  bool samples = false;
};

void reload(const Serving& serving) {
  serving.reload.run();
  if (!serving.nodes) return;
  if (const auto told = serving.nodes->reloaded(!serving.reload.failed()); !told)
    log::error("The other nodes were not told to reload: " + told.error().log_detail);
}

int serve_until_signal(const Settings& settings, const Prepared& prepared, const Serving& serving,
                       const sigset_t& signals) {
  http::ServerOptions options;
  options.host = prepared.address.host;
  options.port = prepared.address.port;
  options.tls = prepared.tls;
  options.all_bodies_bytes = bodies_at_once * settings.body_bytes;
  options.render_error = [&serving](const Error& error, http::Response& response) {
    api::render_error(error, response);
    serving.traffic.refused(response);
  };
  auto server = http::Server::start(options, serving.handler);
  if (!server) {
    print_error(server.error());
    return 1;
  }
  const bool v6 = options.host.find(':') != std::string::npos;
  const std::string base = std::string(options.tls ? "https://" : "http://") +
                           (v6 ? "[" + options.host + "]" : options.host) + ":" + std::to_string((*server)->port());
  serving.audit_log.note(noted(audit::Kind::ServerStarted, "listening on " + base));
  print_welcome(settings, base, serving.first_start, serving.samples);
  int received = 0;
  while (sigwait(&signals, &received) == 0 && received == SIGHUP) reload(serving);
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

Result<int> serve_desk(const Desk& desk, const ScriptWatch& scripts, std::shared_ptr<const records::Model> model,
                       const Prepared& prepared, const sigset_t& signals, const ServeOptions& serve_options) {
  const Settings& settings = desk.settings;
  const auto fetcher = oidc::make_curl_fetcher();
  CALLISTO_TRY(auto providers, make_providers(prepared.providers, desk.auth, desk.audit_log, desk.sealer, desk.clock,
                                              desk.random, *fetcher));
  const sign_in::AuthorizationEndpoint authorization(sign_in_options(settings, desk.sealer), desk.auth,
                                                     std::move(providers), desk.clock, desk.random, desk.audit_log);
  api::Options options = api_options(settings);
  options.rates = std::make_shared<api::Rates>(static_cast<std::int64_t>(settings.upload_bytes), settings.repeat_keys);
  CALLISTO_TRY(auto first, Generation::create(desk, options, model));
  api::Api api(options, Generation::served(first), desk.auth, desk.audit_log, authorization);
  Reload reload(desk, options, api, prepared.tls, std::move(first));
  reload.keep_description("found at the start");
  CALLISTO_CHECK(desk.webhooks.start());
  const Ticker by_itself(due_pause, [&reload] { do_what_is_due(*reload.current()); });
  const Ticker indexing(index_pause, [&reload] { index_what_was_written(*reload.current()); });
  FirstStart first_start(settings, desk.database, std::move(model), desk.clock, desk.random, desk.audit_log);
  CALLISTO_CHECK(first_start.offer());
  api::Traffic traffic(settings.log_access, desk.random);
  CALLISTO_TRY(const auto operations,
               Operations::create(desk, traffic, *options.rates, scripts, reload, prepared.metrics_readers));
  const auto serve_one = [&](http::Request& request, http::Response& response, api::Seen& seen) {
    if (operations->handle(request, response, seen)) return;
    if (!first_start.handle(request, response)) api.handle(request, response, seen);
  };
  const http::Handler handler = [&](http::Request& request, http::Response& response) {
    http::hear_proxies(request, prepared.proxies);
    traffic.handle(request, response, serve_one);
  };
  std::unique_ptr<Nodes> nodes;
  if (settings.is_on_postgres()) { CALLISTO_TRY(nodes, Nodes::watch(desk.database)); }
  std::unique_ptr<ReloadWatch> watch;
  if (serve_options.watch) { CALLISTO_TRY(watch, ReloadWatch::start(script_folders(settings))); }
  return serve_until_signal(settings, prepared,
                            {handler, traffic, desk.audit_log, first_start, reload, nodes.get(), serve_options.samples},
                            signals);
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
  ScriptWatch scripts(database, clock, random, model->catalog().find("script-failure") != nullptr);
  return serve_desk({settings, database, *auth, audit_log, sealer, *webhooks, scripts, clock, random}, scripts, model,
                    prepared, signals, options);
}

}  // namespace

int serve(const Settings& settings, const ServeOptions& options) {
  std::vector<std::string> problems;
  const Prepared prepared = prepare(settings, problems);
  for (const std::string& problem : problems) std::fprintf(stderr, "callisto: %s\n", problem.c_str());
  if (!problems.empty()) return 1;
  const sigset_t signals = block_signals();
  const auto claim = claim_data_folder(settings);
  if (!claim) {
    print_error(claim.error());
    return 1;
  }
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto database = open_database(settings, *model, clock);
  if (!database) return 1;
  if (options.samples) {
    if (auto loaded = load_samples(*database, *model, find_folder("samples/desk"), clock, random); !loaded) {
      print_error(loaded.error());
      return 1;
    }
  }
  const auto audit_log = open_audit(settings, clock);
  if (!audit_log) return 1;
  const auto status = serve_database(settings, prepared, signals, options, model, *database, *audit_log, clock, random);
  if (status) return *status;
  print_error(status.error());
  return 1;
}

}  // namespace callisto::app
