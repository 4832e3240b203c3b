#include "engine/app/shadow/recording.h"

#include "engine/base/text.h"
#include "engine/catalog/catalog.h"
#include "engine/json/node_text.h"
#include "engine/json/write.h"

#include <algorithm>

namespace callisto::app {

namespace {

constexpr json::Limits body_limits{64, 200'000};

std::optional<std::int64_t> number_of(const json::Node& object, const char* name) {
  const json::Node* const found = object.find(name);
  if (!found || found->kind() != json::Node::Kind::Number) return std::nullopt;
  const Value value = json::value_of_number(found->text());
  const auto* const whole = std::get_if<std::int64_t>(&value);
  return whole ? std::optional(*whole) : std::nullopt;
}

void append_optional(json::Writer& writer, const char* name, std::string_view text) {
  if (!text.empty()) writer.key(name).string(text);
}

}  // namespace

std::string text_of(const RecordingOrder& order) {
  std::string out;
  json::Writer(out)
      .begin_object()
      .key("until")
      .integer(order.until_ms)
      .key("bytes")
      .integer(static_cast<std::int64_t>(order.bytes))
      .end_object();
  return out;
}

std::optional<RecordingOrder> read_order(const std::string& text) {
  const auto node = json::parse(text);
  if (!node) return std::nullopt;
  const auto until = number_of(*node, "until"), bytes = number_of(*node, "bytes");
  if (!until || !bytes || *bytes < 0) return std::nullopt;
  return RecordingOrder{*until, static_cast<std::uint64_t>(*bytes)};
}

void append_line(std::string& out, const RecordedRequest& request) {
  json::Writer writer(out);
  writer.begin_object().key("at").integer(request.at.ms).key("method").string(request.method);
  writer.key("path").string(request.path);
  append_optional(writer, "query", request.query);
  writer.key("route").string(request.route);
  if (!request.headers.empty()) {
    writer.key("headers").begin_object();
    for (const auto& [name, value] : request.headers) writer.key(name).string(value);
    writer.end_object();
  }
  append_optional(writer, "body", request.body);
  append_optional(writer, "leftOut", request.left_out);
  if (request.person) writer.key("person").integer(*request.person);
  writer.key("session").string(request.session_type).key("client").string(request.client);
  writer.key("status").integer(request.status);
  if (request.made) writer.key("made").integer(*request.made);
  writer.end_object();
  out += '\n';
}

Result<RecordedRequest> read_line(const json::Node& line) {
  const auto at = number_of(line, "at"), status = number_of(line, "status");
  if (!at || !status || json::string_of(line, "method").empty()) return bad_format("is no line of a recording");
  RecordedRequest request{.at = DateTime{*at},
                          .method = json::string_of(line, "method"),
                          .path = json::string_of(line, "path"),
                          .query = json::string_of(line, "query"),
                          .route = json::string_of(line, "route"),
                          .headers = {},
                          .body = json::string_of(line, "body"),
                          .left_out = json::string_of(line, "leftOut"),
                          .person = number_of(line, "person"),
                          .session_type = json::string_of(line, "session"),
                          .client = json::string_of(line, "client"),
                          .status = static_cast<int>(*status),
                          .made = number_of(line, "made")};
  if (const json::Node* const headers = line.find("headers"))
    for (const json::Member& each : headers->members()) request.headers.emplace_back(each.name, each.value.text());
  return request;
}

void Secrets::add(std::string_view name) {
  if (!has(name)) names_.push_back(text::ascii_lower(name));
}

bool Secrets::has(std::string_view name) const {
  return std::any_of(names_.begin(), names_.end(),
                     [name](const std::string& each) { return text::equals_ignoring_ascii_case(each, name); });
}

// Anywhere, in whatever case: what is no JSON after all may quote its names otherwise. One that is spelled with escapes
// could be any.
bool Secrets::may_be_in(std::string_view body) const {
  const std::string lower = text::ascii_lower(body);
  return body.find("\\u") != body.npos || std::any_of(names_.begin(), names_.end(), [&lower](const std::string& name) {
           return lower.find(name) != lower.npos;
         });
}

json::Node Secrets::mask(const json::Node& node, bool& is_told) const {
  if (node.kind() == json::Node::Kind::Array) {
    std::vector<json::Node> items;
    for (const json::Node& item : node.items()) items.push_back(mask(item, is_told));
    return json::Node(std::move(items));
  }
  if (node.kind() != json::Node::Kind::Object) return node;
  std::vector<json::Member> members;
  for (const json::Member& member : node.members()) {
    const bool is_secret = has(member.name);
    is_told = is_told || is_secret;
    members.push_back(
        {member.name, is_secret ? json::Node(json::Node::Kind::String, std::string(catalog::system::sealed_mask))
                                : mask(member.value, is_told)});
  }
  return json::Node(std::move(members));
}

std::optional<std::string> Secrets::masked(const std::string& body) const {
  const std::string_view begun = text::trim(body);
  if (!begun.starts_with('{') && !begun.starts_with('[')) return std::nullopt;
  if (!may_be_in(body)) return body;
  const auto node = json::parse(body, body_limits);
  if (!node) return std::nullopt;
  bool is_told = false;
  const json::Node without = mask(*node, is_told);
  return is_told ? json::text_of(without) : body;
}

}  // namespace callisto::app
