#include "engine/http/multipart.h"

#include "engine/base/text.h"
#include "engine/http/framing/parameters.h"
#include "engine/http/media_type.h"

#include <algorithm>

namespace callisto::http {

namespace {

constexpr std::size_t most_header_bytes = 8 * 1024;  // of one part
constexpr std::size_t most_preamble_bytes = 8 * 1024;
constexpr std::size_t most_parts = 100;
constexpr std::string_view line_end = "\r\n";

Error malformed(const std::string& what) { return bad_format("The multipart body is malformed: " + what + "."); }

// Nothing where it is not given. Where it is given twice, others may believe the other one.
Result<std::optional<std::string>> only(const HeaderParameters& parameters, std::string_view wanted) {
  std::optional<std::string> found;
  for (const auto& [name, value] : parameters) {
    if (name != wanted) continue;
    if (found) return malformed("a part gives " + std::string(wanted) + " twice");
    found = value;
  }
  return found;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// Where `mark` begins, or the first place where it may once more bytes have come: limits hold however a form is cut.
std::size_t earliest(std::string_view text, std::string_view mark) {
  const std::size_t found = text.find(mark);
  return found != text.npos ? found : text.size() - std::min(text.size(), mark.size() - 1);
}

// What the client calls the file: filename* before filename (RFC 6266 4.3), though forms should not have it (RFC 7578
// 4.2). Nothing where the part is no file.
Result<std::optional<std::string>> file_name_of(const HeaderParameters& parameters) {
  CALLISTO_TRY(const auto extended, only(parameters, "filename*"));
  CALLISTO_TRY(auto plain, only(parameters, "filename"));
  if (extended)
    if (auto name = decode_extended(*extended)) return name;
  if (extended && !plain)
    return malformed(
        "filename* of a part is no text of UTF-8 or ISO-8859-1 as RFC 8187 writes it: UTF-8''na%C3%AFve.txt");
  if (!plain) return plain;
  if (auto name = decode_words(*plain)) return name;
  replace_all(*plain, "%22", "\"");  // as browsers write a quote (WHATWG HTML 4.10.22.8)
  return plain;
}

// RFC 7578 4.7: a part comes as it is.
Result<void> check_encoding(std::string_view encoding) {
  for (const std::string_view identity : {"", "7bit", "8bit", "binary"})
    if (text::equals_ignoring_ascii_case(encoding, identity)) return {};
  return bad_format("A part has Content-Transfer-Encoding " + text::quoted(encoding) +
                    ": send its bytes as they are, without that header.");
}

Result<Part> part_of(std::string_view headers) {
  Part part;
  std::optional<HeaderParameters> disposition;
  while (!headers.empty()) {
    const std::size_t end = std::min(headers.find(line_end), headers.size());
    const std::string_view line = headers.substr(0, end);
    headers.remove_prefix(std::min(end + line_end.size(), headers.size()));
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return malformed("a header of a part has no colon");
    const std::string_view name = text::trim(line.substr(0, colon));
    const std::string_view value = text::trim(line.substr(colon + 1));
    if (text::equals_ignoring_ascii_case(name, "Content-Type")) part.content_type = value;
    if (text::equals_ignoring_ascii_case(name, "Content-Transfer-Encoding")) CALLISTO_CHECK(check_encoding(value));
    if (!text::equals_ignoring_ascii_case(name, "Content-Disposition")) continue;
    if (disposition) return malformed("a part has two Content-Dispositions");
    if (text::equals_ignoring_ascii_case(text::trim(value.substr(0, value.find(';'))), "form-data"))
      disposition = parameters_of(value);
  }
  if (!disposition) return malformed("a part has no Content-Disposition: form-data");
  CALLISTO_TRY(auto part_name, only(*disposition, "name"));
  // RFC 7578 4.2: "The Content-Disposition header field MUST also contain an additional parameter of "name"".
  if (!part_name) return malformed("a part has no name");
  part.name = *std::move(part_name);
  CALLISTO_TRY(part.file_name, file_name_of(*disposition));
  return part;
}

}  // namespace

std::optional<std::string> multipart_boundary(std::string_view content_type) {
  if (!has_media_type(content_type, multipart_media_type)) return std::nullopt;
  const auto given = only(parameters_of(content_type), "boundary");
  // RFC 2046 5.1.1: 1 to 70 characters, none of them a control character.
  if (!given || !*given || (*given)->empty() || (*given)->size() > 70) return std::nullopt;
  for (const char c : **given)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return std::nullopt;
  return *given;
}

MultipartReader::MultipartReader(std::string boundary, PartSink& sink)
    : delimiter_(std::string(line_end) + "--" + std::move(boundary)), sink_(sink), held_(line_end) {}

Result<void> MultipartReader::feed(std::string_view bytes) {
  if (where_ == Where::Epilogue) return {};  // RFC 2046: to be ignored
  held_ += bytes;
  for (;;) {
    CALLISTO_TRY(const bool went_on, step());
    if (!went_on) return {};
  }
}

Result<void> MultipartReader::finish() {
  if (where_ == Where::Epilogue) return {};
  return malformed("it ends before its last boundary");
}

Result<bool> MultipartReader::step() {
  switch (where_) {
    case Where::Preamble:
      return find_first();
    case Where::AfterBoundary:
      return after_boundary();
    case Where::Headers:
      return read_headers();
    case Where::Content:
      return read_content();
    case Where::Epilogue:
      break;
  }
  held_.clear();
  return false;
}

Result<bool> MultipartReader::find_first() {
  const std::size_t found = held_.find(delimiter_);
  if (earliest(held_, delimiter_) > most_preamble_bytes) return malformed("its boundary does not come");
  if (found == held_.npos) return false;
  held_.erase(0, found + delimiter_.size());
  where_ = Where::AfterBoundary;
  return true;
}

// "--" ends the form; else blanks and a line end.
Result<bool> MultipartReader::after_boundary() {
  if (held_.size() < 2) return false;
  if (held_.starts_with("--")) {
    where_ = Where::Epilogue;
    return true;
  }
  const std::size_t end = held_.find(line_end);
  const bool is_long = earliest(held_, line_end) > most_header_bytes;
  if (end == held_.npos && !is_long) return false;
  if (is_long || !text::trim(std::string_view(held_).substr(0, end)).empty())
    return malformed("something follows a boundary on its line");
  held_.erase(0, end);  // the line end may begin the headers' end
  where_ = Where::Headers;
  return true;
}

Result<bool> MultipartReader::read_headers() {
  constexpr std::string_view end_of_headers = "\r\n\r\n";
  const std::size_t end = held_.find(end_of_headers);
  if (earliest(held_, end_of_headers) > most_header_bytes) return malformed("the headers of a part are too long");
  if (end == held_.npos) return false;
  if (++parts_ > most_parts) return malformed("it has more than " + std::to_string(most_parts) + " parts");
  const std::string_view headers = std::string_view(held_).substr(0, end);
  CALLISTO_TRY(const Part part, part_of(headers.substr(std::min(line_end.size(), headers.size()))));
  CALLISTO_CHECK(sink_.begin(part));
  held_.erase(0, end + line_end.size());  // one line end stays: the delimiter of an empty content needs it
  where_ = Where::Content;
  content_begins_ = true;
  return true;
}

// All but what may be the beginning of a delimiter.
Result<bool> MultipartReader::read_content() {
  const std::size_t skipped = content_begins_ ? line_end.size() : 0;
  const std::size_t found = held_.find(delimiter_);
  const std::size_t keep = delimiter_.size() - 1;
  const std::size_t end = found != held_.npos ? found : held_.size() > keep ? held_.size() - keep : 0;
  if (end > skipped) { CALLISTO_CHECK(sink_.append(std::string_view(held_).substr(skipped, end - skipped))); }
  if (found == held_.npos) {
    if (end > skipped) {
      held_.erase(0, end);
      content_begins_ = false;
    }
    return false;
  }
  held_.erase(0, found + delimiter_.size());
  content_begins_ = false;
  where_ = Where::AfterBoundary;
  return true;
}

}  // namespace callisto::http
