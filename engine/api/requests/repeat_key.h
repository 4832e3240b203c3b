// Idempotency-Key: the header of a request that may come twice but must be done only once. Any thread.
#pragma once

#include "engine/api/api.h"
#include "engine/records/repeat.h"

#include <optional>
#include <string_view>

namespace callisto::api {

bool asks_for_once(const Call& call);  // has the header
// Nothing without the header. `sent`: what another request would have to send to be the same one.
Result<std::optional<records::RepeatKey>> repeat_key(const Call& call, std::string_view sent);
void tell_repeated(const Call& call);

}  // namespace callisto::api
