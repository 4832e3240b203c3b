#include "engine/api/requests/upload.h"

#include "engine/api/requests/json_body.h"
#include "engine/base/text.h"
#include "engine/http/media_type.h"
#include "engine/http/multipart.h"

#include <utility>

namespace callisto::api {

namespace {

class FileSink final : public http::PartSink {
 public:
  explicit FileSink(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  Result<void> begin(const http::Part& part) override {
    is_file_ = part.file_name.has_value();
    if (is_file_) files.push_back({*part.file_name, part.content_type, {}});
    else fields.emplace_back(part.name, std::string());
    return {};
  }

  Result<void> append(std::string_view bytes) override {
    std::string& content = is_file_ ? files.back().content : fields.back().second;
    if (content.size() + bytes.size() > most_bytes_) return records::file_too_large(most_bytes_);
    content += bytes;
    return {};
  }

  std::vector<records::NewFile> files;
  std::vector<std::pair<std::string, std::string>> fields;

 private:
  const std::size_t most_bytes_;
  bool is_file_ = false;
};

Result<json::Node> object_of(std::vector<std::pair<std::string, std::string>>&& fields) {
  if (fields.empty()) return json::Node();
  std::vector<json::Member> members;
  for (auto& [name, value] : fields) {
    if (!text::is_utf8(name) || !text::is_utf8(value)) return bad_format("A field of the form is no UTF-8 text.");
    members.push_back({std::move(name), json::Node(json::Node::Kind::String, std::move(value))});
  }
  return json::Node(std::move(members));
}

}  // namespace

bool is_multipart(const http::Request& request) {
  return http::has_media_type(request.header("Content-Type"), http::multipart_media_type);
}

Result<Upload> read_upload(http::Request& request, const UploadLimits& limits) {
  CALLISTO_CHECK(check_coding(request));
  auto boundary = http::multipart_boundary(request.header("Content-Type"));
  if (!boundary) return bad_format("Content-Type: multipart/form-data needs one boundary of 1 to 70 characters.");
  FileSink sink(limits.file_bytes);
  http::MultipartReader reader(*std::move(boundary), sink);
  CALLISTO_CHECK(request.read_body(limits.body_bytes, [&](std::string_view piece) { return reader.feed(piece); }));
  CALLISTO_CHECK(reader.finish());
  // What a browser sends for an input in which no file was chosen.
  std::erase_if(sink.files, [](const records::NewFile& file) { return file.name.empty() && file.content.empty(); });
  if (sink.files.empty()) return bad_format("The form has no file: give a part a filename.");
  CALLISTO_TRY(json::Node fields, object_of(std::move(sink.fields)));
  return Upload{std::move(sink.files), std::move(fields)};
}

}  // namespace callisto::api
