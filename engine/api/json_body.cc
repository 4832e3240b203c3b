#include "engine/api/json_body.h"

#include "engine/base/text.h"
#include "engine/http/media_type.h"

namespace callisto::api {

namespace {

// decisions.md 4.2: application/json in UTF-8; nothing at all where the body is empty.
bool is_json(std::string_view content_type) {
  if (!http::has_media_type(content_type, http::json_media_type)) return false;
  const std::string lower = text::ascii_lower(content_type);
  const std::size_t charset = lower.find("charset=");
  if (charset == lower.npos) return true;
  const std::string_view name = text::trim(std::string_view(lower).substr(charset + 8));
  return name.starts_with("utf-8") || name.starts_with("\"utf-8\"");
}

Result<void> check_type(const http::Request& request) {
  if (is_json(request.header("Content-Type"))) return {};
  return unsupported_media_type("Send the body as application/json in UTF-8.");
}

}  // namespace

Result<void> check_json_type(const http::Request& request) {
  const bool has_body = request.header_count("Transfer-Encoding") > 0 ||
                        request.header("Content-Length").find_first_not_of('0') != std::string_view::npos;
  return has_body ? check_type(request) : Result<void>();
}

Result<json::Node> parse_json(const http::Request& request, const std::string& bytes) {
  if (bytes.empty()) return json::Node();
  CALLISTO_CHECK(check_type(request));
  return json::parse(bytes);
}

}  // namespace callisto::api
