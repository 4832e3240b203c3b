#include "engine/api/requests/json_body.h"

#include "engine/base/text.h"
#include "engine/http/media_type.h"

namespace callisto::api {

namespace {

// API rule 4.2: application/json in UTF-8; nothing at all where the body is empty.
bool is_json(std::string_view content_type) {
  if (!http::has_media_type(content_type, http::json_media_type)) return false;
  const std::string lower = text::ascii_lower(content_type);
  const std::size_t charset = lower.find("charset=");
  if (charset == lower.npos) return true;
  const std::string_view name = text::trim(std::string_view(lower).substr(charset + 8));
  return name.starts_with("utf-8") || name.starts_with("\"utf-8\"");
}

// What a text is that begins with a mark of another form than UTF-8, or with half of a character's ASCII.
std::string_view other_unicode(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32";
  if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) return "UTF-16";
  const std::string_view first = bytes.substr(0, 2);
  return first == "{\0"sv || first == "\0{"sv ? "UTF-16"sv : ""sv;
}

Result<void> check_type(const http::Request& request) {
  CALLISTO_CHECK(check_coding(request));
  if (is_json(request.header("Content-Type"))) return {};
  return unsupported_media_type("Send the body as application/json in UTF-8.");
}

}  // namespace

// RFC 9110 15.5.16: "the server SHOULD [...] send an Accept-Encoding header field".
Result<void> check_coding(const http::Request& request) {
  const std::string_view coding = request.header("Content-Encoding");
  if (coding.empty() || text::equals_ignoring_ascii_case(coding, "identity")) return {};
  Error error = unsupported_media_type("The body has Content-Encoding " + text::quoted(coding) + "; send it as it is.");
  error.headers.emplace_back("Accept-Encoding", "identity");
  return error;
}

Result<void> check_json_type(const http::Request& request) {
  const bool has_body = request.header_count("Transfer-Encoding") > 0 ||
                        request.header("Content-Length").find_first_not_of('0') != std::string_view::npos;
  return has_body ? check_type(request) : Result<void>();
}

// RFC 8259 8.1: "implementations that parse JSON texts MAY ignore the presence of a byte order mark".
Result<json::Node> parse_json(const http::Request& request, const std::string& bytes, const json::Limits& limits) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (bytes.empty()) return json::Node();
  CALLISTO_CHECK(check_type(request));
  if (const std::string_view form = other_unicode(bytes); !form.empty())
    return bad_format("The body is " + std::string(form) + "; send it as UTF-8.");
  return json::parse(bytes.starts_with(mark) ? bytes.substr(mark.size()) : bytes, limits);
}

}  // namespace callisto::api
