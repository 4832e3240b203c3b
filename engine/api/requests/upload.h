// Bytes that a client sends: multipart/form-data, taken as it streams in (API rule 4.6). Any thread.
#pragma once

#include "engine/http/message.h"
#include "engine/json/read.h"
#include "engine/records/files.h"

#include <optional>
#include <string>
#include <vector>

namespace callisto::api {

bool is_multipart(const http::Request& request);
struct UploadLimits {
  std::size_t body_bytes, file_bytes;
};
struct Upload {
  std::vector<records::NewFile> files;
  json::Node fields;  // an object of the form's other fields, or null where it has none
};
// 400 where there is no file, one is too large, or a field is no UTF-8.
Result<Upload> read_upload(http::Request& request, const UploadLimits& limits);

}  // namespace callisto::api
