#include "webhooks/signer.h"

#include "webhooks/signature.h"

#include <vector>

namespace callisto::webhooks {

Result<Headers> sign(const SigningInput& input) {
  CALLISTO_TRY(std::string key, signing_key(input.secret));
  std::string hub = hub_signature(key, input.body);
  std::vector<std::string> keys{std::move(key)};
  if (input.previous_secret) {
    CALLISTO_TRY(std::string previous, signing_key(*input.previous_secret));
    keys.push_back(std::move(previous));
  }
  return Headers{{"webhook-signature", standard_signature(keys, input.id, input.timestamp, input.body)},
                 {"X-Hub-Signature-256", std::move(hub)}};
}

}  // namespace callisto::webhooks
