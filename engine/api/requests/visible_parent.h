// Sub-resources are visible exactly where their parent is (API rule 2.14).
#pragma once

#include "engine/api/api.h"
#include "engine/records/record.h"

namespace callisto::api {

// 404 RecordNotFound unless the session may see the record of `call.route` above the sub-resource.
Result<void> check_parent(const Call& call, records::Slot& slot);

// The record of `call.route` below its parent; 404 LinkedRecordNotFound where it is not under that one.
Result<records::Record> find_below(const Call& call, records::Slot& slot);

}  // namespace callisto::api
