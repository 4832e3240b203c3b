// What a change's url asks of its answer, judged before anything is written (API rules 1.4, 4.4): 400 for an option
// that the answer could not be given by.
#pragma once

#include "engine/api/api.h"

namespace callisto::api {

Result<void> check_answer_options(const Call& call);

}  // namespace callisto::api
