#include "engine/http/compress.h"

#include "engine/base/text.h"
#include "engine/http/weight.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <new>
#include <optional>

namespace callisto::http {

namespace {

bool is(std::string_view a, std::string_view b) { return text::equals_ignoring_ascii_case(a, b); }

bool is_compressible(std::string_view content_type) {
  const std::string_view type = text::trim(content_type.substr(0, content_type.find(';')));
  static constexpr std::array<std::string_view, 5> known{
      "application/json", "application/xml", "application/javascript", "application/problem+json", "image/svg+xml"};
  return (type.size() > 5 && is(type.substr(0, 5), "text/")) ||
         std::any_of(known.begin(), known.end(), [type](std::string_view each) { return is(each, type); });
}

bool has(const Response& response, std::string_view name) {
  return std::any_of(response.headers.begin(), response.headers.end(),
                     [name](const auto& header) { return is(header.first, name); });
}

// Fast rather than small: JSON shrinks to a fifth at level 1 already. Nothing where it would not be shorter.
std::optional<std::string> gzip(std::string_view bytes) try {
  constexpr int level = 1, window_with_gzip_head = 15 + 16, memory_level = 8;
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, window_with_gzip_head, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
    return std::nullopt;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, deflateEnd);
  std::string out(bytes.size(), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return std::nullopt;
  out.resize(stream.total_out);
  out.shrink_to_fit();
  return out;
} catch (const std::bad_alloc&) { return std::nullopt; }

// RFC 9110 8.8.3.3: the encodings of one answer have ETags of their own, strong ones at least.
void mark_etag(Response& response) {
  for (auto& [name, value] : response.headers)
    if (is(name, "ETag") && value.size() > 1 && value.ends_with('"')) value.insert(value.size() - 1, compressed_etag);
}

}  // namespace

bool prefers_gzip(std::string_view accept_encoding) {
  std::optional<int> gzip, identity, any;
  for (std::string_view each : text::split(accept_encoding, ',')) {
    const std::size_t end = std::min(each.find(';'), each.size());
    const std::string_view coding = text::trim(each.substr(0, end));
    const int wanted = weight_of(each.substr(std::min(end + 1, each.size())));
    if (is(coding, "gzip") || is(coding, "x-gzip")) gzip = std::max(gzip.value_or(0), wanted);
    else if (is(coding, "identity")) identity = wanted;
    else if (coding == "*") any = wanted;
  }
  const int wanted = gzip.value_or(any.value_or(0));
  return wanted > 0 && wanted >= identity.value_or(0);
}

void compress(const Request& request, Response& response) {
  if (!response.compressible || has(response, "Content-Encoding")) return;
  const std::string& body = response.content();
  const bool is_fit = response.status == 200 && body.size() > least_compressed &&
                      body.size() < (std::size_t{1} << 31) && is_compressible(response.content_type);
  if (!is_fit && response.status != 304) return;
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (!is_fit) return;
  std::string accepted;
  for (const std::string_view line : request.all_headers("Accept-Encoding")) accepted.append(line) += ',';
  const std::uint64_t both = response.kept ? body.size() : body.size() * std::uint64_t{2};
  if (!prefers_gzip(accepted) || !response.memory.grow_to(both)) return;
  auto compressed = gzip(body);
  if (compressed) {
    response.kept.reset();
    response.body = *std::move(compressed);
    response.headers.emplace_back("Content-Encoding", "gzip");
    mark_etag(response);
  }
  response.memory.shrink_to(response.kept ? 0 : response.body.size());
}

}  // namespace callisto::http
