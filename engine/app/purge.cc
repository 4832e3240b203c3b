// callisto purge: removes for good what was deleted long ago.
#include "engine/records/purge.h"
#include "engine/app/commands.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/with_desk.h"
#include "engine/auth/forget.h"
#include "engine/base/text.h"
#include "webhooks/body.h"

#include <charconv>
#include <cstdio>
#include <optional>

namespace callisto::app {

namespace {

constexpr std::int64_t hour_ms = 3'600'000;

// "90d", "12h", "8w" as milliseconds.
std::optional<std::int64_t> span_of(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const std::int64_t unit = text.back() == 'h'   ? hour_ms
                            : text.back() == 'd' ? 24 * hour_ms
                            : text.back() == 'w' ? 7 * 24 * hour_ms
                                                 : 0;
  std::int64_t count = 0;
  const char* end = text.data() + text.size() - 1;
  const auto [stop, problem] = std::from_chars(text.data(), end, count);
  constexpr std::int64_t most_hours = 24 * 366 * 1000;
  if (unit == 0 || problem != std::errc() || stop != end || count < 0 || count > most_hours / (unit / hour_ms))
    return std::nullopt;
  return count * unit;
}

std::string told(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string told(const records::Purged& purged) {
  std::string text;
  for (const auto& [entity, rows] : purged.rows)
    text += (text.empty() ? "" : ", ") + std::to_string(rows) + " " + entity;
  if (text.empty()) return "nothing";
  return text + (purged.bytes > 0 ? ", files of " + told(purged.bytes, "byte") : std::string());
}

void tell_held(std::int64_t held) {
  if (held > 0)
    std::printf("%s stay%s, since others refer to %s\n", told(held, "deleted record").c_str(), held == 1 ? "s" : "",
                held == 1 ? "it" : "them");
}

// What would go at first; what they hold would go after them.
int show(const Settings& settings, const records::Model& model, const catalog::Entity* only, DateTime before) {
  const auto look = [&]() -> Result<void> {
    CALLISTO_TRY(const auto database,
                 storage::Database::open(
                     {.url = settings.database_url(), .read_only = true, .read_deadline = std::chrono::hours(24)}));
    CALLISTO_TRY(const auto connection, database->connect_reader());
    CALLISTO_TRY(const auto found, records::find_purgeable(*connection, model.catalog(), only, before));
    std::int64_t held = 0;
    for (const records::Purgeable& each : found) {
      held += each.held;
      if (!each.keys.empty())
        std::printf("%s: %s would go\n", each.root->name.c_str(),
                    told(static_cast<std::int64_t>(each.keys.size()), "record").c_str());
    }
    if (found.empty()) std::printf("nothing would go\n");
    tell_held(held);
    return {};
  };
  if (const auto done = look(); !done) {
    print_error(done.error());
    return 1;
  }
  return 0;
}

int remove(const Settings& settings, records::Model& model, const catalog::Entity* only, const PurgeOptions& options,
           const Clock& clock, DateTime before) {
  const auto database = open_database(settings, model, clock);
  if (!database) {
    std::fprintf(stderr, "callisto: nothing was purged; a server that has the desk open must be stopped first\n");
    return 1;
  }
  const auto log = open_audit(settings, clock);
  if (!log) return 1;
  records::Purging purging;
  purging.now = clock.now();
  purging.forget = [](storage::Connection& connection, const catalog::Entity& root, std::int64_t key) {
    return auth::forget(connection, root.name, key);
  };
  // Deliveries that hold these bytes can be sent again all the same.
  purging.replacing = [](storage::Connection& connection, const events::Replaced& bytes) {
    return webhooks::keep_replaced(connection, webhooks::source_of(*bytes.property), bytes.key, bytes.time);
  };
  records::Purged purged;
  const auto done = records::purge(*database, model, only, before, purging, purged);
  log->note(noted(audit::Kind::RecordsPurged, only ? only->name.c_str() : "", "purge",
                  "deleted more than " + options.older_than + " ago: " + told(purged)));
  std::printf("%s purged\n", told(purged).c_str());
  tell_held(purged.held);
  if (!done) print_error(done.error());
  return done ? 0 : 1;
}

}  // namespace

int purge(const Settings& settings, const PurgeOptions& options) {
  const auto span = span_of(options.older_than);
  if (!span) {
    std::fprintf(stderr, "callisto: --older-than %s: write hours, days or weeks, such as 12h, 90d or 8w\n",
                 options.older_than.c_str());
    return 2;
  }
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const catalog::Entity* only = options.entity.empty() ? nullptr : model->catalog().find(options.entity);
  if (!options.entity.empty() && !only) {
    const std::string near = text::nearest(options.entity, model->catalog().entity_names());
    std::fprintf(stderr, "callisto: there is no entity %s%s\n", text::quoted(options.entity).c_str(),
                 near.empty() ? "" : ("; did you mean '" + near + "'?").c_str());
    return 2;
  }
  const DateTime before{clock.now().ms - *span};
  return options.dry_run ? show(settings, *model, only, before)
                         : remove(settings, *model, only, options, clock, before);
}

}  // namespace callisto::app
