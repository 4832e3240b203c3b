// What a file's record says of the file: where its bytes are, and which actions it has, whose urls are below the record
// it belongs to (API rule 4.5). The request's thread.
#pragma once

#include "engine/api/api.h"
#include "engine/records/record.h"

#include <string>
#include <string_view>

namespace callisto::api {

bool is_file(const catalog::Entity& entity);

struct FileEntries {
  std::string links, actions;  // members of these objects; empty: none
};
Result<FileEntries> file_entries(const Call& call, const records::Context& context, const records::Record& file);

// api:v1/{EntityType}/{EntityRef}/attachment/{Ref}; empty for an entity that is none of files below records of any
// kind.
std::string file_template(const catalog::Catalog& catalog, const catalog::Entity& entity, std::string_view version);

}  // namespace callisto::api
