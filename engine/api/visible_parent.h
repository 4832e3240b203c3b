// Sub-resources are visible exactly where their parent is (decisions.md 7).
#pragma once

#include "engine/api/api.h"

namespace callisto::api {

// 404 RecordNotFound unless the session may see the record of `call.route` above the sub-resource.
Result<void> check_parent(const Call& call, records::Slot& slot);

}  // namespace callisto::api
