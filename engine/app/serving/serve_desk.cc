// The composition root: everything that serves is made here, on this stack, and passed on by reference.
#include "engine/app/serving/serve_desk.h"

#include "engine/api/api.h"
#include "engine/app/opening/load.h"
#include "engine/app/sandbox/sandboxes.h"
#include "engine/app/serving/admissions.h"
#include "engine/app/serving/asked_file.h"
#include "engine/app/serving/desk_keeper.h"
#include "engine/app/serving/operations.h"
#include "engine/app/serving/reload_watcher.h"
#include "engine/app/serving/run_server.h"
#include "engine/app/serving/server_urls.h"
#include "engine/app/serving/webhook_actions.h"
#include "engine/app/shadow/recorder.h"
#include "engine/app/version.h"
#include "engine/base/log.h"
#include "engine/base/process_limits.h"
#include "engine/base/ticker.h"
#include "engine/scim/scim.h"
#include "engine/workbench/workbench.h"

#include <utility>
#include <vector>

namespace callisto::app {

namespace {

constexpr std::chrono::seconds due_pause{10};
constexpr std::chrono::milliseconds index_pause{200};
constexpr std::chrono::seconds statistics_pause{15};
constexpr std::chrono::seconds asked_pause{60};
constexpr std::chrono::seconds order_pause{1};  // of `callisto record`

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

}  // namespace

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
  Sandboxes sandboxes(runtime, options, prepared.schedule);
  const Ticker looking(DeskKeeper::pause, [&keeper, &sandboxes] {
    keeper->look();
    sandboxes.look();
  });
  const ServerUrls server_urls(runtime, options, *keeper, sandboxes);
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
    if (server_urls.handle(request, response, trace) || sandboxes.handle(request, response, trace)) return;
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
  return serve_until_signal(settings, prepared,
                            {handler, traffic, runtime.audit_log, first_start, reload, *keeper, sandboxes, front,
                             nodes.get(), serve_options.samples},
                            signals);
}

}  // namespace callisto::app
