#include "engine/app/serving/webhook_actions.h"

#include "engine/app/serving/webhook_words.h"
#include "engine/app/version.h"
#include "webhooks/details.h"
#include "webhooks/preview.h"
#include "webhooks/redelivery.h"
#include "webhooks/signer.h"

#include <utility>

namespace callisto::app {

namespace {

Value parameter(const records::Asked& asked, std::string_view name) {
  const auto found = asked.input.parameters.find(name);
  return found == asked.input.parameters.end() ? Value(Null{}) : found->second;
}

DateTime time_or(const records::Asked& asked, std::string_view name, DateTime otherwise) {
  const Value value = parameter(asked, name);
  const auto* time = std::get_if<DateTime>(&value);
  return time ? *time : otherwise;
}

audit::Event noted(audit::Kind kind, const records::Context& context, std::int64_t key, std::string reason) {
  audit::Event event;
  event.kind = kind;
  event.person = context.session.person;
  event.client = context.session.client_id;
  event.session = context.session.id;
  event.entity = "webhook";
  event.key = key;
  event.reason = std::move(reason);
  return event;
}

Result<std::string> show_preview(const Runtime& runtime, const records::Context& context, const records::Asked& asked) {
  const Value entity = parameter(asked, "Entity"), key = parameter(asked, "Ref"), event = parameter(asked, "Event");
  const webhooks::PreviewRequest request{asked.record.key(),
                                         std::get<std::string>(entity),
                                         std::get<std::int64_t>(key),
                                         std::get<std::string>(event),
                                         context.session.person,
                                         runtime.clock.now(),
                                         runtime.settings.webhook_attachments};
  CALLISTO_TRY(const auto moment, storage::ReadTransaction::begin(context.connection));
  api::RecordText text(context.model, context.scripts, runtime.settings.api_versions.front());
  const auto eyes = make_webhook_records({context.model, context.scripts, text, context.connection, &context.session});
  auto shown = webhooks::preview(request, {version(), webhooks::sign, runtime.sealer}, context.connection, *eyes);
  runtime.audit_log.note(noted(audit::Kind::WebhookPreviewed, context, request.webhook,
                               request.event + " of " + request.entity + " " + std::to_string(request.key) +
                                   (shown ? "" : ": " + shown.error().message)));
  return shown;
}

Result<std::string> redeliver_failed(const Runtime& runtime, const records::Context& context,
                                     const records::Asked& asked) {
  const std::int64_t webhook = asked.record.key();
  const DateTime now = runtime.clock.now();
  const webhooks::Period period{time_or(asked, "From", {0}), time_or(asked, "To", now),
                                runtime.settings.webhook_attachments};
  std::int64_t count = 0;
  CALLISTO_CHECK(runtime.database.write([&](storage::Connection& connection) -> Result<void> {
    api::RecordText text(context.model, context.scripts, runtime.settings.api_versions.front());
    const auto eyes = make_webhook_records({context.model, context.scripts, text, connection, nullptr});
    CALLISTO_TRY(count, webhooks::redeliver_failed(connection, *eyes, webhook, period, now, runtime.random));
    return {};
  }));
  runtime.webhooks.outbox().wake({webhook}, false);
  runtime.audit_log.note(
      noted(audit::Kind::WebhookRedelivered, context, webhook, std::to_string(count) + " deliveries that had failed"));
  std::string answer;
  json::Writer writer(answer);
  writer.begin_object().key("Redelivered").integer(count).end_object();
  return answer;
}

// Whether the session may read now what the delivery tells of; administrators may.
Result<bool> may_see_content(const Runtime& runtime, const records::Context& context, std::int64_t delivery) {
  static const Sql sql("SELECT \"EntityType\", \"EntityRef\" FROM \"webhook_delivery\" WHERE \"Ref\" = ?1");
  if (context.session.may("Administration")) return true;
  CALLISTO_TRY(const auto row, context.connection.query(sql, {Value(delivery)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found || row->is_null(0) || row->text(0).empty()) return found;
  const catalog::Entity* entity = context.model.catalog().find(row->text(0));
  if (!entity) return false;
  api::RecordText text(context.model, context.scripts, runtime.settings.api_versions.front());
  return text.satisfies(context, context, *entity, row->integer(1), {});
}

Result<void> write_delivery(const Runtime& runtime, const records::Context& context, std::int64_t key,
                            json::Writer& writer) {
  CALLISTO_TRY(const bool shows_content, may_see_content(runtime, context, key));
  return webhooks::write_details(context.connection, key, shows_content, writer);
}

// What keeps it from telling, as people are told: "Problems", a list.
Result<void> write_webhook(const records::Context& context, std::int64_t key, json::Writer& writer) {
  CALLISTO_TRY(const auto problems, problems_of(context.connection, context.model, context.scripts, key, true));
  writer.key("Problems").begin_array();
  for (const std::string& problem : problems) writer.string(problem);
  writer.end_array();
  return {};
}

}  // namespace

void add_webhook_answers(api::Options& options, const Runtime& runtime) {
  options.native_actions["webhook/preview"] = [&runtime](const records::Context& context, const records::Asked& asked) {
    return show_preview(runtime, context, asked);
  };
  options.native_actions["webhook/redeliver-failed"] = [&runtime](const auto& context, const auto& asked) {
    return redeliver_failed(runtime, context, asked);
  };
  options.details["webhook"] = write_webhook;
  options.details["webhook-delivery"] = [&runtime](const auto& context, std::int64_t key, json::Writer& writer) {
    return write_delivery(runtime, context, key, writer);
  };
  options.proves_delivery = [proof = webhooks::DeliveryProof(runtime.sealer)](std::string_view given) {
    return proof.holds(given);
  };
}

}  // namespace callisto::app
