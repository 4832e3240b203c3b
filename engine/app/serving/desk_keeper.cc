#include "engine/app/serving/desk_keeper.h"

#include "engine/app/describing/description.h"
#include "engine/app/describing/desk_changes.h"
#include "engine/app/describing/desk_specs.h"
#include "engine/app/serving/licences.h"
#include "engine/app/version.h"
#include "engine/audit/tail.h"
#include "engine/base/text.h"
#include "engine/base/whole_file.h"
#include "engine/json/node_text.h"
#include "engine/script/program.h"
#include "webhooks/queue.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace callisto::app {

namespace {

constexpr std::size_t most_read = 8 * 1024 * 1024;  // of the audit log, by one request
constexpr int retry_after_seconds = 2;
constexpr std::chrono::milliseconds longest_specs{60'000};  // then the rest of them does not run

void write_figure(json::Writer& writer, const HealthFigure& figure) {
  writer.begin_object().key("at").string(to_iso8601(figure.at));
  writer.key("requests").integer(static_cast<std::int64_t>(figure.requests));
  writer.key("failed").integer(static_cast<std::int64_t>(figure.failed));
  writer.key("mean").real(figure.mean).key("slow").real(figure.slow);
  writer.key("waiting").integer(static_cast<std::int64_t>(figure.waiting));
  writer.key("queue").integer(figure.queue).key("dueLag").real(figure.due_lag);
  writer.key("sessions").integer(figure.sessions).end_object();
}

std::string member(const json::Node& line, std::string_view name) {
  const json::Node* node = line.find(name);
  return node ? node->text() : std::string();
}

bool fits(const json::Node& line, const AuditQuestion& question) {
  if (!question.event.empty() && member(line, "event") != question.event) return false;
  return !question.person || member(line, "person") == std::to_string(*question.person);
}

void write_lines(json::Writer& writer, std::string_view name, const std::vector<std::string>& lines) {
  writer.key(name).begin_array();
  for (const std::string& line : lines) writer.string(line);
  writer.end_array();
}

}  // namespace

Result<std::unique_ptr<DeskKeeper>> DeskKeeper::create(const Runtime& runtime, const api::Traffic& traffic,
                                                       Reload& reload) {
  CALLISTO_TRY(auto reader, runtime.database.connect_reader());
  return std::unique_ptr<DeskKeeper>(new DeskKeeper(runtime, traffic, reload, std::move(reader)));
}

DeskKeeper::DeskKeeper(const Runtime& runtime, const api::Traffic& traffic, Reload& reload,
                       std::unique_ptr<storage::Connection> reader)
    : runtime_(runtime),
      started_(runtime.clock.now()),
      reader_(std::move(reader)),
      traffic_(traffic),
      reload_(reload) {}

// What a database does not answer stays 0: a page about health comes in any case.
HealthFigure DeskKeeper::now(const api::Traffic::Totals& totals) {
  HealthFigure figure;
  figure.at = runtime_.clock.now();
  history_.fill(figure, totals);
  const auto generation = reload_.current();
  const auto writing = static_cast<std::size_t>(runtime_.database.writer_load().queued);
  figure.waiting = static_cast<std::size_t>(generation->slots().waiting()) + writing;
  for (const auto& [name, due] : runtime_.due.all())
    if (due.oldest)
      figure.due_lag = std::max(figure.due_lag, static_cast<double>(figure.at.ms - due.oldest->ms) / 1000);
  if (!runtime_.database.health().answers) return figure;
  const auto queue = reader_.read([](storage::Connection& connection) { return webhooks::stats(connection); });
  if (queue) figure.queue = queue->pending + queue->retrying;
  if (const auto read = licences_of(reader_)) figure.sessions = read->in_use;
  return figure;
}

void DeskKeeper::look() {
  const api::Traffic::Totals totals = traffic_.totals();
  history_.add(now(totals), totals);
}

Result<void> DeskKeeper::tell_health(json::Writer& writer) {
  const storage::Health database = runtime_.database.health();
  writer.key("version").string(version()).key("generation").string(reload_.generation());
  writer.key("started").string(to_iso8601(started_));
  writer.key("database").begin_object().key("answers").boolean(database.answers);
  writer.key("takesWrites").boolean(database.takes_writes && !runtime_.database.writer_load().stopped).end_object();
  writer.key("sendsWebhooks").boolean(runtime_.webhooks.is_alive());
  writer.key("reloadFailed").boolean(reload_.failed());
  if (const auto read = licences_of(reader_)) {
    writer.key("licences").begin_object().key("inUse").integer(read->in_use);
    writer.key("capacity").integer(read->capacity).end_object();
  }
  writer.key("auditLost").integer(runtime_.audit_log.lost());
  writer.key("seconds").integer(pause.count());
  writer.key("figures").begin_array();
  for (const HealthFigure& figure : history_.all()) write_figure(writer, figure);
  write_figure(writer, now(traffic_.totals()));
  writer.end_array();
  return {};
}

Result<std::optional<std::int64_t>> DeskKeeper::tell_audit(const AuditQuestion& question, json::Writer& writer) {
  std::size_t found = 0;
  bool is_over = false;  // the rest is older than was asked for
  writer.key("results").begin_array();
  const auto take = [&](std::string_view text) {
    const auto line = json::parse(std::string(text));
    if (!line) return true;  // torn: the next line tells of it
    const auto time = parse_iso8601(member(*line, "time"));
    is_over = question.since && time && *time < *question.since;
    if (is_over) return false;
    if (!fits(*line, question)) return true;
    writer.element();
    writer.raw() += json::text_of(*line);
    return ++found < question.top;
  };
  const auto rest = audit::newest_lines(runtime_.settings.data + "/audit.jsonl", question.after, most_read, take);
  writer.end_array();
  if (!rest) return rest.error();
  return *rest == 0 || is_over ? std::optional<std::int64_t>() : *rest;
}

Result<void> DeskKeeper::tell_source(const std::string& file, json::Writer& writer) {
  const auto generation = reload_.current();
  const auto sources = generation->model().program->all_sources();
  if (file.empty()) {
    writer.key("files").begin_array();
    for (const auto* source : sources) writer.string(source->file);
    writer.end_array();
    return {};
  }
  const auto found =
      std::find_if(sources.begin(), sources.end(), [&file](const auto* source) { return source->file == file; });
  if (found == sources.end())
    return resource_not_found("No script that runs is called " + text::quoted(file) + " and has functions.");
  writer.key("file").string(file).key("lines").begin_array();
  for (const std::string_view line : text::split((*found)->text, '\n')) writer.string(text::well_formed(line));
  writer.end_array();
  return {};
}

Result<std::unique_lock<std::mutex>> DeskKeeper::take_loading() {
  std::unique_lock lock(loading_, std::try_to_lock);
  if (!lock) return unavailable("Another request compares or tests at this moment. Try again.", retry_after_seconds);
  return lock;
}

Result<void> DeskKeeper::tell_specs(json::Writer& writer) {
  CALLISTO_TRY(const auto lock, take_loading());
  const std::int64_t end = runtime_.clock.steady_ms() + longest_specs.count();
  CALLISTO_TRY(const DeskSpecs specs, specs_on_disk(runtime_.settings, runtime_.clock, runtime_.random, [this, end] {
                 return stops_ || runtime_.clock.steady_ms() >= end;
               }));
  write_specs(writer, specs);
  return {};
}

Result<void> DeskKeeper::tell_changes(json::Writer& writer) {
  CALLISTO_TRY(const auto lock, take_loading());
  const std::string running = description_json(*reload_.current()->model().program);
  CALLISTO_TRY(const DeskChanges found, changes_on_disk(runtime_.settings, running, runtime_.clock, runtime_.random));
  writer.key("generation").string(reload_.generation()).key("loads").boolean(found.loads);
  writer.key("findings").begin_array();
  for (const Finding& finding : found.findings) write_finding(writer, finding, true);
  writer.end_array();
  write_lines(writer, "refused", found.refused);
  write_lines(writer, "changes", found.changes);
  writer.key("effects").begin_array();
  if (found.effects) {
    for (const std::string& line : found.effects->out_of_sight) writer.string(line);
    for (const Effects::Due& due : found.effects->due)
      if (due.records > 0) writer.string(due.line);
  }
  writer.end_array();
  return tell_reload(writer);
}

Result<void> DeskKeeper::tell_reload(json::Writer& writer) {
  const auto outcome = json::parse(content_of(runtime_.settings.data + std::string(outcome_file)));
  writer.key("last");
  if (outcome) writer.raw() += json::text_of(*outcome);
  else writer.null();
  return {};
}

Result<void> DeskKeeper::reload(bool forced) {
  if (forced) {
    CALLISTO_TRY(WholeFile file, WholeFile::make(runtime_.settings.data + std::string(force_file), 0600));
    CALLISTO_CHECK(file.replace());
  }
  if (kill(getpid(), SIGHUP) != 0) return internal("the server could not tell itself to reload");
  return {};
}

}  // namespace callisto::app
