#include "webhooks/outbox.h"

#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/storage/new_rows.h"
#include "webhooks/message_id.h"
#include "webhooks/queue_steps.h"
#include "webhooks/redelivery.h"
#include "webhooks/snapshot.h"
#include "webhooks/validation.h"

#include <optional>
#include <tuple>
#include <utility>

namespace callisto::webhooks {

namespace {

using catalog::Action;

constexpr int most_hops = 5;  // deliveries that lead to each other; then a circle is assumed
constexpr std::size_t most_log_characters = 8000;

// Of an event about a file, the record that it hangs on is told of.
Happening happening_of(const events::Event& event, RecordSource& source) {
  Happening happening{event.name, {event.entity, event.key, event.person, {}}, event.history_order, {}, false};
  if (!event.entity->core_type.empty()) return happening;
  if (const auto file = source.file_event(event)) {
    happening.subject.entity = file->entity;
    happening.subject.key = file->key;
    happening.file = file->file;
    happening.file_is_gone = event.action->removes();
  }
  return happening;
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

// By the same eyes, the same text: but for what is added of each webhook's own when it is sent.
bool same_payload(const Subscription& one, const Subscription& other) {
  const auto all = [](const Subscription& each) {
    return std::tie(each.owner, each.core_type, each.select, each.name_filter, each.size_limit_kib, each.count_limit);
  };
  return all(one) == all(other);
}

}  // namespace

Result<void> Outbox::replacing(const events::Replaced& bytes) {
  return keep_replaced(connection_, source_of(*bytes.property), bytes.key, bytes.time);
}

Result<void> Outbox::emit(const events::Event& event) {
  if (event.entity->name == "webhook") return on_webhook(event);
  if (event.entity->name == "webhook-delivery") return on_delivery(event);
  return tell(event);
}

void Outbox::committed() {
  if (known_) parts_.subscriptions.keep(*known_);
  if (changed_)
    if (const auto done = parts_.subscriptions.reload(); !done)
      log::error("The webhooks could not be reloaded; until then each change reads them: " + done.error().log_detail);
  for (const std::string& warning : warnings_) log::warning(warning);
  parts_.untold.rounds += rounds_;
  parts_.untold.unmade += unmade_;
  parts_.untold.unowned += unowned_;
  if (!woken_.empty()) parts_.wake(woken_, changed_);
}

Result<void> Outbox::tell(const events::Event& event) {
  if (!known_) { CALLISTO_TRY(known_, parts_.subscriptions.now(connection_)); }
  const SubscriptionList subscriptions = known_->active;
  if (subscriptions->empty()) return {};
  const auto source = open_source_();
  Happening happening = happening_of(event, *source);
  if (happening.subject.entity->core_type.empty()) return {};
  Telling telling{event, *source};
  const Occurrence occurrence{event.name, happening.subject.entity, event.client_id};
  for (const Subscription& subscription : *subscriptions) {
    if (!skip_reason(subscription, source->catalog(), occurrence).empty()) continue;
    happening.subject.owner = subscription.owner;
    CALLISTO_CHECK(deliver(telling, subscription, happening));
  }
  return {};
}

// Whether it is for the webhook's owner. An error: the filter cannot be asked, and the owner sees the record.
Result<bool> Outbox::is_wanted(RecordSource& source, const Subscription& subscription, const Happening& happening) {
  CALLISTO_TRY(const std::string silent, source.why_silent(subscription.owner));
  if (!silent.empty()) {
    ++unowned_;
    if (parts_.subscriptions.is_news(subscription.webhook, silent))
      warnings_.push_back("Webhook " + std::to_string(subscription.webhook) + " tells nothing: " + silent + ".");
    return false;
  }
  const Subject& subject = happening.subject;
  auto wanted = source.satisfies(subject, subscription.filter);
  if (!wanted && !wanted.error().is_unavailable()) {
    CALLISTO_TRY(const bool visible, source.satisfies(subject, {}));
    if (!visible) return false;
  }
  if (!wanted || !*wanted || !happening.file) return wanted;
  return source.sees_file(subject, happening.file->ref);
}

Result<const Outbox::Rendered*> Outbox::render(Telling& telling, const Subscription& subscription,
                                               const Happening& happening) {
  for (const Rendered& each : telling.rendered)
    if (same_payload(*each.subscription, subscription)) return &each;
  CALLISTO_TRY(Payload payload, render_payload(telling.source, subscription, happening, parts_.include_attachments));
  CALLISTO_TRY(const std::int64_t body, keep_body(connection_, payload.body, telling.event.time));
  return &telling.rendered.emplace_back(Rendered{&subscription, std::move(payload), body});
}

// What cannot be rendered is kept as a failed delivery, which an administrator sees: somebody's change must not fail
// because a webhook is wrong.
Result<void> Outbox::deliver(Telling& telling, const Subscription& subscription, const Happening& happening) {
  const events::Event& event = telling.event;
  const auto wanted = is_wanted(telling.source, subscription, happening);
  if (wanted && !*wanted) return {};
  const auto rendered = wanted ? render(telling, subscription, happening) : wanted.error();
  NewDelivery delivery;
  delivery.webhook = subscription.webhook;
  delivery.message_id = message_id(event.time, parts_.random);
  delivery.event = happening.event;
  delivery.core_entity_type = subscription.core_type;
  delivery.entity_type = happening.subject.entity->name;
  delivery.entity_ref = happening.subject.key;
  delivery.hops = event.cause.hops + 1;
  delivery.trace = event.cause.trace;
  if (!rendered && rendered.error().is_unavailable()) return rendered.error();
  if (!rendered) {
    ++unmade_;
    log::error("The payload of webhook " + std::to_string(subscription.webhook) +
               " could not be made: " + rendered.error().message + " " + rendered.error().log_detail);
    CALLISTO_TRY(const std::int64_t ref,
                 enqueue_failed(delivery, "The payload could not be made: " + rendered.error().message, event.time));
    CALLISTO_CHECK(keep_snapshot(connection_, ref, happening, event.time));
    return set_status(connection_, subscription.webhook, 'F');
  }
  delivery.body = (*rendered)->body;
  // A delivery that proves itself led to this one, and others to that. It is not lost from sight: redeliver sends it.
  if (event.cause.hops >= most_hops) {
    ++rounds_;
    const std::string why = std::to_string(event.cause.hops) + " deliveries led to each other: the round ends here.";
    warnings_.push_back("Webhook " + std::to_string(subscription.webhook) + " is not told of " + happening.event +
                        " of " + delivery.entity_type + " " + std::to_string(happening.subject.key) + ": " + why);
    CALLISTO_CHECK(enqueue_failed(delivery, why, event.time));
    return {};
  }
  CALLISTO_TRY(const std::int64_t ref, enqueue(connection_, delivery, event.time, parts_.random));
  woken_.push_back(subscription.webhook);
  return keep_log((*rendered)->payload, subscription.webhook, ref, event.time);
}

Result<std::int64_t> Outbox::enqueue_failed(const NewDelivery& delivery, std::string_view why, DateTime now) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"Status\" = 'F', \"NextAttempt\" = NULL, \"Error\" = ?2 WHERE \"Ref\" = ?1");
  why = why.substr(0, 250);  // characters are not cut in two
  CALLISTO_TRY(const std::int64_t ref, enqueue(connection_, delivery, now, parts_.random));
  CALLISTO_CHECK(connection_.execute(sql, {Value(ref), Value(std::string(why.substr(0, text::valid_prefix(why))))}));
  return ref;
}

// API rule 2.14: which files went and which not.
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
  woken_.push_back(event.key);
  changed_ = true;
  known_.reset();
  CALLISTO_CHECK(parts_.subscriptions.note_change(connection_));
  if (event.action->removes()) return {};
  const auto source = open_source_();
  return validate(event, *source, parts_.policy, parts_.sealer);
}

// A script made a delivery: a Ping, whose body is made here, or one that is sent again. Or it changed when one is due.
Result<void> Outbox::on_delivery(const events::Event& event) {
  const std::int64_t webhook = number_of(event, "Webhook");
  woken_.push_back(webhook);
  if (!event.action->creates()) return {};
  CALLISTO_TRY(const auto subscription, find_subscription(connection_, webhook));
  if (!subscription) return invalid_state("The webhook of this delivery is deleted.");
  const auto source = open_source_();
  CALLISTO_TRY(const std::string silent, source->why_silent(subscription->owner));
  if (!silent.empty()) return invalid_state("Nothing is sent: " + silent + ".");
  if (text_of(event, "MessageId").empty()) return begin_ping(event, webhook);
  return check_redelivery(*source, event, subscription->owner);
}

Result<void> Outbox::begin_ping(const events::Event& event, std::int64_t webhook) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"MessageId\" = ?2, \"BodyRef\" = ?3, \"NextAttempt\" = ?4 WHERE \"Ref\" = ?1");
  CALLISTO_TRY(const std::int64_t kept, keep_body(connection_, ping_body(webhook), event.time));
  CALLISTO_CHECK(connection_.execute(
      sql, {Value(event.key), Value(message_id(event.time, parts_.random)), Value(kept), Value(event.time)}));
  return {};
}

Result<void> Outbox::check_redelivery(RecordSource& source, const events::Event& event,
                                      std::optional<std::int64_t> owner) {
  static const Sql body("SELECT 1 FROM webhook_body WHERE id = ?1");
  CALLISTO_TRY(const bool may_be_told,
               may_still_be_told(source, text_of(event, "EntityType"), number_of(event, "EntityRef"), owner));
  if (!may_be_told) return invalid_state("The webhook's owner may no longer read the record of this delivery.");
  CALLISTO_TRY(const auto row, connection_.query(body, {Value(number_of(event, "BodyRef"))}));
  CALLISTO_TRY(const bool found, row->step());
  if (found) return {};
  CALLISTO_TRY(const auto made, make_late(connection_, source, number_of(event, "RedeliveryOf"),
                                          parts_.include_attachments, event.time));
  if (!made) return invalid_state("The body of this delivery is no longer kept; it cannot be sent again.");
  return {};
}

}  // namespace callisto::webhooks
