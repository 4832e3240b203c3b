#include "webhooks/details.h"

#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "webhooks/body.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace callisto::webhooks {

namespace {

// "Name: value" lines. An object has each name once: values of a repeated header are joined as RFC 9110 5.3 joins them,
// those of Set-Cookie, which have commas inside, by lines.
void write_headers(json::Writer& writer, std::string_view lines) {
  std::vector<std::pair<std::string_view, std::string>> headers;
  for (const std::string_view line : text::split(lines, '\n')) {
    const std::size_t colon = line.find(": ");
    if (colon == line.npos) continue;
    const std::string_view name = line.substr(0, colon), value = line.substr(colon + 2);
    const auto same = std::find_if(headers.begin(), headers.end(), [&](const auto& header) {
      return text::equals_ignoring_ascii_case(header.first, name);
    });
    if (same == headers.end()) headers.emplace_back(name, value);
    else same->second.append(text::equals_ignoring_ascii_case(name, "set-cookie") ? "\n" : ", ").append(value);
  }
  writer.begin_object();
  for (const auto& [name, value] : headers) writer.key(name).string(value);
  writer.end_object();
}

Result<void> write_request(storage::Connection& connection, std::int64_t delivery, bool shows_content,
                           json::Writer& writer) {
  static const Sql headers(
      "SELECT request_headers FROM webhook_attempt WHERE delivery = ?1 ORDER BY attempt DESC LIMIT 1");
  static const Sql body("SELECT COALESCE(\"BodyRef\", 0) FROM \"webhook_delivery\" WHERE \"Ref\" = ?1");
  {
    CALLISTO_TRY(const auto row, connection.query(headers, {Value(delivery)}));
    CALLISTO_TRY(const bool sent, row->step());
    write_headers(writer.key("RequestHeaders"), sent ? row->text(0) : std::string_view());
  }
  writer.key("RequestBody");
  if (!shows_content) {
    writer.null();
    return {};
  }
  std::int64_t kept = 0;
  {
    CALLISTO_TRY(const auto row, connection.query(body, {Value(delivery)}));
    CALLISTO_TRY(const bool found, row->step());
    if (found) kept = row->integer(0);
  }
  CALLISTO_TRY(const auto sent, read_body(connection, kept));
  if (sent) writer.string(*sent);
  else writer.null();
  return {};
}

void write_attempt(json::Writer& writer, const storage::Cursor& row, bool shows_content) {
  writer.begin_object();
  writer.key("Attempt").integer(row.integer(0));
  writer.key("Date").string(to_iso8601(DateTime{row.integer(1)}));
  writer.key("DurationMs").integer(row.integer(2));
  writer.key("ResponseCode");
  if (row.integer(3) != 0) writer.integer(row.integer(3));
  else writer.null();
  write_headers(writer.key("ResponseHeaders"), row.text(4));
  writer.key("ResponseBody");
  if (shows_content) writer.string(row.text(5));
  else writer.null();
  writer.key("Outcome").string(row.text(6));
  writer.key("Error").string(row.text(7));
  writer.key("Address").string(row.text(8));
  writer.end_object();
}

}  // namespace

Result<void> write_details(storage::Connection& connection, std::int64_t delivery, bool shows_content,
                           json::Writer& writer) {
  static const Sql attempts(
      "SELECT attempt, started_at, duration_ms, response_code, response_headers, response_body, outcome, error, "
      "address "
      "FROM webhook_attempt WHERE delivery = ?1 ORDER BY attempt");
  CALLISTO_CHECK(write_request(connection, delivery, shows_content, writer));
  CALLISTO_TRY(const auto row, connection.query(attempts, {Value(delivery)}));
  writer.key("AttemptLog").begin_array();
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) break;
    writer.element();
    write_attempt(writer, *row, shows_content);
  }
  writer.end_array();
  return {};
}

}  // namespace callisto::webhooks
