// Urls of bytes and of files below a record in an OpenAPI document (API rule 4.6). One thread, while it is written.
#pragma once

#include "engine/api/openapi/operations.h"
#include "engine/api/requests/router.h"

#include <string>

namespace callisto::api {

// The bytes of a Binary property at `path`. `what`: "Image", "Attachment".
void write_bytes_path(const OpenApiWriter& writer, const catalog::Entity& entity, const std::string& path,
                      const ParameterNames& keys, const Route& route, const std::string& what);

enum class FileChange { Add, Replace, Remove };
// One operation of a list of files below `owner`.
void write_file_change(const OpenApiWriter& writer, const catalog::Entity& owner, const catalog::SubResource& list,
                       const Operation& operation, FileChange change);

}  // namespace callisto::api
