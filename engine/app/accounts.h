// The first administrator of a desk. Any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <string>

namespace callisto::app {

// Refused (400) where the desk has an administrator already, or the login name is taken.
Result<void> add_first_administrator(storage::Database& database, const records::Model& model, const std::string& login,
                                     const std::string& password_hash, DateTime now, Random& random);

}  // namespace callisto::app
