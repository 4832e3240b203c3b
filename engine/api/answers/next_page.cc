#include "engine/api/answers/next_page.h"

#include "engine/api/answers/position_bytes.h"
#include "engine/base/base64.h"
#include "engine/base/hmac.h"
#include "engine/records/values.h"

#include <string_view>
#include <utility>

namespace callisto::api {

namespace {

constexpr std::size_t mark_bytes = 16;                  // of a digest or a signature that are kept
constexpr std::size_t longest = 8 * std::size_t{1024};  // bytes of a position; a url has 32 KiB for all it holds

// Each part with its length, so that no two lists of parts are one text.
void append(std::string& out, std::string_view part) {
  out += std::to_string(part.size());
  out += ':';
  out += part;
}

// Who asks, of which list, and all that decides which rows there are and in which order.
std::string mark_of_query(const Call& call, std::string_view query) {
  std::string text;
  append(text, auth::name(call.session.type));
  append(text, call.session.person ? std::to_string(*call.session.person) : "client " + call.session.client_id);
  append(text, call.route.entity->name);
  append(text, call.route.sub ? std::to_string(*call.route.key) + "/" + call.route.sub->name : "");
  text += query;
  return hmac_sha256(call.options.page_key, text).substr(0, mark_bytes);
}

std::string signature(const Call& call, std::string_view content) {
  return hmac_sha256(call.options.page_key, "$after" + std::string(content)).substr(0, mark_bytes);
}

Error refused(const char* why) {
  return bad_option("$after", std::string("$after: ") + why +
                                  " Take the url of _links.Next as it is, or leave $after out to begin anew.");
}

}  // namespace

std::string text_of_walk(const query::Options& options) {
  std::string text;
  append(text, options.filter.value_or(""));
  append(text, options.orderby.value_or(""));
  append(text, options.partition ? std::to_string(*options.partition) : "");
  for (const query::Options::JoinText& join : options.joins)
    append(text, (join.inner ? "inner " : "left ") + join.text);
  return text;
}

Result<std::vector<Value>> open_position(const Call& call, const query::Options& options) {
  if (!options.after) return std::vector<Value>();
  const auto bytes = decode_base64(*options.after, Base64::Url);
  const Error changed = refused("the server did not make this link, or the link was changed.");
  if (!bytes || bytes->size() < 2 * mark_bytes) return changed;
  const std::string_view content = std::string_view(*bytes).substr(mark_bytes);
  if (!equal_in_constant_time(std::string_view(*bytes).substr(0, mark_bytes), signature(call, content))) return changed;
  if (content.substr(0, mark_bytes) != mark_of_query(call, text_of_walk(options)))
    return refused(
        "the link was made for another query or another person; $filter, $orderby, $partition and the joins must stay "
        "as they were.");
  auto values = values_of(content.substr(mark_bytes));
  if (!values || values->empty()) return changed;
  return *std::move(values);
}

std::optional<std::string> next_place(const Call& call, const CompiledQuery& query, const records::Row& row) {
  const query::Plan& plan = *query.prepared.plan;
  if (plan.grouping) return "$skip=" + std::to_string(plan.skip + plan.page_size());
  std::string content = mark_of_query(call, query.walk);
  for (const std::size_t column : plan.order_columns)
    append_value_bytes(content, records::read_value(row, column, *plan.columns[column].property));
  if (content.size() > longest) return std::nullopt;
  return "$after=" + encode_base64(signature(call, content) + content, Base64::Url);
}

}  // namespace callisto::api
