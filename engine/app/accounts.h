// The first administrator of a desk. Any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <string>

namespace callisto::app {

// With a client where the desk has none, since nobody signs in without one: answers its id, else nothing. Refused (400)
// where the desk has an administrator already, or the login name is taken.
Result<std::string> add_first_administrator(storage::Database& database, const records::Model& model,
                                            const std::string& login, const std::string& password_hash, DateTime now,
                                            Random& random);

}  // namespace callisto::app
