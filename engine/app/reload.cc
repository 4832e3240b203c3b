#include "engine/app/reload.h"

#include "engine/app/catalog_changes.h"
#include "engine/app/description.h"
#include "engine/app/load.h"
#include "engine/base/log.h"
#include "engine/base/whole_file.h"
#include "engine/json/write.h"

#include <algorithm>
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

Result<std::shared_ptr<Generation>> Reload::next(std::vector<std::string>& problems) {
  if (tls_) CALLISTO_CHECK(tls_->reload());
  CALLISTO_TRY(const auto read, read_model(desk_.settings, desk_.clock, desk_.random));
  for (const catalog::Problem& problem : read.problems) problems.push_back(to_string(problem));
  if (!read.model) return std::shared_ptr<Generation>();
  CALLISTO_CHECK(bring_schema_to(desk_.database, *read.model, desk_.clock));
  return Generation::create(desk_, options_, read.model);
}

// Who may do what stands in scripts, so that a change of theirs is one of rights (trust.md D.3). Of a desk that is
// served for the first time nothing has changed.
void Reload::keep_description(std::string_view when) {
  const std::string path = desk_.settings.data + std::string(description_file);
  const std::string text = description_json(*current()->model().program);
  const std::string kept = content_of(path);
  if (kept == text + "\n") return;  // as keep() wrote it: nothing to parse, at most starts
  const auto before = read_description(kept), after = read_description(text);
  const auto changes = before && after ? catalog_changes(*before, *after) : std::vector<std::string>();
  if (!changes.empty()) {
    audit::Event event;
    event.kind = audit::Kind::ScriptsChanged;
    event.reason = std::string(when) + ": " + first_of(changes);
    desk_.audit_log.note(event);
  }
  keep(path, text);  // last: a change is rather told twice than not at all
}

void Reload::run() {
  const DateTime started = desk_.clock.now();
  std::vector<std::string> problems;
  auto made = next(problems);
  const std::string error = made ? std::string() : made.error().message + " " + made.error().log_detail;
  if (made && *made) {
    api_.replace(Generation::served(*made));
    {
      const std::lock_guard lock(mutex_);
      current_.swap(*made);  // the one of before goes after the lock, with its last request
    }
    keep_description("reloaded");
    log::info("entities and scripts were reloaded");
  } else {
    for (const std::string& problem : problems) log::error("reload: " + problem);
    if (!error.empty()) log::error("reload: " + error);
    log::error("reload: what was there before goes on serving; mend the problems and reload again");
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
  writer.key("Date").string(to_iso8601(desk_.clock.now()));
  writer.key("Done").boolean(problems.empty() && error.empty());
  writer.key("Problems").begin_array();
  for (const std::string& problem : problems) writer.string(problem);
  if (!error.empty()) writer.string(error);
  writer.end_array().end_object();
  keep(desk_.settings.data + std::string(outcome_file), text);
}

}  // namespace callisto::app
