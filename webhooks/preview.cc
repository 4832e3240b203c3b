#include "webhooks/preview.h"

#include "engine/base/text.h"
#include "engine/json/write.h"
#include "webhooks/payload.h"
#include "webhooks/queue_steps.h"
#include "webhooks/subscriptions.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace callisto::webhooks {

namespace {

constexpr std::string_view sample_id = "msg_00000000000000000000000000";

// For a shell: nothing in it is special but the quote itself.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t quote = std::min(text.find('\'', at), text.size());
    out += text.substr(at, quote - at);
    if (quote < text.size()) out += "'\\''";
    at = quote + 1;
  }
  return out + "'";
}

std::string curl_line(const Request& request) {
  std::string line = "curl -X POST " + quoted(request.url);
  for (const auto& [name, value] : request.headers) line += " -H " + quoted(name + ": " + value);
  return line + " --data-binary " + quoted(*request.body);
}

Result<Subject> subject_of(const PreviewRequest& request, std::optional<std::int64_t> owner, RecordSource& source) {
  const catalog::Entity* entity = source.catalog().find(request.entity);
  if (!entity || entity->core_type.empty())
    return validation_failed("Entity: webhooks are not told of " + text::quoted(request.entity) + ".",
                             {{"Entity", "is no entity that webhooks are told of"}});
  const Subject subject{entity, request.key, request.person, owner};
  CALLISTO_TRY(const bool visible, source.satisfies(subject, {}));
  if (!visible)
    return validation_failed(
        "Ref: there is no such " + entity->name + ", or the webhook's owner or this session may not see it.",
        {{"Ref", "names no " + entity->name + " that both may see"}});
  return subject;
}

// Nothing: it would be told.
Result<std::string> reason(const PreviewRequest& request, const Subscription& subscription, const Subject& subject,
                           RecordSource& source) {
  std::string why = skip_reason(subscription, source.catalog(), {request.event, subject.entity, {}});
  if (!why.empty()) return why;
  CALLISTO_TRY(const bool satisfied, source.satisfies(subject, subscription.filter));
  return std::string(satisfied ? "" : "the record does not satisfy PayloadFilter");
}

void write_choices(json::Writer& writer, const std::vector<Choice>& files) {
  writer.key("Attachments").begin_array();
  for (const Choice& choice : files) {
    writer.begin_object();
    writer.key("Ref").integer(choice.file.ref);
    writer.key("Name").string(choice.file.name);
    writer.key("FileSize").integer(choice.file.size);
    writer.key("Included").boolean(choice.reason.empty());
    if (!choice.reason.empty()) writer.key("Reason").string(choice.reason);
    writer.end_object();
  }
  writer.end_array();
}

std::string told(const Request& request, const Payload& payload, const std::string& why) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  writer.key("Matches").boolean(why.empty());
  if (!why.empty()) writer.key("Reason").string(why);
  writer.key("Url").string(request.url);
  writer.key("Headers").begin_object();
  for (const auto& [name, value] : request.headers) writer.key(name).string(value);
  writer.end_object();
  writer.key("Body").string(*request.body);
  write_choices(writer, payload.files);
  writer.key("Curl").string(curl_line(request));
  writer.end_object();
  return out;
}

}  // namespace

Result<std::string> preview(const PreviewRequest& request, const RequestMaker& maker, storage::Connection& connection,
                            RecordSource& source) {
  CALLISTO_TRY(const auto subscription, find_subscription(connection, request.webhook));
  if (!subscription) return record_not_found("There is no webhook " + std::to_string(request.webhook) + ".");
  CALLISTO_TRY(const std::string silent, source.why_silent(subscription->owner));
  if (!silent.empty()) return invalid_state("Nothing is told: " + silent + ".");
  CALLISTO_TRY(const Subject subject, subject_of(request, subscription->owner, source));
  CALLISTO_TRY(const std::string why, reason(request, *subscription, subject, source));
  const Happening happening{request.event, subject, {}, {}, false};
  CALLISTO_TRY(const Payload payload, render_payload(source, *subscription, happening, request.include_attachments));
  CALLISTO_TRY(auto body, compose(connection, payload.body));
  if (!body) return internal("a file of the record is not stored as its row says");
  CALLISTO_TRY(const Webhook webhook, find_webhook(connection, request.webhook));
  Delivery delivery;
  delivery.webhook = request.webhook;
  delivery.message_id = sample_id;
  delivery.event = request.event;
  delivery.core_entity_type = subscription->core_type;
  delivery.hops = 1;
  CALLISTO_TRY(const Request made,
               maker.make(webhook, delivery, std::make_shared<const std::string>(*std::move(body)), request.now));
  return told(made, payload, why);
}

}  // namespace callisto::webhooks
