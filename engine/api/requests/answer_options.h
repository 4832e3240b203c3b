// The options that a change's url asks of the answer, checked before anything is written (API rules 1.4, 4.4): 400 for
// an option that the answer cannot satisfy.
#pragma once

#include "engine/api/api.h"

namespace callisto::api {

Result<void> check_answer_options(const Call& call);

}  // namespace callisto::api
