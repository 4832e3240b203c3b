#include "engine/api/requests/content.h"

#include "engine/api/requests/etags.h"
#include "engine/base/percent.h"
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace callisto::api {

namespace {

// What a browser may be told without believing the uploader: pictures by their first bytes.
std::string_view type_of_bytes(std::string_view bytes) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known{
      {{"\x89PNG\r\n\x1a\n", "image/png"},
       {"\xFF\xD8\xFF", "image/jpeg"},
       {"GIF8", "image/gif"},
       {"RIFF", "image/webp"}}};
  for (const auto& [beginning, type] : known)
    if (bytes.starts_with(beginning)) return type;
  return "application/octet-stream";
}

// type/subtype with parameters, of harmless characters; anything else could split a header or surprise a browser.
bool is_media_type(std::string_view type) {
  const std::size_t slash = type.find('/');
  const auto fits = [](char c) { return c > 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '<' && c != '>'; };
  return slash != type.npos && slash > 0 && slash + 1 < type.size() &&
         std::all_of(type.begin(), type.end(), [&](char c) { return fits(c) || c == ' '; });
}

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  if (problem == std::errc::result_out_of_range) return std::numeric_limits<std::size_t>::max();
  return problem == std::errc() ? std::optional(value) : std::nullopt;
}

// The last part of what may be a path; nothing that means a folder, no control characters. RFC 6266 4.3 wants that of
// recipients, not all of which do it.
std::string safe_name(std::string_view file_name) {
  file_name.remove_prefix(file_name.find_last_of("/\\") + 1);
  std::string name(file_name);
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '_';
  return name.empty() || name == "." || name == ".." ? "_" : name;
}

}  // namespace

std::optional<ByteRange> byte_range(std::string_view header, std::size_t total) {
  constexpr std::string_view unit = "bytes=";
  // RFC 9110 14.1: "range-unit" names are case-insensitive.
  if (!text::equals_ignoring_ascii_case(header.substr(0, unit.size()), unit) || header.find(',') != header.npos)
    return std::nullopt;  // several: the whole is sent
  const std::string_view range = text::trim(header.substr(unit.size()));
  const std::size_t dash = range.find('-');
  if (dash == range.npos) return std::nullopt;
  const auto first = number(range.substr(0, dash));
  const auto last = number(range.substr(dash + 1));
  if (!first && dash > 0) return std::nullopt;
  if (!last && dash + 1 < range.size()) return std::nullopt;
  if (!first && !last) return std::nullopt;
  if (!first) return ByteRange{total - std::min(*last, total), std::min(*last, total)};
  if (last && *last < *first) return std::nullopt;
  if (*first >= total) return ByteRange{0, 0};
  const std::size_t end = last ? std::min(*last, total - 1) : total - 1;
  return ByteRange{*first, end - *first + 1};
}

// RFC 6266 appendix D: "Avoid including the percent character followed by two hexadecimal characters" in filename.
std::string content_disposition(std::string_view file_name) {
  std::string ascii;
  const std::string name = safe_name(file_name);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\' && c != '/' && c != '%';
    ascii += plain ? c : '_';
  }
  std::string header = "attachment; filename=\"" + ascii + "\"; filename*=UTF-8''";
  append_encoded(header, name);
  return header;
}

Result<void> send_content(const Call& call, Content content) {
  CALLISTO_CHECK(take_memory(call, content.bytes.size()));
  http::Response& response = call.response;
  response.own_content_type = is_media_type(content.type) ? content.type : std::string(type_of_bytes(content.bytes));
  response.content_type = response.own_content_type;
  response.headers.emplace_back("Accept-Ranges", "bytes");
  // Whatever somebody uploaded: a browser that shows it all the same runs nothing of it.
  response.headers.emplace_back("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
  if (!content.file_name.empty())
    response.headers.emplace_back("Content-Disposition", content_disposition(content.file_name));
  if (not_modified(call.request, response, content.etag)) return {};
  const std::size_t total = content.bytes.size();
  const std::string_view if_range = call.request.header("If-Range");
  // RFC 9110 14.2: "A server MUST ignore a Range header field received with a request method that is unrecognized or
  // for which range handling is not defined. For this specification, GET is the only method [...]"
  const bool is_get = call.request.method == "GET";
  const auto range = is_get ? byte_range(call.request.header("Range"), total) : std::nullopt;
  if (!range || (!if_range.empty() && if_range != content.etag)) {
    response.body = std::move(content.bytes);
    return {};
  }
  if (range->size == 0) return range_not_satisfiable(total);
  response.status = 206;
  response.headers.emplace_back("Content-Range", "bytes " + std::to_string(range->first) + "-" +
                                                     std::to_string(range->first + range->size - 1) + "/" +
                                                     std::to_string(total));
  response.body = content.bytes.substr(range->first, range->size);
  return {};
}

}  // namespace callisto::api
