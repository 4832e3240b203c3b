#include "engine/app/serving/operations.h"
#include "engine/app/serving/licences.h"

#include "engine/api/render_error.h"
#include "engine/app/version.h"
#include "engine/base/log.h"
#include "engine/base/log_writer.h"
#include "engine/base/process_metrics.h"
#include "engine/base/text.h"
#include "engine/http/accepting.h"
#include "engine/http/proxies.h"
#include "engine/http/weight.h"
#include "engine/json/write.h"
#include "engine/storage/upkeep.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace callisto::app {

namespace {

constexpr const char* json_type = "application/json; charset=utf-8";

constexpr const char* allowed_methods = "GET, HEAD, OPTIONS";

// What HAProxy asks by default, of "/", where nothing says what it should ask.
void answer_options(const char* methods, http::Response& response) {
  response.status = 204;
  response.headers.emplace_back("Allow", methods);
}

double flag(bool value) { return value ? 1 : 0; }

// Whether "version=1.0.0", or none, stands among the parameters of a media type.
bool is_known_version(std::string_view parameters) {
  for (std::string_view each : text::split(parameters, ';')) {
    each = text::trim(each);
    if (each.starts_with("version=")) return each == "version=1.0.0" || each == "version=\"1.0.0\"";
  }
  return true;
}

constexpr const char* type_of(MetricsFormat format) {
  return format == MetricsFormat::OpenMetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                              : "text/plain; version=0.0.4; charset=utf-8";
}

// 0 where there is none.
double size_of_file(const std::string& path) {
  std::error_code none;
  const auto bytes = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<double>(bytes);
}

}  // namespace

// RFC 9110 12.5.1, as far as two media types go.
MetricsFormat metrics_format(std::string_view accept) {
  int open = 0, plain = 0;
  for (const std::string_view each : text::split(accept, ',')) {
    const std::size_t end = std::min(each.find(';'), each.size());
    const std::string_view range = text::trim(each.substr(0, end)),
                           parameters = each.substr(std::min(end + 1, each.size()));
    const int weight = http::weight_of(parameters);
    if (text::equals_ignoring_ascii_case(range, "application/openmetrics-text") && is_known_version(parameters))
      open = std::max(open, weight);
    if (text::equals_ignoring_ascii_case(range, "text/plain")) plain = std::max(plain, weight);
  }
  return open > 0 && open >= plain ? MetricsFormat::OpenMetrics : MetricsFormat::Prometheus;
}

Result<std::unique_ptr<Operations>> Operations::create(const Runtime& runtime, const api::Traffic& traffic,
                                                       const api::Rates& rates, const ScriptMonitor& scripts,
                                                       Reload& reload, const AddressList& metrics_readers) {
  CALLISTO_TRY(auto reader, runtime.database.connect_reader());
  return std::unique_ptr<Operations>(
      new Operations(runtime, traffic, rates, scripts, reload, metrics_readers, std::move(reader)));
}

Operations::Operations(const Runtime& runtime, const api::Traffic& traffic, const api::Rates& rates,
                       const ScriptMonitor& scripts, Reload& reload, const AddressList& metrics_readers,
                       std::unique_ptr<storage::Connection> reader)
    : runtime_(runtime),
      traffic_(traffic),
      rates_(rates),
      scripts_(scripts),
      reload_(reload),
      metrics_readers_(metrics_readers),
      reader_(std::move(reader)),
      started_(static_cast<double>(runtime.clock.now().ms) / 1000) {}

bool Operations::handle(const http::Request& request, http::Response& response, api::RequestTrace& trace) {
  const std::string_view path = request.raw_path;
  if (request.method == "OPTIONS" && (path == "/" || path == "*")) {
    trace.route = "options";
    answer_options("GET, HEAD, OPTIONS, POST, PUT, DELETE", response);
    return true;
  }
  if (path != "/healthz" && path != "/readyz" && path != "/metrics") return false;
  trace.route = path.substr(1);
  trace.probe = true;
  if (request.method == "OPTIONS") {
    answer_options(allowed_methods, response);
  } else if (!request.reads()) {
    api::render_error(method_not_allowed("This url supports GET, HEAD and OPTIONS.", allowed_methods), response);
  } else if (path == "/healthz") {
    response.content_type = json_type;
    response.body = R"({"alive":true})";
  } else if (path == "/readyz") {
    answer_ready(response);
  } else {
    answer_metrics(request, response);
  }
  return true;
}

// While a script cannot be loaded the previous one runs: the server is ready, and says so.
void Operations::answer_ready(http::Response& response) {
  const bool database = is_database_well();
  const bool webhooks = runtime_.webhooks.is_alive();
  response.status = database && webhooks ? 200 : 503;
  response.content_type = json_type;
  json::Writer writer(response.body);
  writer.begin_object();
  writer.key("ready").boolean(database && webhooks);
  writer.key("database").boolean(database);
  writer.key("webhooks").boolean(webhooks);
  writer.key("reload_failed").boolean(reload_.failed());
  writer.end_object();
}

// A server that keeps others waiting is known not to answer, and not asked.
bool Operations::is_database_well() {
  const storage::Health health = runtime_.database.health();
  if (!health.answers || !health.takes_writes || runtime_.database.writer_load().stopped) return false;
  const auto read = licences_of(reader_);
  if (!read) log::error("not ready: " + read.error().log_detail);
  return static_cast<bool>(read);
}

void Operations::answer_metrics(const http::Request& request, http::Response& response) {
  if (http::is_nobody(request))
    return api::render_error(forbidden("A proxy that the setting http.trusted_proxies does not name has passed this "
                                       "on, so it is unknown who asks for metrics."),
                             response);
  if (!metrics_readers_.contains(request.remote_address))
    return api::render_error(forbidden("Metrics are for this machine and the addresses of the setting metrics.allow."),
                             response);
  const MetricsFormat format = metrics_format(request.header("Accept"));
  MetricsText text(format);
  text.family("callisto_build_info", "gauge", "The version that runs.");
  text.sample(1, {{"version", version()}, {"commit", commit()}});
  text.family("callisto_generation_info", "gauge", "The entities and scripts that run, by a digest of all they say.");
  text.sample(1, {{"generation", reload_.generation()}});
  text.gauge("callisto_start_time_seconds", "When this process began to serve, since 1970.", started_);
  traffic_.append(text);
  append_server(text);
  append_sizes(text);
  append_sign_ins(text);
  append_rates(text);
  append_webhooks(text);
  append_due(text);
  scripts_.append(text);
  append_process(text);
  response.content_type = type_of(format);
  response.compressible = true;
  response.body = text.take();
}

void Operations::append_server(MetricsText& text) {
  const auto generation = reload_.current();
  const records::Slots& slots = generation->slots();
  const std::size_t size = slots.size();
  text.gauge("callisto_slots", "Requests that can run at once.", static_cast<double>(size));
  text.gauge("callisto_slots_in_use", "Those that do.", static_cast<double>(size - std::min(size, slots.free())));
  text.gauge("callisto_slots_waiting", "Requests that wait for a slot.", static_cast<double>(slots.waiting()));
  text.gauge("callisto_slots_spare", "Slots made beside those, for quick questions while nobody writes.",
             static_cast<double>(generation->spare_slots().size()));
  const storage::WriterLoad writer = runtime_.database.writer_load();
  text.gauge("callisto_writer_queue", "Writes that wait for the writer.", static_cast<double>(writer.queued));
  text.counter("callisto_writer_writes_total", "Writes, including failed ones.", static_cast<double>(writer.writes));
  text.counter("callisto_writer_commits_total", "Commits; several writes share one.",
               static_cast<double>(writer.commits));
  text.gauge("callisto_writer_stopped",
             "1: a flush to disk failed or the database is damaged, and nothing is written any more.",
             flag(writer.stopped));
  text.counter("callisto_log_lines_dropped_total",
               "Log lines that were dropped, because nobody read them in time or writing failed.",
               static_cast<double>(log::dropped()));
  text.counter("callisto_http_connections_not_accepted_total",
               "Connections that had to wait because descriptors ran out.",
               static_cast<double>(http::connections_not_accepted()));
  const auto read = licences_of(reader_);
  text.gauge("callisto_database_up", "Whether the database answers.", flag(static_cast<bool>(read)));
  text.gauge("callisto_database_takes_writes", "0: it is a standby, or read-only.",
             flag(read && runtime_.database.health().takes_writes));
  if (read) {
    text.gauge("callisto_sessions", "Sessions that live.", static_cast<double>(read->in_use));
    text.gauge("callisto_licences", "Sessions that may live at once; 0 is unlimited.",
               static_cast<double>(read->capacity));
  }
  text.gauge("callisto_reload_failed", "1: the last reload failed, and the previous entities and scripts run.",
             flag(reload_.failed()));
}

void Operations::append_sizes(MetricsText& text) {
  const auto size = reader_.read([](storage::Connection& connection) { return storage::size_of(connection); });
  if (size) text.gauge("callisto_database_size_bytes", "What the database takes.", static_cast<double>(size->database));
  if (size && size->log)
    text.gauge("callisto_database_log_size_bytes", "The write-ahead log of a SQLite database.",
               static_cast<double>(*size->log));
  const std::string& data = runtime_.settings.data;
  text.gauge("callisto_audit_log_size_bytes", "The file of the audit log.", size_of_file(data + "/audit.jsonl"));
  text.counter("callisto_audit_events_lost_total", "Events of the audit log that could not be written.",
               static_cast<double>(runtime_.audit_log.lost()));
  std::error_code none;
  const auto space = std::filesystem::space(data, none);
  if (!none)
    text.gauge("callisto_data_free_bytes", "Room left where the data folder is.", static_cast<double>(space.available));
}

void Operations::append_sign_ins(MetricsText& text) {
  text.family("callisto_sign_ins_total", "counter",
              "Sign-ins of persons and clients, by what came of them; blocked: the address had tried too often.");
  for (const auto& [result, kind] : {std::pair("succeeded", audit::Kind::SignIn),
                                     {"refused", audit::Kind::SignInRefused},
                                     {"blocked", audit::Kind::AddressBlocked}})
    text.sample(static_cast<double>(runtime_.audit_log.noted(kind)), {{"result", result}});
}

void Operations::append_rates(MetricsText& text) {
  text.family("callisto_rate_limited_total", "counter", "Requests that a rate refused, by rate.");
  for (const auto& [rate, met] : runtime_.auth.rates_met()) text.sample(static_cast<double>(met), {{"rate", rate}});
  text.sample(static_cast<double>(rates_.uploads_refused()), {{"rate", "uploads"}});
  text.sample(static_cast<double>(rates_.repeat_keys_refused()), {{"rate", "repeat_keys"}});
}

void Operations::append_due(MetricsText& text) {
  const auto all = runtime_.due.all();
  text.family("callisto_due_actions_total", "counter",
              "Due actions that the server did by itself, by outcome; undone: the record was still due.");
  for (const auto& [name, figure] : all)
    for (const auto& [outcome, count] :
         {std::pair("done", figure.done), std::pair("undone", figure.undone), std::pair("failed", figure.failed)})
      text.sample(static_cast<double>(count), {{"entity", name.first}, {"action", name.second}, {"outcome", outcome}});
  text.family("callisto_due_records", "gauge", "Records that are due, at the last look.");
  for (const auto& [name, figure] : all)
    text.sample(static_cast<double>(figure.waiting), {{"entity", name.first}, {"action", name.second}});
  text.family("callisto_due_records_left_alone", "gauge", "Those of them on which the action failed a while ago.");
  for (const auto& [name, figure] : all)
    text.sample(static_cast<double>(figure.left_alone), {{"entity", name.first}, {"action", name.second}});
  text.family("callisto_due_lag_seconds", "gauge", "How long the oldest of them waits; 0: there is none.");
  for (const auto& [name, figure] : all) {
    const std::int64_t since = figure.oldest ? runtime_.clock.now().ms - figure.oldest->ms : 0;
    text.sample(static_cast<double>(std::max<std::int64_t>(since, 0)) / 1000,
                {{"entity", name.first}, {"action", name.second}});
  }
}

void Operations::append_queue(MetricsText& text, const webhooks::QueueStats& queue) {
  text.gauge("callisto_webhook_queue", "Deliveries that were not tried yet.", static_cast<double>(queue.pending));
  text.gauge("callisto_webhook_queue_retrying", "Deliveries that failed and are tried again.",
             static_cast<double>(queue.retrying));
  const std::int64_t since = queue.oldest_pending ? runtime_.clock.now().ms - queue.oldest_pending->ms : 0;
  text.gauge("callisto_webhook_oldest_age_seconds", "How long ago the oldest of them was made; 0: there is none.",
             static_cast<double>(since) / 1000);
}

void Operations::append_webhooks(MetricsText& text) {
  const webhooks::Metrics metrics = runtime_.webhooks.metrics();
  text.gauge("callisto_webhook_dispatcher_up", "Whether the dispatcher takes turns.",
             flag(runtime_.webhooks.is_alive()));
  const auto queue = reader_.read([](storage::Connection& connection) { return webhooks::stats(connection); });
  if (queue) append_queue(text, *queue);
  text.gauge("callisto_webhook_in_flight", "Attempts under way.", static_cast<double>(metrics.in_flight));
  text.family("callisto_webhook_attempts_total", "counter", "Attempts, by outcome.");
  text.sample(static_cast<double>(metrics.succeeded), {{"outcome", "succeeded"}});
  for (std::size_t i = 0; i < metrics.by_outcome.size(); ++i) {
    const auto outcome = static_cast<webhooks::Outcome>(i);
    const std::uint64_t fine = outcome == webhooks::Outcome::Http ? metrics.succeeded : 0;
    text.sample(static_cast<double>(metrics.by_outcome[i] - std::min(metrics.by_outcome[i], fine)),
                {{"outcome", webhooks::name(outcome)}});
  }
  text.counter("callisto_webhook_deliveries_failed_total", "Deliveries that were given up.",
               static_cast<double>(metrics.concluded_failed));
  const auto broken = reader_.read(
      [&](storage::Connection& connection) -> Result<std::size_t> { return reload_.broken_webhooks(connection); });
  if (broken)
    text.gauge("callisto_webhooks_broken",
               "Active webhooks that deliver nothing, since words that they use do not exist.",
               static_cast<double>(*broken));
  const webhooks::Untold& untold = runtime_.webhooks.untold();
  text.family("callisto_webhook_untold_total", "counter", "Events that a webhook did not get, by reason.");
  text.sample(static_cast<double>(untold.rounds), {{"reason", "round"}});
  text.sample(static_cast<double>(untold.unmade), {{"reason", "payload"}});
  text.sample(static_cast<double>(untold.unowned), {{"reason", "owner"}});
}

}  // namespace callisto::app
