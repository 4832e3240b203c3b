// The webhook-id of a delivery: "msg_" and a ULID, which contains the time and sorts by it. Pure except for the random
// bytes.
#pragma once

#include "engine/base/random.h"
#include "engine/base/value.h"

#include <string>
#include <string_view>

namespace callisto::webhooks {

std::string message_id(DateTime now, Random& random);
// When it was made, which is when the event happened, whatever attempt or redelivery this is. 0 where it is none of
// ours.
DateTime time_of_message(std::string_view id);

}  // namespace callisto::webhooks
