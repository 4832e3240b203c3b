// Files below a record, and a record's own bytes (API rule 4.6): written like everything else, in one transaction with
// what the record's scripts do. Whoever may update the record may change its files.
#pragma once

#include "engine/records/write.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace callisto::records {

// The 400 for a file of more than `most` bytes.
Error file_too_large(std::size_t most);

struct NewFile {
  std::string name;
  std::string content_type;
  std::string content;
};

// The properties that make an entity one of files; nothing where it is another.
struct FileProperties {
  const catalog::Property* name = nullptr;
  const catalog::Property* type = nullptr;
  const catalog::Property* size = nullptr;
  const catalog::Property* content = nullptr;
};
std::optional<FileProperties> file_properties(const catalog::Entity& entity);

// Where files hang, and which of them is meant.
struct FilePlace {
  const catalog::Entity* parent = nullptr;
  std::int64_t key = 0;
  const catalog::SubResource* list = nullptr;
  std::int64_t file = 0;  // its key; 0 for the list
};

// What all of these refuse before they look at anything that was sent: the record 404, its right 403.
Result<void> check_may_change(const Context& context, const catalog::Entity& entity, std::int64_t key);

// What this session may do now with a file below that record: its update, its delete, or neither. The same answer as
// change_file and remove_file give.
Result<std::vector<const catalog::Action*>> file_actions(const Context& context, const catalog::Entity& parent,
                                                         std::int64_t key, const Record& file);

struct AddedFiles {
  std::vector<std::int64_t> keys;
  bool is_repeated = false;  // the answer to an earlier request of the same RepeatKey
};
// `request` has what is said of each of them as JSON: all there is where `files` is empty. `repeat`: with one file
// alone.
Result<AddedFiles> add_files(Writer& writer, const FilePlace& place, const WriteRequest& request,
                             std::vector<NewFile> files, const std::optional<RepeatKey>& repeat = {});
// With new bytes, the JSON of the request, or both.
Result<void> change_file(Writer& writer, const FilePlace& place, const WriteRequest& request,
                         std::optional<NewFile> file);
Result<void> remove_file(Writer& writer, const FilePlace& place, const WriteRequest& request);

// A Binary property of a record; nothing clears it.
Result<void> set_bytes(Writer& writer, const catalog::Entity& entity, std::int64_t key,
                       const catalog::Property& property, const WriteRequest& request,
                       std::optional<std::string> bytes);

}  // namespace callisto::records
