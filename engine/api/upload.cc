#include "engine/api/upload.h"

#include "engine/base/text.h"
#include "engine/http/multipart.h"

namespace callisto::api {

namespace {

class FileSink final : public http::PartSink {
 public:
  Result<void> begin(const http::Part& part) override {
    taken_ = part.file_name.has_value();
    if (taken_) files.push_back({*part.file_name, part.content_type, {}});
    return {};
  }

  Result<void> append(std::string_view bytes) override {
    if (!taken_) return {};
    std::string& content = files.back().content;
    if (content.size() + bytes.size() > records::most_file_bytes)
      return bad_format("A file may have at most " + std::to_string(records::most_file_bytes / (1024 * 1024)) +
                        " MiB.");
    content += bytes;
    return {};
  }

  std::vector<records::NewFile> files;

 private:
  bool taken_ = false;
};

}  // namespace

bool is_multipart(const http::Request& request) {
  const std::string_view type = request.header("Content-Type");
  return text::equals_ignoring_ascii_case(text::trim(type.substr(0, type.find(';'))), "multipart/form-data");
}

Result<std::vector<records::NewFile>> read_files(http::Request& request) {
  auto boundary = http::multipart_boundary(request.header("Content-Type"));
  if (!boundary) return bad_format("Content-Type: multipart/form-data needs one boundary of 1 to 70 characters.");
  FileSink sink;
  http::MultipartReader reader(*std::move(boundary), sink);
  CALLISTO_CHECK(request.read_body(upload_limit, [&](std::string_view piece) { return reader.feed(piece); }));
  CALLISTO_CHECK(reader.finish());
  if (sink.files.empty()) return bad_format("The form has no file: give a part a filename.");
  return std::move(sink.files);
}

}  // namespace callisto::api
