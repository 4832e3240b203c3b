// The files of a record, whatever a session may see: for listeners to changes. The connection's thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/property_values.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace callisto::records {

struct ListedFile {
  std::int64_t key = 0;
  std::string name, content_type;
  std::int64_t size = 0;  // bytes, as its property says
  DateTime changed;
  std::int64_t stored = 0;  // bytes that there are
  const catalog::Property* content = nullptr;
};

// Of a record of that final type; empty where files cannot hang on it.
Result<std::vector<ListedFile>> list_files(storage::Connection& connection, const catalog::Entity& entity,
                                           std::int64_t key);

// The record that a file hangs on, by the file's own properties; nothing where `file` is no file.
struct FileOwner {
  const catalog::Entity* entity = nullptr;
  std::int64_t key = 0;
};
std::optional<FileOwner> owner_of_file(const catalog::Catalog& catalog, const catalog::Entity& file,
                                       const catalog::PropertyValues& values);

}  // namespace callisto::records
