// Body: what a delivery sends, stored so that a large piece is kept once however many bodies contain it. A file's bytes
// stay where the desk keeps them, and are inserted in base64 when a body is sent; before the desk changes them they are
// copied. Long texts are kept once by their SHA-256. Functions that store run inside a WriteFunction. Errors are the
// database's.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/catalog/catalog.h"
#include "engine/storage/database.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::webhooks {

// Where a file's bytes are stored; identifiers of the desk's entities.
struct FileSource {
  std::string table, key_column, content_column;
};
FileSource source_of(const catalog::Property& content);

struct Body {
  struct File {
    std::size_t place = 0;  // in `text`, before which its base64 stands; in ascending order
    FileSource source;
    std::int64_t key = 0;
    std::int64_t bytes = 0;
  };
  std::string text;
  std::vector<File> files;

  void append(const Body& other);
  // At the end.
  void append_file(const FileSource& source, std::int64_t key, std::int64_t bytes);
};

std::size_t base64_size(std::int64_t bytes);

// Its number. Neither reads nor copies a file.
Result<std::int64_t> keep_body(storage::Connection& connection, const Body& body, DateTime now);
// The bytes that are sent, the same each time; nothing where the body, or a piece of it, is gone. Only reads.
Result<std::optional<std::string>> read_body(storage::Connection& connection, std::int64_t body);
Result<std::optional<std::string>> compose(storage::Connection& connection, const Body& body);

// Before a file's bytes are changed or removed: bodies that hold them keep them.
Result<void> keep_replaced(storage::Connection& connection, const FileSource& source, std::int64_t key, DateTime now);
// One that no delivery refers to, with what no other body holds.
Result<void> remove_body(storage::Connection& connection, std::int64_t body);

}  // namespace callisto::webhooks
