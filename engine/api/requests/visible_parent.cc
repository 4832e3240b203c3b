#include "engine/api/requests/visible_parent.h"

#include "engine/query/bind.h"
#include "engine/records/search.h"
#include "engine/records/visible.h"

namespace callisto::api {

namespace {

// Keys of different hierarchies repeat, so the kind of the parent counts as well.
bool is_below(const Call& call, const records::Record& file) {
  const catalog::SubResource& list = *call.route.sub;
  if (!(file.get(*list.link) == Value(*call.route.key))) return false;
  if (!list.type_link) return true;
  const Value type = file.get(*list.type_link);
  const auto* name = std::get_if<std::string>(&type);
  const catalog::Entity* kind = call.model.catalog().find(name ? *name : std::string());
  return kind && &kind->root() == &call.route.entity->root();
}

}  // namespace

Result<void> check_parent(const Call& call, records::Slot& slot) {
  const catalog::Entity& entity = *call.route.entity;
  const auto [scope, session] = records::scope_of(call.access, call.session);
  const std::string key = "p" + session + "/" + entity.name;
  auto query = call.served.query_cache.find(key);
  if (!query) {
    query::Options options;
    options.select = entity.key.front()->name;
    records::StateFolder folder(*slot.scripts);
    CALLISTO_TRY(auto plan,
                 query::bind_record(call.model.program->catalog, entity, options, call.model.limits, folder));
    records::Prepared prepared{plan, query::emit_record(*plan, scope, call.model.dialect), {}};
    query = std::make_shared<const CompiledQuery>(std::move(prepared), call.version());
    call.served.query_cache.insert(key, query);
  }
  const records::Context context = call.context(slot);
  CALLISTO_TRY(const auto page, records::read(context, query->prepared, {Value(*call.route.key)}));
  return {};
}

Result<records::Record> find_below(const Call& call, records::Slot& slot) {
  const Route& route = call.route;
  const catalog::Entity& entity = *route.sub->entity;
  CALLISTO_CHECK(check_parent(call, slot));
  const records::Context context = call.context(slot);
  CALLISTO_TRY(auto record, records::find_visible(context, entity, *route.sub_key));
  // API rule 5.1: a child that is not under that parent is a LinkedRecordNotFound.
  if (!record || !is_below(call, *record))
    return linked_record_not_found(404, "There is no such " + entity.name + " below this " + route.entity->name + ".");
  return *std::move(record);
}

}  // namespace callisto::api
