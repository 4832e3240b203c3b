// Which of some values a record does not have already: what is given again is no change, and no event. Pure; any
// thread.
#pragma once

#include "engine/records/convert.h"
#include "engine/records/record.h"
#include "engine/script/host.h"

namespace callisto::records {

// An Error names the property whose value does not fit.
inline Result<script::NamedValues> differing(const Record& record, const script::NamedValues& values) {
  script::NamedValues changed;
  for (const auto& [name, value] : values) {
    const catalog::Property* property = record.entity().find_property(name);
    if (!property) return bad_format(record.entity().name + " has no property " + name);
    auto fits = coerced(*property, value);
    if (!fits) return bad_format(name + ": " + fits.error().message);
    if (*fits != record.get(*property)) changed.emplace(name, value);
  }
  return changed;
}

}  // namespace callisto::records
