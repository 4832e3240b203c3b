// A desk of the test's own with a receiver beside it, whose webhooks run their hour in 3.6 seconds. One thread.
#pragma once

#include "desk.h"
#include "tests/support/webhook_receiver.h"

#include <string>
#include <vector>

namespace callisto::tests {

inline constexpr const char* webhook_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

class WebhookDesk {
 public:
  explicit WebhookDesk(const std::vector<std::string>& settings = {});

  // A webhook at the receiver with these further members: R"("CoreEntityType":"Call")". Its Ref.
  std::string add(const std::string& members, const std::string& path = "/hook");
  std::string incident(const std::string& short_description);  // its Ref
  // The newest delivery of the webhook, once its Status is none of P and R.
  Reply concluded(const std::string& webhook);

  test::WebhookReceiver receiver;  // goes after the server
  Desk desk;
};

// Whether the delivery was signed so: Standard Webhooks, by any signature that came.
bool is_signed(const test::Received& request, const std::string& secret);
std::string text_at(const std::string& json, const std::vector<std::string>& path);  // "(none)" where there is none

}  // namespace callisto::tests
