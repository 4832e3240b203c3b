#include "engine/api/requests/answer_options.h"

#include "engine/api/requests/compile.h"
#include "engine/http/url.h"
#include "engine/records/visible.h"

namespace callisto::api {

namespace {

// Answers that are a link and nothing more.
bool is_link_alone(const Call& call) { return call.request.method == "DELETE" || call.route.content; }

// Null where the record is not to be seen, which is told in its turn.
Result<const catalog::Entity*> type_of_answer(const Call& call, records::Slot& slot) {
  const Route& route = call.route;
  if (route.sub) return route.sub->entity;
  if (!route.key) return route.entity;
  const records::Context context = call.context(slot);
  CALLISTO_TRY(const auto record, records::find_visible(context, *route.entity, *route.key));
  return record ? &record->entity() : nullptr;
}

}  // namespace

Result<void> check_answer_options(const Call& call) {
  if (call.request.raw_query.empty()) return {};
  const auto options = [&]() -> Result<query::Options> {
    CALLISTO_TRY(const auto pairs, http::decode_query(call.request.raw_query));
    CALLISTO_TRY(query::Options parsed, query::parse_options(pairs));
    CALLISTO_CHECK(query::refuse_expand(parsed));
    return parsed;
  };
  if (is_link_alone(call)) {
    CALLISTO_TRY(const query::Options parsed, options());
    return query::allow_select_only(parsed);
  }
  CALLISTO_TRY(auto slot, borrow_slot(call));
  CALLISTO_TRY(const catalog::Entity* type, type_of_answer(call, *slot));
  if (!type) return {};
  CALLISTO_CHECK(options());
  const catalog::SubResource* below = call.route.action ? nullptr : call.route.sub;
  CALLISTO_CHECK(compiled(call, *type, QueryKind::Record, below, *slot));
  return {};
}

}  // namespace callisto::api
