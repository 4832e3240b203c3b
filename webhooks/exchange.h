// One attempt from both ends: the request that is sent, and what is kept of it and of the answer. Secrets are unsealed
// only here, and no error contains one. Pure except for the signer; any thread.
#pragma once

#include "engine/base/sealer.h"
#include "webhooks/queue.h"
#include "webhooks/schedule.h"
#include "webhooks/signature.h"
#include "webhooks/transport.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::webhooks {

struct SigningInput {
  std::string_view id;
  std::int64_t timestamp = 0;  // of this attempt, seconds since 1970
  std::string_view body;
  std::string_view secret;
  std::optional<std::string_view> previous_secret;  // still valid
};
// webhook-signature and X-Hub-Signature-256. An error's message is for people; no secret stands in it.
using Signer = std::function<Result<Headers>(const SigningInput&)>;

struct RequestMaker {
  std::string version;  // of the product
  Signer sign;
  const Sealer& sealer;
  DeliveryProof proof = DeliveryProof(sealer);

  Result<Request> make(const Webhook& webhook, const Delivery& delivery, std::shared_ptr<const std::string> body,
                       DateTime now) const;
};

bool succeeded(const Response& response);
// Of the delivery, after a failed attempt that is not the last one; nothing: it has failed for good.
std::optional<DateTime> retry_of(const Response& response, const Schedule& schedule, Failure failure, Random& random);

const char* name(Outcome outcome);                    // connect_refused
std::string outcome_class(const Response& response);  // http_500, connect_refused ...
std::string header_lines(const Headers& headers);     // "Name: value" lines
// For a text column: at most `bytes`, what is no UTF-8, and zeros, replaced.
std::string storable(std::string_view text, std::size_t bytes);
// The parts of an Attempt that the answer gives.
void fill(Attempt& attempt, const Response& response);

}  // namespace callisto::webhooks
