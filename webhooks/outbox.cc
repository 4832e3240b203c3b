#include "webhooks/outbox.h"

#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/json/write.h"
#include "engine/storage/new_rows.h"
#include "webhooks/message_id.h"
#include "webhooks/preview.h"
#include "webhooks/queue_steps.h"
#include "webhooks/validation.h"

#include <optional>
#include <utility>

namespace callisto::webhooks {

namespace {

using catalog::Action;

constexpr int most_hops = 5;  // deliveries that lead to each other; then a circle is assumed
constexpr std::size_t most_log_characters = 8000;

// Of an event about a file, the record that it hangs on is told of.
Happening happening_of(const events::Event& event, Desk& desk) {
  Happening happening{event.name, {event.entity, event.key, event.person}, event.history_order, {}, false};
  if (!event.entity->core_type.empty()) return happening;
  if (const auto file = desk.file_event(event)) {
    happening.subject.entity = file->entity;
    happening.subject.key = file->key;
    happening.file = file->file;
    happening.file_is_gone = event.action->kind == Action::Kind::Delete;
  }
  return happening;
}

std::optional<DateTime> parameter_time(const events::Event& event, std::string_view name) {
  const auto value = event.parameters->find(name);
  const auto* time = value == event.parameters->end() ? nullptr : std::get_if<DateTime>(&value->second);
  return time ? std::optional(*time) : std::nullopt;
}

std::string listed(const std::vector<Choice>& files, bool included) {
  std::string all;
  for (const Choice& choice : files) {
    if (choice.reason.empty() != included) continue;
    const std::string line = choice.file.name + (included ? "" : ": " + choice.reason);
    if (all.size() + line.size() + 1 > most_log_characters) return all + "\n...";
    all += (all.empty() ? "" : "\n") + line;
  }
  return all;
}

}  // namespace

Result<void> Outbox::emit(const events::Event& event) {
  if (event.entity->name == "webhook") return on_webhook(event);
  if (event.entity->name == "webhook-delivery") return on_delivery(event);
  return tell(event);
}

void Outbox::committed() {
  if (known_) parts_.subscriptions.keep(*known_);
  if (changed_)
    if (const auto done = parts_.subscriptions.reload(); !done)
      log::error("The webhooks could not be read anew; each change reads them for itself: " + done.error().log_detail);
  if (!woken_.empty()) parts_.wake(woken_, changed_);
}

Result<void> Outbox::tell(const events::Event& event) {
  if (!known_) { CALLISTO_TRY(known_, parts_.subscriptions.now(connection_)); }
  const SubscriptionList subscriptions = known_->active;
  if (subscriptions->empty()) return {};
  const Happening happening = happening_of(event, *desk_);
  if (happening.subject.entity->core_type.empty()) return {};
  const Occurrence occurrence{event.name, happening.subject.entity, event.client_id};
  for (const Subscription& subscription : *subscriptions) {
    if (!why_not(subscription, desk_->catalog(), occurrence).empty()) continue;
    CALLISTO_CHECK(deliver(subscription, happening, event));
  }
  return {};
}

// What cannot be rendered is kept as a failed delivery, which an administrator sees: somebody's change must not fail
// because a webhook is wrong.
Result<void> Outbox::deliver(const Subscription& subscription, const Happening& happening, const events::Event& event) {
  const auto wanted = desk_->satisfies(happening.subject, subscription.filter);
  if (wanted && !*wanted) return {};
  const auto payload =
      wanted ? render_payload(*desk_, subscription, happening, parts_.include_attachments) : wanted.error();
  NewDelivery delivery;
  delivery.webhook = subscription.webhook;
  delivery.message_id = message_id(event.time, parts_.random);
  delivery.event = happening.event;
  delivery.core_entity_type = subscription.core_type;
  delivery.entity_type = happening.subject.entity->name;
  delivery.entity_ref = happening.subject.key;
  delivery.hops = event.hops + 1;
  constexpr int unavailable = 503;  // the database, and this transaction with it
  if (!payload && payload.error().status == unavailable) return payload.error();
  if (!payload) {
    log::error("The payload of webhook " + std::to_string(subscription.webhook) +
               " could not be made: " + payload.error().message + " " + payload.error().log_detail);
    return enqueue_failed(delivery, "The payload could not be made: " + payload.error().message, event.time);
  }
  CALLISTO_TRY(delivery.body, keep_body(connection_, payload->body, event.time));
  // Anybody may say how far along a round a change is, so that one that is not told must not be lost from sight.
  if (event.hops >= most_hops)
    return enqueue_failed(delivery, std::to_string(event.hops) + " deliveries led to each other: the round ends here.",
                          event.time);
  CALLISTO_TRY(const std::int64_t ref, enqueue(connection_, delivery, event.time, parts_.random));
  woken_.push_back(subscription.webhook);
  return keep_log(*payload, subscription.webhook, ref, event.time);
}

Result<void> Outbox::enqueue_failed(const NewDelivery& delivery, std::string_view why, DateTime now) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"Status\" = 'F', \"NextAttempt\" = NULL, \"Error\" = ?2 WHERE \"Ref\" = ?1");
  why = why.substr(0, 250);  // characters are not cut in two
  CALLISTO_TRY(const std::int64_t ref, enqueue(connection_, delivery, now, parts_.random));
  CALLISTO_CHECK(connection_.execute(sql, {Value(ref), Value(std::string(why.substr(0, text::valid_prefix(why))))}));
  return set_status(connection_, delivery.webhook, 'F');
}

// Specification 6.6: which files went and which not.
Result<void> Outbox::keep_log(const Payload& payload, std::int64_t webhook, std::int64_t delivery, DateTime now) {
  static const storage::NewRows rows("webhook_log", {"Webhook", "Date", "Delivery", "Included", "Excluded"});
  if (payload.files.empty()) return {};
  CALLISTO_CHECK(rows.insert(connection_,
                             {Value(webhook), Value(now), Value(delivery), Value(listed(payload.files, true)),
                              Value(listed(payload.files, false))},
                             {now, parts_.random}));
  return {};
}

Result<void> Outbox::on_webhook(const events::Event& event) {
  if (event.name == "Previewed") return show_preview(event);
  if (event.name == "RedeliverFailed") return redeliver_failed(event);
  woken_.push_back(event.key);
  changed_ = true;
  known_.reset();
  CALLISTO_CHECK(parts_.subscriptions.note_change(connection_));
  if (event.action->kind == Action::Kind::Delete) return {};
  return validate(event, *desk_, parts_.policy, parts_.sealer);
}

Result<void> Outbox::show_preview(const events::Event& event) {
  const auto value = [&](std::string_view name) {
    const auto given = event.parameters->find(name);
    return given == event.parameters->end() ? Value(Null{}) : given->second;
  };
  const Value entity = value("Entity"), key = value("Ref"), name = value("Event");
  const PreviewRequest request{
      event.key,  std::get<std::string>(entity), std::get<std::int64_t>(key), std::get<std::string>(name), event.person,
      event.time, parts_.include_attachments};
  CALLISTO_TRY(*event.reply, preview(request, parts_.maker, connection_, *desk_));
  return {};
}

Result<void> Outbox::redeliver_failed(const events::Event& event) {
  const DateTime from = parameter_time(event, "From").value_or(DateTime{0});
  const DateTime to = parameter_time(event, "To").value_or(event.time);
  CALLISTO_TRY(const std::int64_t count,
               webhooks::redeliver_failed(connection_, event.key, from, to, event.time, parts_.random));
  woken_.push_back(event.key);
  json::Writer writer(*event.reply);
  writer.begin_object().key("Redelivered").integer(count).end_object();
  return {};
}

// A script made a delivery: a Ping, whose body is made here, or one that is sent again.
Result<void> Outbox::on_delivery(const events::Event& event) {
  static const Sql ping(
      "UPDATE \"webhook_delivery\" SET \"MessageId\" = ?2, \"BodyRef\" = ?3, \"NextAttempt\" = ?4 WHERE \"Ref\" = ?1");
  static const Sql body("SELECT 1 FROM webhook_body WHERE id = ?1");
  if (event.action->kind != Action::Kind::Create) return {};
  const std::int64_t webhook = number_of(event, "Webhook");
  woken_.push_back(webhook);
  if (text_of(event, "MessageId").empty()) {
    CALLISTO_TRY(const std::int64_t kept, keep_body(connection_, ping_body(webhook), event.time));
    CALLISTO_CHECK(connection_.execute(
        ping, {Value(event.key), Value(message_id(event.time, parts_.random)), Value(kept), Value(event.time)}));
    return {};
  }
  CALLISTO_TRY(const auto row, connection_.query(body, {Value(number_of(event, "BodyRef"))}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return invalid_state("The body of this delivery is no longer kept; it cannot be sent again.");
  return {};
}

}  // namespace callisto::webhooks
