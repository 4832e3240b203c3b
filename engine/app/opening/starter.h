// What a desk needs before its first record: a row for each of its states, and the lists that its rules know.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <string>

namespace callisto::app {

// The files of samples/starter into a database in which nobody has made a record yet, once in its life. People, clients
// and roles count for nothing: they are made before the first start.
Result<void> bring_starter(storage::Database& database, const records::Model& model, const std::string& folder,
                           const Clock& clock, Random& random);

// records/state_rows.h, at the start and at each reload. What cannot be made is logged.
Result<void> keep_states(storage::Database& database, const records::Model& model, const Clock& clock, Random& random);

}  // namespace callisto::app
