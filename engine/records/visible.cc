#include "engine/records/visible.h"

#include "engine/records/rules.h"

namespace callisto::records {

namespace {

using catalog::Entity;

// decisions.md 7: history and attachments are visible exactly where their parent is. A row names the parent's kind
// where parents of several kinds have such a list.
Result<bool> has_visible_parent(const Context& context, const Record& record) {
  for (const auto& parent : context.model.catalog().entities()) {
    if (&parent->root() != parent.get()) continue;
    for (const catalog::SubResource& list : parent->sub_resources) {
      if (list.entity != &record.entity()) continue;
      const Value key = record.get(*list.link);
      const Value kind = list.type_link ? record.get(*list.type_link) : Value(parent->name);
      const auto* name = std::get_if<std::string>(&kind);
      const Entity* type = name ? context.model.catalog().find(*name) : nullptr;
      if (!type || &type->root() != parent.get() || is_null(key)) continue;
      CALLISTO_TRY(const auto above,
                   context.model.store.load(context.connection, *parent, std::get<std::int64_t>(key)));
      if (!above) return false;
      CALLISTO_TRY(const bool visible, is_visible(context, *above));
      if (!visible) return false;
    }
  }
  return true;
}

}  // namespace

Result<bool> is_visible(const Context& context, const Record& record) {
  if (!is_in_partitions(context.session, record)) return false;
  const catalog::Action* read = record.entity().read;
  if (!read) return false;
  CALLISTO_TRY(const bool granted, RuleCheck(context).allows(record, *read));
  if (!granted) return false;
  return has_visible_parent(context, record);
}

Result<std::optional<Record>> find_visible(const Context& context, const Entity& entity, std::int64_t key) {
  CALLISTO_TRY(auto record, context.model.store.load(context.connection, entity, key));
  if (!record || is_deleted(*record)) return std::optional<Record>();
  CALLISTO_TRY(const bool visible, is_visible(context, *record));
  if (!visible) record.reset();
  return record;
}

Error not_visible(const Entity& entity) {
  return record_not_found("There is no such " + entity.name + ", or this session may not see it.");
}

}  // namespace callisto::records
