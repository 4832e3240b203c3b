#include "webhooks/subscriptions.h"

#include "engine/base/text.h"

namespace callisto::webhooks {

namespace {

const Sql columns(
    "SELECT w.\"Ref\", w.\"CoreEntityType\", w.\"EntityType\", w.\"Events\", w.\"IndividualTriggers\", "
    "w.\"PayloadSelect\", w.\"PayloadFilter\", c.\"ClientId\", w.\"AttachmentNameFilter\", w.\"AttachmentSizeLimit\", "
    "w.\"AttachmentCountLimit\", w.\"Active\", w.\"Owner\" FROM \"webhook\" w LEFT JOIN \"client\" c ON c.\"Ref\" = "
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
  if (!row.is_null(12)) subscription.owner = row.integer(12);
  return subscription;
}

Result<SubscriptionList> read_active(storage::Connection& connection) {
  static const Sql sql = Sql(columns) << "WHERE w.\"IsDeleted\" = 0 AND w.\"Active\" = 1 ORDER BY w.\"Ref\"";
  CALLISTO_TRY(const auto row, connection.query(sql, {}));
  auto all = std::make_shared<std::vector<Subscription>>();
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return SubscriptionList(std::move(all));
    all->push_back(read(*row));
  }
}

Result<std::int64_t> read_version(storage::Connection& connection) {
  static const Sql sql("SELECT CAST(value AS BIGINT) FROM desk_fact WHERE name = 'webhooks'");
  CALLISTO_TRY(const auto row, connection.query(sql, {}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? row->integer(0) : 0;
}

}  // namespace

std::string skip_reason(const Subscription& subscription, const catalog::Catalog& catalog,
                        const Occurrence& occurrence) {
  if (!subscription.active) return "the webhook is not active";
  if (subscription.core_type != occurrence.entity->core_type)
    return "the webhook is told of " + subscription.core_type + ", not of " + occurrence.entity->name;
  const catalog::Entity* type =
      subscription.entity_type.empty() ? nullptr : catalog.find_written(subscription.entity_type);
  if (!subscription.entity_type.empty() && (!type || !occurrence.entity->is_or_extends(*type)))
    return "the webhook is told of " + subscription.entity_type + ", not of " + occurrence.entity->name;
  // API rule 7.1: an added history row is told only where it was chosen by name.
  const bool chosen =
      subscription.all_events ? occurrence.event != history_event : subscription.triggers.count(occurrence.event) != 0;
  if (!chosen) return "the webhook is not told of the event " + std::string(occurrence.event);
  if (!subscription.excluded_client.empty() && subscription.excluded_client == occurrence.client_id)
    return "the webhook leaves out what the client " + subscription.excluded_client + " changes";
  return {};
}

Result<void> Subscriptions::reload() {
  auto read = read_anew();
  const std::lock_guard lock(mutex_);
  is_stale_ = !read;
  if (!read) return std::move(read).error();
  if (read->version >= known_.version) known_ = *std::move(read);
  return {};
}

Result<KnownSubscriptions> Subscriptions::read_anew() {
  const std::lock_guard reading(reading_);
  CALLISTO_TRY(const auto state, storage::ReadTransaction::begin(*reader_));
  KnownSubscriptions known;
  if (shared_) { CALLISTO_TRY(known.version, read_version(*reader_)); }
  CALLISTO_TRY(known.active, read_active(*reader_));
  return known;
}

Result<KnownSubscriptions> Subscriptions::now(storage::Connection& connection) {
  KnownSubscriptions known;
  bool is_stale = false;
  {
    const std::lock_guard lock(mutex_);
    known = known_;
    is_stale = is_stale_;
  }
  if (is_stale && !shared_) { CALLISTO_TRY(known.active, read_active(connection)); }
  if (!shared_) return known;
  CALLISTO_TRY(const std::int64_t version, read_version(connection));
  if (version == known.version) return known;
  CALLISTO_TRY(known.active, read_active(connection));
  known.version = version;
  return known;
}

Result<void> Subscriptions::note_change(storage::Connection& connection) {
  static const Sql sql(
      "INSERT INTO desk_fact (name, value) VALUES ('webhooks', '1') ON CONFLICT (name) DO UPDATE "
      "SET value = CAST(CAST(desk_fact.value AS BIGINT) + 1 AS TEXT)");
  if (!shared_) return {};
  CALLISTO_CHECK(connection.execute(sql, {}));
  return {};
}

void Subscriptions::keep(const KnownSubscriptions& known) {
  const std::lock_guard lock(mutex_);
  if (known.version > known_.version) known_ = known;
}

bool Subscriptions::is_news(std::int64_t webhook, const std::string& trouble) {
  const std::lock_guard lock(mutex_);
  return std::exchange(troubles_[webhook], trouble) != trouble;
}

Result<std::optional<Subscription>> find_subscription(storage::Connection& connection, std::int64_t webhook) {
  static const Sql sql = Sql(columns) << "WHERE w.\"Ref\" = ?1 AND w.\"IsDeleted\" = 0";
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(webhook)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<Subscription>();
  return std::optional(read(*row));
}

}  // namespace callisto::webhooks
