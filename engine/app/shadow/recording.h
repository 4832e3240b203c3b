// A recording: what `callisto record` makes a running server keep, for `callisto shadow`. It is a folder that only its
// owner may read: a copy of the desk as it was at the start, and a line of JSON for each signed-in request to the API.
// No line contains a token, and secrets in a body are replaced by asterisks. Any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/json/read.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::app {

namespace recording {
inline constexpr const char* folder = "/recording";         // below the data folder; the rest is below it
inline constexpr const char* requests = "/requests.jsonl";  // the server writes it
inline constexpr const char* desk = "/desk.db";             // SQLite's, whatever the desk's own database is
inline constexpr const char* order = "/order.json";         // it is there while requests are to be kept
}  // namespace recording

// Whichever comes first ends a recording.
struct RecordingOrder {
  std::int64_t until_ms = 0;  // since 1970
  std::uint64_t bytes = 0;    // of all lines
};
std::string text_of(const RecordingOrder& order);
std::optional<RecordingOrder> read_order(const std::string& text);

// Its texts are those of who writes it, or of the line that it was read from.
struct RecordedRequest {
  DateTime at;
  std::string_view method, path, query;  // below the version, as sent: "call/5" and "$select=State"
  std::string_view route;                // its template: "call/{id}"
  std::vector<std::pair<std::string_view, std::string_view>> headers;  // those that an answer may depend on
  std::string_view body;                                               // JSON
  std::string_view left_out;           // why its body is not there; empty: it is, or had none
  std::optional<std::int64_t> person;  // nobody: the client itself asked
  std::string_view session_type;       // "Analyst"
  std::string_view client;
  int status = 0;
  std::optional<std::int64_t> made;  // the key of the record that it made

  std::string target() const { return std::string(path) + (query.empty() ? "" : "?" + std::string(query)); }
};
void append_line(std::string& out, const RecordedRequest& request);  // with its end
Result<RecordedRequest> read_line(const json::Node& line);

// The names under which a body may hold a secret.
class Secrets {
 public:
  void add(std::string_view name);
  // The body with asterisks in place of what stands under such a name, at any depth; nothing where there may be a
  // secret and the body is no JSON. A body that cannot hold one is not parsed.
  std::optional<std::string> masked(const std::string& body) const;

 private:
  bool has(std::string_view name) const;
  bool may_be_in(std::string_view body) const;
  json::Node mask(const json::Node& node, bool& is_told) const;  // `is_told`: becomes true where there is a secret
  std::vector<std::string> names_;                               // lower case
};

}  // namespace callisto::app
