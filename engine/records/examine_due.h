// Whether an action with `due` can end what makes it due, as far as its rules and the text of its code show. The code
// is not run but searched for what it writes; if it may write by other means, nothing is reported. Pure; any thread.
#pragma once

#include "engine/catalog/problems.h"
#include "engine/records/model.h"

namespace callisto::records {

// A problem for each action in which nothing could ever keep it from being done again. Hooks count for nothing: they
// serve all actions, and mostly write what follows from others' changes.
void examine_due(const Model& model, catalog::Problems& problems);

}  // namespace callisto::records
