// GET /v1/{entity} and GET /v1/{entity}/{id}/{list} (specification 2.6, 4.2, 4.3).
#include "engine/api/api.h"
#include "engine/api/compile.h"
#include "engine/api/explain.h"
#include "engine/api/links.h"
#include "engine/api/next_page.h"
#include "engine/api/visible_parent.h"
#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/json/write.h"
#include "engine/query/join_cost.h"
#include "engine/records/search.h"

#include <algorithm>
#include <limits>

namespace callisto::api {

namespace {

// The options of a query, as they were sent. What else a client put there may be a secret, and answers are kept.
void append_options(std::string& out, std::string_view raw_query, bool with_place = true) {
  const std::size_t start = out.size();
  for (const std::string_view pair : text::split(raw_query, '&')) {
    const std::string_view given = pair.substr(0, pair.find('='));
    const std::string name = decoded_once(given).value_or(std::string(given));
    const bool is_place =
        text::equals_ignoring_ascii_case(name, "$skip") || text::equals_ignoring_ascii_case(name, "$after");
    if (!name.starts_with('$') || (is_place && !with_place)) continue;
    if (out.size() > start) out += '&';
    out += pair;
  }
}

std::string url_of_list(const Call& call) {
  const Route& route = call.route;
  std::string url = link(call.version(), route.entity->name);
  if (route.sub) url += "/" + std::to_string(*route.key) + "/" + route.sub->name;
  return url + '?';
}

// Specification 2.6: the url of this response, with $top added as a hint (2147483647 when no row limit was given).
void append_self(std::string& out, const Call& call, const query::Plan& plan) {
  std::string self = url_of_list(call);
  const std::size_t empty = self.size();
  append_options(self, call.request.raw_query);
  if (!plan.top) self += self.size() == empty ? "$top=2147483647" : "&$top=2147483647";
  json::append_string(out, self);
}

// Decisions 12.15: the same query, behind the last row of this page.
void append_next(std::string& out, const Call& call, std::string_view token) {
  std::string url = url_of_list(call);
  const std::size_t empty = url.size();
  append_options(url, call.request.raw_query, false);
  url += url.size() == empty ? "$after=" : "&$after=";
  url += token;
  out += ",\"_links\":{\"Next\":[{\"_self\":";
  json::append_string(out, url);
  out += "}]}";
}

// A page is made whole before it is sent, so that an error half-way is still an error.
class Room {
 public:
  Room(const Call& call, const query::Plan& plan, const records::Page& page) : call_(call) {
    if (page.count) rows_ = static_cast<std::size_t>(std::max<std::int64_t>(*page.count - plan.skip, 0));
    if (plan.top) rows_ = std::min(rows_, static_cast<std::size_t>(*plan.top));
    is_known_ = page.count.has_value() && plan.after.empty();
  }

  // For what the last answer to this query took.
  Result<void> reserve(std::size_t usual) const {
    CALLISTO_CHECK(take_memory(call_, usual));
    call_.response.body.reserve(usual);
    return {};
  }
  // Behind `rows` of the page.
  Result<void> check(std::size_t rows) const {
    constexpr std::size_t sample = 200;
    const std::string& out = call_.response.body;
    const std::size_t limit = call_.options.answer_bytes;
    const std::size_t expected = is_known_ && rows == sample ? out.size() / sample * rows_ : 0;
    if (out.size() > limit || expected > limit)
      return too_large(limit, limit / std::max<std::size_t>(out.size() / rows, 1));
    return take_memory(call_, out.capacity());
  }

 private:
  static Error too_large(std::size_t limit, std::size_t fitting) {
    const std::string size =
        limit % (1024 * 1024) == 0 ? std::to_string(limit / 1024 / 1024) + " MiB" : std::to_string(limit) + " bytes";
    return bad_option("$top", "The answer would be larger than " + size +
                                  ". Ask for fewer rows by $top and $skip, or for fewer properties by $select: about " +
                                  std::to_string(fitting) + " of these rows fit.");
  }

  const Call& call_;
  std::size_t rows_ = std::numeric_limits<std::size_t>::max();  // at most so many come
  bool is_known_ = false;                                       // as many do
};

void append_opening(std::string& out, const Call& call, const query::Plan& plan, const records::Page& page) {
  out += "{\"_self\":";
  append_self(out, call, plan);
  if (page.count) {
    out += ",\"__count\":";
    json::append_integer(out, *page.count);
  }
  out += ",\"results\":[";
}

Result<void> write_page(const Call& call, const records::Context& context, const CompiledQuery& query,
                        records::Page& page) {
  std::string& out = call.response.body;
  const Room room(call, *query.prepared.plan, page);
  CALLISTO_CHECK(room.reserve(query.usual_size));
  append_opening(out, call, *query.prepared.plan, page);
  records::Extensions extensions(*query.prepared.plan);
  RowWriter::Gaps gaps;
  gaps.reserve(records::Extensions::usual_rows * query.prepared.plan->extensions.size());
  const auto last = static_cast<std::size_t>(query.prepared.plan->page_size());
  std::optional<std::string> next;
  for (std::size_t number = 0;; ++number) {
    if (number == last) next = token_behind(call, *query.prepared.plan, *page.rows);
    CALLISTO_TRY(const bool more, page.rows->step());
    if (!more) next.reset();
    if (!more || number == last) break;
    if (number > 0) CALLISTO_CHECK(room.check(number));
    if (number > 0) out += ',';
    query.writer.append_open(out, *page.rows, number, gaps);
    out += '}';
    extensions.add(*page.rows);
  }
  out += ']';
  if (next) append_next(out, call, *next);
  out += '}';
  if (!gaps.empty()) {
    CALLISTO_TRY(const auto values, extensions.values(context));
    query.writer.fill(out, gaps, values);
  }
  query.usual_size = out.size();
  return {};
}

Result<void> answer_search(const Call& call, const records::Context& context, const CompiledQuery& query,
                           const std::optional<records::ParentKey>& parent) {
  if (query.prepared.plan->count) {
    CALLISTO_TRY(const std::int64_t count, records::count(context, query.prepared, parent));
    call.response.content_type = "text/plain; charset=utf-8";
    call.response.body = std::to_string(count);
    return {};
  }
  CALLISTO_TRY(auto page, records::search(context, query.prepared, parent));
  return write_page(call, context, query, page);
}

Error too_many_joined(std::uint64_t limit, const query::Join& join) {
  return bad_option(join.inner ? "$innerJoin" : "$leftJoin",
                    "The joins would examine more than " + std::to_string(limit) + " rows. " + query::advice_on(join));
}

}  // namespace

Result<void> handle_search(const Call& call) {
  const catalog::Entity& entity = call.route.sub ? *call.route.sub->entity : *call.route.entity;
  CALLISTO_TRY(auto slot, borrow_slot(call));
  std::optional<records::ParentKey> parent;
  if (call.route.sub) {
    CALLISTO_CHECK(check_parent(call, *slot));
    parent = records::ParentKey{*call.route.key};
  }
  CALLISTO_TRY(const auto query, compiled(call, entity, QueryKind::Search, call.route.sub, *slot));
  const records::Context context = call.context(*slot);
  const query::Plan& plan = *query->prepared.plan;
  if (plan.explain) return write_explanation(call, context, *query, parent);
  const query::Join* const unbounded = query::join_without_bound(plan);
  if (!unbounded) return answer_search(call, context, *query, parent);
  CALLISTO_TRY(const auto limit, storage::RowLimit::set(*slot->connection, call.options.joined_rows));
  auto answered = answer_search(call, context, *query, parent);
  if (answered || !limit.is_met()) return answered;
  return too_many_joined(call.options.joined_rows, *unbounded);
}

}  // namespace callisto::api
