#include "engine/app/serving/reload.h"

#include "engine/app/describing/catalog_changes.h"
#include "engine/app/describing/description.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/starter.h"
#include "engine/base/hex.h"
#include "engine/base/log.h"
#include "engine/base/sha256.h"
#include "engine/base/whole_file.h"
#include "engine/json/write.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace callisto::app {

namespace {

// Whoever waits for it reads it whole.
void keep(const std::string& path, const std::string& text) {
  const auto replace = [&]() -> Result<void> {
    CALLISTO_TRY(WholeFile file, WholeFile::make(path, 0600));
    CALLISTO_CHECK(file.write(text + "\n"));
    return file.replace();
  };
  if (const auto kept = replace(); !kept) log::error(kept.error().message);
}

std::string first_of(const std::vector<std::string>& changes) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, changes.size()); ++i) text += (i > 0 ? "; " : "") + changes[i];
  return changes.size() > most ? text + "; and " + std::to_string(changes.size() - most) + " more" : text;
}

}  // namespace

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::shared_ptr<Generation> Reload::current() {
  const std::lock_guard lock(mutex_);
  return current_;
}

Result<BrokenWebhooks> Reload::broken_by(const records::Model& model) const {
  CALLISTO_TRY(const auto connection, runtime_.database.connect_reader());
  CALLISTO_TRY(const auto scripts,
               script::State::create(model.program, script_budget(runtime_.settings), runtime_.clock, runtime_.random));
  return app::broken_webhooks(*connection, model, *scripts);
}

// Those that are broken already hold up no reload.
Result<void> Reload::check_webhooks(const records::Model& model, std::vector<std::string>& problems) {
  CALLISTO_TRY(const BrokenWebhooks broken, broken_by(model));
  if (broken.empty()) return {};
  CALLISTO_TRY(const BrokenWebhooks before, broken_by(current()->model()));
  for (std::string& line : tell_broken(broken, before)) problems.push_back(std::move(line));
  if (!problems.empty())
    problems.emplace_back(
        "change these webhooks first, or reload with --force: their events are then kept, and redeliver sends them "
        "once the words are back");
  return {};
}

void Reload::look_at_webhooks() {
  auto broken = broken_by(current()->model());
  if (!broken) return log::error("The words of the webhooks could not be checked: " + broken.error().log_detail);
  for (const std::string& line : tell_broken(*broken, {})) log::warning(line);
  const std::lock_guard lock(mutex_);
  broken_ = *std::move(broken);
}

std::size_t Reload::broken_webhooks(storage::Connection& connection) {
  static const Sql sql("SELECT 1 FROM \"webhook\" WHERE \"Ref\" = ?1 AND \"RecordVersion\" = ?2 AND \"IsDeleted\" = 0");
  BrokenWebhooks broken;
  {
    const std::lock_guard lock(mutex_);
    broken = broken_;
  }
  std::size_t count = 0;
  for (const auto& [ref, webhook] : broken) {
    const auto row = connection.query(sql, {Value(ref), Value(webhook.version)});
    const auto found = row ? (*row)->step() : Result<bool>(true);
    count += !found || *found ? 1 : 0;
  }
  return count;
}

Result<std::shared_ptr<Generation>> Reload::next(bool forced, std::vector<std::string>& problems) {
  if (tls_) CALLISTO_CHECK(tls_->reload());
  CALLISTO_TRY(const auto read, read_model(runtime_.settings, runtime_.clock, runtime_.random));
  for (const catalog::Problem& problem : read.problems) problems.push_back(to_string(problem));
  if (!read.model) return std::shared_ptr<Generation>();
  if (!forced) CALLISTO_CHECK(check_webhooks(*read.model, problems));
  if (!problems.empty()) return std::shared_ptr<Generation>();
  CALLISTO_CHECK(bring_schema_to(runtime_.database, *read.model, runtime_.clock));
  CALLISTO_CHECK(keep_states(runtime_.database, *read.model, runtime_.clock, runtime_.random));
  return Generation::create(runtime_, options_, read.model);
}

// Who may do what stands in scripts, so that a change of theirs is one of rights (decision 0011). Of a desk that is
// served for the first time nothing has changed.
void Reload::keep_description(std::string_view when) {
  const std::string path = runtime_.settings.data + std::string(description_file);
  const std::string text = description_json(*current()->model().program);
  {
    constexpr std::size_t enough = 12;
    const std::lock_guard lock(mutex_);
    generation_ = hex(view(sha256(text))).substr(0, enough);
  }
  const std::string kept = content_of(path);
  if (kept == text + "\n") return;  // as keep() wrote it: nothing to parse, at most starts
  const auto before = read_description(kept), after = read_description(text);
  const auto changes = before && after ? catalog_changes(*before, *after) : std::vector<std::string>();
  if (!changes.empty()) {
    audit::Event event;
    event.kind = audit::Kind::ScriptsChanged;
    event.reason = std::string(when) + ": " + first_of(changes);
    runtime_.audit_log.note(event);
  }
  keep(path, text);  // last: a change is rather told twice than not at all
}

std::string Reload::generation() {
  const std::lock_guard lock(mutex_);
  return generation_;
}

void Reload::run(bool forced) {
  const DateTime started = runtime_.clock.now();
  std::vector<std::string> problems;
  const bool asked = std::remove((runtime_.settings.data + std::string(force_file)).c_str()) == 0;
  auto made = next(forced || asked, problems);
  const std::string error = made ? std::string() : made.error().message + " " + made.error().log_detail;
  if (made && *made) {
    api_.replace(Generation::served(*made));
    {
      const std::lock_guard lock(mutex_);
      current_.swap(*made);  // the previous one is destroyed by its last request, outside the lock
    }
    keep_description("reloaded");
    look_at_webhooks();
    log::info("entities and scripts were reloaded: generation=" + generation());
  } else {
    for (const std::string& problem : problems) log::error("reload: " + problem);
    if (!error.empty()) log::error("reload: " + error);
    log::error("reload: the server still runs the previous entities and scripts; fix the problems and reload again");
  }
  keep_outcome(started, problems, error);
}

void Reload::keep_outcome(DateTime started, const std::vector<std::string>& problems, const std::string& error) {
  failed_ = !problems.empty() || !error.empty();
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.key("Run").integer(++runs_);
  writer.key("Started").string(to_iso8601(started));
  writer.key("Date").string(to_iso8601(runtime_.clock.now()));
  writer.key("Done").boolean(problems.empty() && error.empty());
  writer.key("Problems").begin_array();
  for (const std::string& problem : problems) writer.string(problem);
  if (!error.empty()) writer.string(error);
  writer.end_array().end_object();
  keep(runtime_.settings.data + std::string(outcome_file), text);
}

}  // namespace callisto::app
