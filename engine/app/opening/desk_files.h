// Rows of a desk from a folder: NN-entity.jsonl files in the order of their numbers, then roles.jsonl, clients.jsonl
// and accounts.jsonl, if they exist. Inside a WriteFunction, on its thread.
#pragma once

#include "engine/base/result.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"
#include "engine/storage/new_rows.h"

#include <string>

namespace callisto::app {

// Entities and properties that the desk does not have.
enum class Unknown { Refused, Skipped };

Result<void> load_desk_files(storage::Connection& connection, const records::Model& model, const std::string& folder,
                             const storage::Stamp& stamp, Unknown unknown);

}  // namespace callisto::app
