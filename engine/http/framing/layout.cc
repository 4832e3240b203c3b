#include "engine/http/framing/layout.h"

#include <algorithm>

namespace callisto::http {
namespace {

constexpr std::size_t line_end_bytes = 2;  // "\r\n"

const char* end_of(std::string_view piece) { return piece.data() + piece.size(); }

bool request_line_is_tight(const Head& head) {
  const char* target_end = end_of(head.query.data() ? head.query : head.target);
  return head.target.data() == end_of(head.method) + 1 &&
         (!head.query.data() || head.query.data() == end_of(head.target) + 1) &&
         head.version.data() == target_end + 1 + std::string_view("HTTP/").size();
}

// The colon was overwritten by a NUL. Blanks before it were, too; those behind it were left alone.
bool colon_is_tight(const Header& header) {
  const char* behind_colon = end_of(header.name) + 1;
  return header.value.data() >= behind_colon &&
         std::all_of(behind_colon, header.value.data(), [](char c) { return c == ' ' || c == '\t'; });
}

}  // namespace

bool is_laid_out_strictly(const Head& head, const char* buffer_end) {
  if (!request_line_is_tight(head)) return false;
  const char* line_end = end_of(head.version);
  for (const Header& header : head.headers) {
    // A bare line feed would leave a gap of one, a folded line more than two.
    if (header.name.data() != line_end + line_end_bytes || !colon_is_tight(header)) return false;
    line_end = end_of(header.value);
  }
  // The last line's end was overwritten by NULs, and so was the final '\n' of the empty line. Anything else here is a
  // line at which CivetWeb stopped reading headers.
  // Where there is no header the line is the request line, and the empty line was overwritten whole.
  const std::string_view end_of_head(head.headers.empty() ? "\0\0\0\0" : "\0\0\r\0", 2 * line_end_bytes);
  return static_cast<std::size_t>(buffer_end - line_end) >= end_of_head.size() &&
         std::string_view(line_end, end_of_head.size()) == end_of_head;
}

}  // namespace callisto::http
