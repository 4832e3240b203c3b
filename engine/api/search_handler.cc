// GET /v1/{entity} and GET /v1/{entity}/{id}/{list} (API rule 2.3).
#include "engine/api/answers/csv_page.h"
#include "engine/api/answers/explain.h"
#include "engine/api/answers/next_page.h"
#include "engine/api/answers/page_room.h"
#include "engine/api/api.h"
#include "engine/api/links.h"
#include "engine/api/requests/compile.h"
#include "engine/api/requests/content.h"
#include "engine/api/requests/visible_parent.h"
#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/json/write.h"
#include "engine/query/join_cost.h"
#include "engine/records/search.h"

#include <chrono>

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

// API rule 2.3: the url of this response, with $top added as a hint (2147483647 when no row limit was given).
void append_self(std::string& out, const Call& call, const query::Plan& plan) {
  std::string self = url_of_list(call);
  const std::size_t empty = self.size();
  append_options(self, call.request.raw_query);
  if (!plan.top) self += self.size() == empty ? "$top=2147483647" : "&$top=2147483647";
  json::append_string(out, self);
}

// Decision 0040: the same query, behind the last row of this page.
std::string next_url(const Call& call, std::string url, std::string_view place) {
  const std::size_t empty = url.size();
  append_options(url, call.request.raw_query, false);
  if (url.size() != empty) url += '&';
  return url.append(place);
}

void append_next(std::string& out, const Call& call, std::string_view place) {
  out += ",\"_links\":{\"Next\":[{\"_self\":";
  json::append_string(out, next_url(call, url_of_list(call), place));
  out += "}]}";
}

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
  const PageRoom room(call, *query.prepared.plan, page);
  CALLISTO_CHECK(room.reserve(query.usual_size));
  append_opening(out, call, *query.prepared.plan, page);
  records::Extensions extensions(*query.prepared.plan);
  RowWriter::Gaps gaps;
  gaps.reserve(records::Extensions::usual_rows * query.prepared.plan->extensions.size());
  const auto last = static_cast<std::size_t>(query.prepared.plan->page_size());
  std::optional<std::string> next;
  for (std::size_t number = 0;; ++number) {
    if (number == last) next = next_place(call, query, *page.rows);
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

// What JSON has beside its rows stands in headers: the number of all rows, and RFC 8288's link to the next page.
void tell_in_headers(const Call& call, const std::optional<std::int64_t>& count,
                     const std::optional<std::string>& next) {
  http::Response& response = call.response;
  response.content_type = "text/csv; charset=utf-8; header=present";
  const std::string& list = call.route.sub ? call.route.sub->name : call.route.entity->name;
  response.headers.emplace_back("Content-Disposition", content_disposition(list + ".csv"));
  if (count) response.headers.emplace_back("X-Total-Count", std::to_string(*count));
  if (!next) return;
  const std::string path = std::string(base_path(call.options)) + std::string(call.request.raw_path) + "?";
  response.headers.emplace_back("Link", "<" + next_url(call, path, *next) + ">; rel=\"next\"");
}

Result<void> write_csv(const Call& call, const records::Context& context, const CompiledQuery& query,
                       records::Page& page, bool disarms_formulas) {
  const query::Plan& plan = *query.prepared.plan;
  std::string& out = call.response.body;
  const PageRoom room(call, plan, page);
  const CsvWriter writer(plan, disarms_formulas);
  writer.append_names(out);
  records::Extensions extensions(plan);
  std::vector<std::size_t> gaps;
  const auto last = static_cast<std::size_t>(plan.page_size());
  std::optional<std::string> next;
  for (std::size_t number = 0;; ++number) {
    if (number == last) next = next_place(call, query, *page.rows);
    CALLISTO_TRY(const bool more, page.rows->step());
    if (!more) next.reset();
    if (!more || number == last) break;
    if (number > 0) CALLISTO_CHECK(room.check(number));
    writer.append_row(out, *page.rows, gaps);
    extensions.add(*page.rows);
  }
  tell_in_headers(call, page.count, next);
  if (gaps.empty()) return {};
  CALLISTO_TRY(const auto values, extensions.values(context));
  out = writer.filled(out, gaps, values);
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
  call.response.headers.emplace_back("Vary", "Accept");
  const CsvWish wish = csv_wish(call.request.header("Accept"));
  if (wish.is_wanted) return write_csv(call, context, query, page, wish.disarms_formulas);
  return write_page(call, context, query, page);
}

Error too_many_joined(std::uint64_t limit, const query::Join& join) {
  return bad_option(join.inner ? "$innerJoin" : "$leftJoin",
                    "The joins would examine more than " + std::to_string(limit) + " rows. " + query::advice_on(join));
}

Result<void> answer_bounded(const Call& call, const records::Context& context, const CompiledQuery& query,
                            const std::optional<records::ParentKey>& parent) {
  const query::Join* const unbounded = query::join_without_bound(*query.prepared.plan);
  if (!unbounded) return answer_search(call, context, query, parent);
  CALLISTO_TRY(const auto limit, storage::RowLimit::set(context.connection, call.options.joined_rows));
  auto answered = answer_search(call, context, query, parent);
  if (answered || !limit.is_met()) return answered;
  return too_many_joined(call.options.joined_rows, *unbounded);
}

// Counts the question, and keeps for the log what a slow one was: its form, without values, and how it was found.
void note_time(const Call& call, const records::Context& context, const CompiledQuery& query,
               std::chrono::steady_clock::time_point begun) {
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  query.time.note(took);
  if (query.asked) query.asked->note(took);
  if (!call.trace || call.options.slow.count() == 0 || took < call.options.slow) return;
  call.trace->slow = slow_search(context, query);
}

}  // namespace

Result<void> handle_search(const Call& call) {
  const catalog::Entity& entity = call.route.sub ? *call.route.sub->entity : *call.route.entity;
  auto query = known_query(call, entity, QueryKind::Search, call.route.sub);
  CALLISTO_TRY(auto slot, borrow_slot(call, query.get()));
  const auto begun = std::chrono::steady_clock::now();
  std::optional<records::ParentKey> parent;
  if (call.route.sub) {
    CALLISTO_CHECK(check_parent(call, *slot));
    parent = records::ParentKey{*call.route.key};
  }
  if (!query) { CALLISTO_TRY(query, compiled(call, entity, QueryKind::Search, call.route.sub, *slot)); }
  const records::Context context = call.context(*slot);
  if (query->prepared.plan->explain) return write_explanation(call, context, *query, parent);
  auto answered = answer_bounded(call, context, *query, parent);
  note_time(call, context, *query, begun);
  return answered;
}

}  // namespace callisto::api
