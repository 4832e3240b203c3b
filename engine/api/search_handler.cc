// GET /v1/{entity} and GET /v1/{entity}/{id}/{list} (specification 2.6, 4.2, 4.3).
#include "engine/api/api.h"
#include "engine/api/compile.h"
#include "engine/api/explain.h"
#include "engine/api/links.h"
#include "engine/api/visible_parent.h"
#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/json/write.h"
#include "engine/records/search.h"

namespace callisto::api {

namespace {

// The options of a query, as they were sent. What else a client put there may be a secret, and answers are kept.
void append_options(std::string& out, std::string_view raw_query) {
  const std::size_t start = out.size();
  for (const std::string_view pair : text::split(raw_query, '&')) {
    const std::string_view name = pair.substr(0, pair.find('='));
    const bool is_option = name.starts_with('$') || decoded_once(name).value_or("").starts_with('$');
    if (!is_option) continue;
    if (out.size() > start) out += '&';
    out += pair;
  }
}

// Specification 2.6: the url of this response, with $top added as a hint (2147483647 when no row limit was given).
void append_self(std::string& out, const Call& call, const query::Plan& plan) {
  const Route& route = call.route;
  std::string self = link(call.version(), route.entity->name);
  if (route.sub) self += "/" + std::to_string(*route.key) + "/" + route.sub->name;
  self += '?';
  const std::size_t empty = self.size();
  append_options(self, call.request.raw_query);
  if (!plan.top) self += self.size() == empty ? "$top=2147483647" : "&$top=2147483647";
  json::append_string(out, self);
}

// A page is made whole before it is sent, so that an error half-way is still an error.
Error too_large(std::size_t limit) {
  const std::string size =
      limit % (1024 * 1024) == 0 ? std::to_string(limit / 1024 / 1024) + " MiB" : std::to_string(limit) + " bytes";
  return bad_option("$top", "The answer would be larger than " + size +
                                ". Ask for fewer rows by $top and $skip, or for fewer properties by $select.");
}

Result<void> write_page(const Call& call, const records::Context& context, const CompiledQuery& query,
                        records::Page& page) {
  std::string& out = call.response.body;
  out.reserve(query.usual_size);
  out += "{\"_self\":";
  append_self(out, call, *query.prepared.plan);
  if (page.count) {
    out += ",\"__count\":";
    json::append_integer(out, *page.count);
  }
  out += ",\"results\":[";
  records::Extensions extensions(*query.prepared.plan);
  RowWriter::Gaps gaps;
  gaps.reserve(records::Extensions::usual_rows * query.prepared.plan->extensions.size());
  for (std::size_t number = 0;; ++number) {
    CALLISTO_TRY(const bool more, page.rows->step());
    if (!more) break;
    if (out.size() > call.options.answer_bytes) return too_large(call.options.answer_bytes);
    if (number > 0) out += ',';
    query.writer.append_open(out, *page.rows, number, gaps);
    out += '}';
    extensions.add(*page.rows);
  }
  out += "]}";
  if (!gaps.empty()) {
    CALLISTO_TRY(const auto values, extensions.values(context));
    query.writer.fill(out, gaps, values);
  }
  query.usual_size = out.size();
  return {};
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
  if (plan.count) {
    CALLISTO_TRY(const std::int64_t count, records::count(context, query->prepared, parent));
    call.response.content_type = "text/plain; charset=utf-8";
    call.response.body = std::to_string(count);
    return {};
  }
  CALLISTO_TRY(auto page, records::search(context, query->prepared, parent));
  return write_page(call, context, *query, page);
}

}  // namespace callisto::api
