// The sample data of samples/desk (desk_files.h).
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <string>

namespace callisto::app {

// Loads into an empty database, all in one transaction; does nothing, and says so, where there is data already.
Result<void> load_samples(storage::Database& database, const records::Model& model, const std::string& folder,
                          const Clock& clock, Random& random);

}  // namespace callisto::app
