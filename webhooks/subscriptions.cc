#include "webhooks/subscriptions.h"

#include "engine/base/text.h"

namespace callisto::webhooks {

namespace {

const Sql columns(
    "SELECT w.\"Ref\", w.\"CoreEntityType\", w.\"EntityType\", w.\"Events\", w.\"IndividualTriggers\", "
    "w.\"PayloadSelect\", w.\"PayloadFilter\", c.\"ClientId\", w.\"AttachmentNameFilter\", w.\"AttachmentSizeLimit\", "
    "w.\"AttachmentCountLimit\", w.\"Active\" FROM \"webhook\" w LEFT JOIN \"client\" c ON c.\"Ref\" = "
    "w.\"ExcludedClient\" ");

Subscription read(const storage::Cursor& row) {
  Subscription subscription;
  subscription.webhook = row.integer(0);
  const auto text = [&](std::size_t column) {
    return row.is_null(column) ? std::string() : std::string(row.text(column));
  };
  const auto number = [&](std::size_t column) { return row.is_null(column) ? 0 : row.integer(column); };
  subscription.core_type = text(1);
  subscription.entity_type = text(2);
  subscription.all_events = text(3) != "Individual";
  const std::string triggers = text(4);
  for (const std::string_view trigger : text::split(triggers, ' '))
    if (!trigger.empty()) subscription.triggers.emplace(trigger);
  subscription.select = text(5);
  subscription.filter = text(6);
  subscription.excluded_client = text(7);
  subscription.name_filter = text(8);
  subscription.size_limit_kib = number(9);
  subscription.count_limit = number(10);
  subscription.active = number(11) != 0;
  return subscription;
}

}  // namespace

std::string why_not(const Subscription& subscription, const catalog::Catalog& catalog, const Occurrence& occurrence) {
  if (!subscription.active) return "the webhook is not active";
  if (subscription.core_type != occurrence.entity->core_type)
    return "the webhook is told of " + subscription.core_type + ", not of " + occurrence.entity->name;
  const catalog::Entity* type = subscription.entity_type.empty() ? nullptr : catalog.find(subscription.entity_type);
  if (!subscription.entity_type.empty() && (!type || !occurrence.entity->is_or_extends(*type)))
    return "the webhook is told of " + subscription.entity_type + ", not of " + occurrence.entity->name;
  // Decisions 10.2: an added history row is told only where it was chosen by name.
  const bool chosen =
      subscription.all_events ? occurrence.event != history_event : subscription.triggers.count(occurrence.event) != 0;
  if (!chosen) return "the webhook is not told of the event " + std::string(occurrence.event);
  if (!subscription.excluded_client.empty() && subscription.excluded_client == occurrence.client_id)
    return "the webhook leaves out what the client " + subscription.excluded_client + " changes";
  return {};
}

SubscriptionList Subscriptions::active() {
  const std::lock_guard lock(mutex_);
  return active_;
}

Result<void> Subscriptions::reload() {
  static const Sql sql = Sql(columns) << "WHERE w.\"IsDeleted\" = 0 AND w.\"Active\" = 1 ORDER BY w.\"Ref\"";
  const std::lock_guard reading(reading_);
  CALLISTO_TRY(const auto row, reader_->query(sql, {}));
  auto all = std::make_shared<std::vector<Subscription>>();
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) break;
    all->push_back(read(*row));
  }
  const std::lock_guard lock(mutex_);
  active_ = std::move(all);
  return {};
}

Result<std::optional<Subscription>> find_subscription(storage::Connection& connection, std::int64_t webhook) {
  static const Sql sql = Sql(columns) << "WHERE w.\"Ref\" = ?1 AND w.\"IsDeleted\" = 0";
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(webhook)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<Subscription>();
  return std::optional(read(*row));
}

}  // namespace callisto::webhooks
