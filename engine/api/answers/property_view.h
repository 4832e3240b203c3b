// PropertyView: which properties a session sees, and which of them it cannot write (API rule 4.12). Refers to the
// objects it was made from. A plain value; any thread.
#pragma once

#include "engine/records/access.h"
#include "engine/records/record_fields.h"

namespace callisto::api {

struct PropertyView {
  const records::AccessRules::Limits* access = nullptr;  // null: whoever may read and write everything
  const records::RecordFields* record = nullptr;         // of one record, where it is about one

  bool is_whole() const { return !access || (access->fields.empty() && access->writable.empty()); }
  bool shows(const catalog::Property& property) const { return !access || !access->fields.hides(property); }
  bool is_fixed(const catalog::Property& property) const {
    if (property.readonly) return true;
    if (record) return record->hides(property) || record->fixes(property);
    return access && access->writable.hides(property);
  }
};

}  // namespace callisto::api
