#include "engine/api/upload.h"

#include "engine/http/media_type.h"
#include "engine/http/multipart.h"

namespace callisto::api {

namespace {

class FileSink final : public http::PartSink {
 public:
  explicit FileSink(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  Result<void> begin(const http::Part& part) override {
    taken_ = part.file_name.has_value();
    if (taken_) files.push_back({*part.file_name, part.content_type, {}});
    return {};
  }

  Result<void> append(std::string_view bytes) override {
    if (!taken_) return {};
    std::string& content = files.back().content;
    if (content.size() + bytes.size() > most_bytes_) return records::file_too_large(most_bytes_);
    content += bytes;
    return {};
  }

  std::vector<records::NewFile> files;

 private:
  const std::size_t most_bytes_;
  bool taken_ = false;
};

}  // namespace

bool is_multipart(const http::Request& request) {
  return http::has_media_type(request.header("Content-Type"), http::multipart_media_type);
}

Result<std::vector<records::NewFile>> read_files(http::Request& request, const UploadLimits& limits) {
  auto boundary = http::multipart_boundary(request.header("Content-Type"));
  if (!boundary) return bad_format("Content-Type: multipart/form-data needs one boundary of 1 to 70 characters.");
  FileSink sink(limits.file_bytes);
  http::MultipartReader reader(*std::move(boundary), sink);
  CALLISTO_CHECK(request.read_body(limits.body_bytes, [&](std::string_view piece) { return reader.feed(piece); }));
  CALLISTO_CHECK(reader.finish());
  if (sink.files.empty()) return bad_format("The form has no file: give a part a filename.");
  return std::move(sink.files);
}

}  // namespace callisto::api
