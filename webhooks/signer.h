// The headers that sign a delivery (webhooks/README.md, "Changing the secret"): with the secret, and with the previous
// one while that is still valid. Pure; any thread.
#pragma once

#include "webhooks/exchange.h"

namespace callisto::webhooks {

// Errors: of signing_key.
Result<Headers> sign(const SigningInput& input);

}  // namespace callisto::webhooks
