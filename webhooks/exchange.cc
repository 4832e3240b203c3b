#include "webhooks/exchange.h"

#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "webhooks/message_id.h"

#include <algorithm>

namespace callisto::webhooks {

namespace {

constexpr std::size_t kept_error = 255;
constexpr std::size_t kept_headers = 8 * 1024;
constexpr std::size_t kept_body = 16 * 1024;
constexpr std::size_t kept_address = 100;
constexpr int gone = 410;

std::string event_name(const Delivery& delivery) {
  if (delivery.core_entity_type.empty() || delivery.event == "Ping") return delivery.event;
  return delivery.core_entity_type + "." + delivery.event;
}

Error unopened() {
  return bad_format("A secret of the webhook cannot be read with this server's key file. Set the Secret again.");
}

std::optional<std::int64_t> retry_after(const Response& response, DateTime now) {
  for (const auto& [name, value] : response.headers)
    if (text::equals_ignoring_ascii_case(name, "Retry-After")) return parse_retry_after(value, now);
  return std::nullopt;
}

// What routers of events look at:
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md 3.1, the binary content
// mode, in which the body stays what it is.
void add_cloud_event(Headers& headers, const Webhook& webhook, const Delivery& delivery) {
  headers.emplace_back("ce-specversion", "1.0");
  headers.emplace_back("ce-id", delivery.message_id);
  headers.emplace_back("ce-source", "/v1/webhook/" + std::to_string(webhook.ref));
  headers.emplace_back("ce-type", event_name(delivery));
  if (const DateTime time = time_of_message(delivery.message_id); time.ms != 0)
    headers.emplace_back("ce-time", to_iso8601(time));
}

}  // namespace

Result<Request> RequestMaker::make(const Webhook& webhook, const Delivery& delivery,
                                   std::shared_ptr<const std::string> body, DateTime now) const {
  const auto secret = sealer.open(webhook.secret);
  if (!secret) return unopened();
  std::optional<std::string> previous;
  if (!webhook.previous_secret.empty() && now < webhook.previous_until) {
    previous = sealer.open(webhook.previous_secret);
    if (!previous) return unopened();
  }
  SigningInput input{delivery.message_id, now.ms / 1000, *body, *secret, {}};
  if (previous) input.previous_secret = *previous;
  CALLISTO_TRY(const Headers signatures, sign(input));
  Request request;
  request.delivery = delivery.ref;
  request.url = webhook.url;
  request.headers = {{"Content-Type", "application/json; charset=utf-8"},
                     {"User-Agent", "Callisto-Webhooks/" + version},
                     {"webhook-id", delivery.message_id},
                     {"webhook-timestamp", std::to_string(input.timestamp)}};
  request.headers.insert(request.headers.end(), signatures.begin(), signatures.end());
  request.headers.emplace_back("Callisto-Event", event_name(delivery));
  request.headers.emplace_back("Callisto-Webhook", std::to_string(webhook.ref));
  request.headers.emplace_back("Callisto-Delivery", std::to_string(delivery.ref));
  request.headers.emplace_back("Callisto-Attempt", std::to_string(delivery.attempts + 1));
  if (delivery.redelivery) request.headers.emplace_back("Callisto-Redelivery", "true");
  request.headers.emplace_back("Callisto-Hop", std::to_string(delivery.hops));
  if (delivery.ref > 0) request.headers.emplace_back("Callisto-Delivery-Proof", proof.of(delivery.ref));
  if (!delivery.trace.parent.empty()) request.headers.emplace_back("traceparent", delivery.trace.parent);
  if (!delivery.trace.state.empty()) request.headers.emplace_back("tracestate", delivery.trace.state);
  add_cloud_event(request.headers, webhook, delivery);
  request.body = std::move(body);
  return request;
}

// A body too large to be read whole takes nothing from a 2xx.
bool succeeded(const Response& response) {
  const bool answered = response.outcome == Outcome::Http || response.outcome == Outcome::TooLarge;
  return answered && response.status >= 200 && response.status <= 299;
}

std::optional<DateTime> retry_of(const Response& response, const Schedule& schedule, Failure failure, Random& random) {
  if (response.outcome == Outcome::BlockedAddress) return std::nullopt;
  if (response.outcome == Outcome::Http && response.status == gone) return std::nullopt;
  failure.retry_after = retry_after(response, failure.now);
  return next_attempt(schedule, failure, random);
}

const char* name(Outcome outcome) {
  switch (outcome) {
    case Outcome::Http:
      return "http";
    case Outcome::ConnectRefused:
      return "connect_refused";
    case Outcome::Dns:
      return "dns";
    case Outcome::Tls:
      return "tls";
    case Outcome::TimeoutConnect:
      return "timeout_connect";
    case Outcome::TimeoutTotal:
      return "timeout_total";
    case Outcome::Reset:
      return "reset";
    case Outcome::BlockedAddress:
      return "blocked_address";
    case Outcome::TooLarge:
      return "too_large";
    case Outcome::Redirect:
      return "redirect";
    case Outcome::Internal:
      return "internal";
  }
  return "internal";
}

std::string outcome_class(const Response& response) {
  return response.outcome == Outcome::Http ? "http_" + std::to_string(response.status) : name(response.outcome);
}

std::string header_lines(const Headers& headers) {
  std::string lines;
  for (const auto& [name, value] : headers) lines.append(name).append(": ").append(value).append("\n");
  return lines;
}

std::string storable(std::string_view text, std::size_t bytes) {
  const bool cut = text.size() > bytes;
  text = text.substr(0, bytes);
  std::string out;
  while (!text.empty()) {
    const std::size_t valid = std::min(text::valid_prefix(text), text.find('\0'));
    out += text.substr(0, valid);
    text.remove_prefix(std::min(valid, text.size()));
    if (text.empty() || (cut && text.size() < 4 && out.size() + text.size() >= bytes)) break;  // a character cut in two
    out += "\xEF\xBF\xBD";
    text.remove_prefix(1);
  }
  return out;
}

void fill(Attempt& attempt, const Response& response) {
  attempt.duration_ms = response.duration.count();
  attempt.response_code = response.status;
  attempt.outcome = outcome_class(response);
  attempt.address = storable(response.address, kept_address);
  attempt.response_headers = storable(header_lines(response.headers), kept_headers);
  attempt.response_body = storable(response.body, kept_body);
  std::string error = response.error;
  if (error.empty() && !succeeded(response)) error = "The receiver answered " + std::to_string(response.status) + ".";
  attempt.error = storable(error, kept_error);
}

}  // namespace callisto::webhooks
