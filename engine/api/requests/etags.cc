#include "engine/api/requests/etags.h"

#include "engine/catalog/catalog.h"
#include "engine/http/compress.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace callisto::api {

// FNV-1a's steps, eight bytes at a time; the shift lets the high bits of a word reach the low ones. A step waits for
// the one before it, so that four rows of them go side by side, and are then steps of one.
std::string etag_of(std::string_view body) {
  std::uint64_t hash = 1469598103934665603ULL ^ body.size();
  const auto mix = [](std::uint64_t& into, std::uint64_t word) {
    into = (into ^ word) * 1099511628211ULL;
    into ^= into >> 32;
  };
  std::array<std::uint64_t, 4> rows{hash, hash + 1, hash + 2, hash + 3}, words{};
  for (; body.size() >= sizeof words; body.remove_prefix(sizeof words)) {
    std::memcpy(&words, body.data(), sizeof words);
    for (std::size_t i = 0; i < rows.size(); ++i) mix(rows[i], words[i]);
  }
  words = {};
  std::memcpy(&words, body.data(), body.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    mix(rows[i], words[i]);
    mix(hash, rows[i]);
  }
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string text(18, '"');
  for (std::size_t i = 16; i > 0; --i, hash >>= 4) text[i] = digits[hash & 15];
  return text;
}

std::string etag_of(std::string_view body, std::optional<std::int64_t> version) {
  std::string etag = etag_of(body);
  if (version) etag.insert(1, std::to_string(*version) + ".");
  return etag;
}

std::string etag_of(std::string_view body, const records::Record& record) {
  const catalog::Property* property = record.entity().find_property(catalog::system::version);
  const Value version = property ? record.get(*property) : Value(Null{});
  const auto* number = std::get_if<std::int64_t>(&version);
  return etag_of(body, number ? std::optional(*number) : std::nullopt);
}

namespace {

// RFC 9110 13.1.2: any of a list, or *; weak comparison. 5.2: a list may be spread over several lines.
bool lists(const http::Request& request, const std::string& etag) {
  const auto has = [&](std::string_view list) { return list == "*" || list.find(etag) != list.npos; };
  if (request.header_count("If-None-Match") < 2) return has(request.header("If-None-Match"));
  const auto lines = request.all_headers("If-None-Match");
  return std::any_of(lines.begin(), lines.end(), has);
}

// What the same answer is called where it was sent compressed.
std::string compressed(std::string etag) {
  return etag.insert(etag.size() - std::min<std::size_t>(etag.size(), 1), http::compressed_etag);
}

}  // namespace

bool client_has(const http::Request& request, const std::string& etag) {
  return request.header_count("If-None-Match") > 0 && (lists(request, etag) || lists(request, compressed(etag)));
}

bool not_modified(const http::Request& request, http::Response& response, const std::string& etag) {
  response.headers.emplace_back("ETag", etag);
  if (!client_has(request, etag)) return false;
  // RFC 9110 15.4.5: the ETag that a 200 would have had: that of the one which the client has.
  if (!lists(request, etag)) response.headers.back().second = compressed(etag);
  response.status = 304;
  response.body.clear();
  return true;
}

std::string if_match(const http::Request& request) {
  std::string all;
  for (const std::string_view line : request.all_headers("If-Match")) {
    if (!all.empty()) all += ", ";
    all += line;
  }
  // A list of nothing guards nothing, and whoever sent it meant to.
  if (all.empty() && request.header_count("If-Match") > 0) return ",";
  return all;
}

}  // namespace callisto::api
