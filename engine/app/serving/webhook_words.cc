#include "engine/app/serving/webhook_words.h"

#include "engine/app/opening/load.h"
#include "engine/app/serving/webhook_records.h"
#include "engine/base/text.h"
#include "webhooks/subscriptions.h"
#include "webhooks/validation.h"

#include <filesystem>

namespace callisto::app {

Result<std::vector<std::string>> problems_of(storage::Connection& connection, const records::Model& model,
                                             script::State& scripts, std::int64_t webhook, bool owner_too) {
  std::vector<std::string> problems;
  CALLISTO_TRY(const auto subscription, webhooks::find_subscription(connection, webhook));
  if (!subscription) return problems;
  api::RecordText text(model, scripts, "v1");
  const auto desk = make_webhook_records({model, scripts, text, connection, nullptr});
  if (owner_too) {
    CALLISTO_TRY(std::string silent, desk->why_silent(subscription->owner));
    if (!silent.empty()) problems.push_back("Owner: " + silent);
  }
  const webhooks::Words words{subscription->core_type, subscription->entity_type, subscription->select,
                              subscription->filter};
  for (const PropertyError& each : webhooks::check_words(words, *desk))
    problems.push_back(each.property + ": " + each.message);
  return problems;
}

Result<BrokenWebhooks> broken_webhooks(storage::Connection& connection, const records::Model& model,
                                       script::State& scripts) {
  static const Sql sql(
      "SELECT \"Ref\", \"Name\", \"RecordVersion\" FROM \"webhook\" WHERE \"IsDeleted\" = 0 AND \"Active\" = 1");
  BrokenWebhooks all, broken;
  {
    CALLISTO_TRY(const auto row, connection.query(sql, {}));
    for (;;) {
      CALLISTO_TRY(const bool more, row->step());
      if (!more) break;
      all[row->integer(0)] = {row->is_null(1) ? std::string() : std::string(row->text(1)), row->integer(2), {}};
    }
  }
  for (auto& [ref, webhook] : all) {
    CALLISTO_TRY(webhook.problems, problems_of(connection, model, scripts, ref, false));
    if (!webhook.problems.empty()) broken.emplace(ref, std::move(webhook));
  }
  return broken;
}

Result<BrokenWebhooks> broken_webhooks(const Settings& settings, const records::Model& model) {
  constexpr std::string_view scheme = "sqlite:";
  const std::string url = settings.database_url();
  if (url.starts_with(scheme) && !std::filesystem::exists(url.substr(scheme.size()))) return BrokenWebhooks();
  CALLISTO_TRY(const auto database, storage::Database::open({.url = url, .read_only = true}));
  CALLISTO_TRY(const auto connection, database->connect_reader());
  const SystemClock clock;
  SystemRandom random;
  CALLISTO_TRY(const auto scripts, script::State::create(model.program, script_budget(settings), clock, random));
  return broken_webhooks(*connection, model, *scripts);
}

std::vector<std::string> tell_broken(const BrokenWebhooks& broken, const BrokenWebhooks& known) {
  std::vector<std::string> lines;
  for (const auto& [ref, webhook] : broken) {
    if (known.contains(ref)) continue;
    const std::string name = webhook.name.empty() ? "" : " " + text::quoted(webhook.name);
    for (const std::string& problem : webhook.problems)
      lines.push_back("webhook " + std::to_string(ref) + name + " tells nothing: " + problem);
  }
  return lines;
}

}  // namespace callisto::app
