// Bytes that a client sends: multipart/form-data, taken as it streams in (decisions.md 4.6). Any thread.
#pragma once

#include "engine/http/message.h"
#include "engine/records/files.h"

#include <optional>
#include <string>
#include <vector>

namespace callisto::api {

bool is_multipart(const http::Request& request);
struct UploadLimits {
  std::size_t body_bytes, file_bytes;
};
// The files of a form; fields without a file name are passed over. 400 where there is none or one is too large.
Result<std::vector<records::NewFile>> read_files(http::Request& request, const UploadLimits& limits);

}  // namespace callisto::api
