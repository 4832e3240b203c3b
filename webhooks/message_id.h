// The webhook-id of a delivery: "msg_" and a ULID, which sorts by time. Pure but for the random bytes.
#pragma once

#include "engine/base/random.h"
#include "engine/base/value.h"

#include <string>

namespace callisto::webhooks {

std::string message_id(DateTime now, Random& random);

}  // namespace callisto::webhooks
