#include "engine/api/visible_parent.h"

#include "engine/query/bind.h"
#include "engine/records/search.h"

namespace callisto::api {

Result<void> check_parent(const Call& call, records::Slot& slot) {
  const catalog::Entity& entity = *call.route.entity;
  const auto [scope, session] = records::scope_of(call.model, call.session);
  const std::string key = "p" + session + "/" + entity.name;
  auto query = call.queries.find(key);
  if (!query) {
    query::Options options;
    options.select = entity.key.front()->name;
    records::StateFolder folder(*slot.scripts);
    CALLISTO_TRY(auto plan,
                 query::bind_record(call.model.program->catalog, entity, options, call.model.limits, folder));
    records::Prepared prepared{plan, query::emit_record(*plan, scope, query::Dialect::Sqlite), {}};
    query = std::make_shared<const CompiledQuery>(std::move(prepared), call.version());
    call.queries.insert(key, query);
  }
  const records::Context context{call.model, call.session, *slot.connection, *slot.scripts};
  CALLISTO_TRY(const auto page, records::read(context, query->prepared, {Value(*call.route.key)}));
  return {};
}

}  // namespace callisto::api
