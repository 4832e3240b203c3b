#include "engine/records/visible.h"

#include "engine/catalog/holders.h"
#include "engine/records/record_cache.h"
#include "engine/records/rules.h"

namespace callisto::records {

namespace {

using catalog::Entity;

// The key of what `record` hangs on by this list; nothing where it is of another type, or its parent of another kind.
std::optional<std::int64_t> key_of_parent(const Context& context, const Record& record, const catalog::Holder& holder) {
  const auto& [parent, list] = holder;
  if (!record.entity().is_or_extends(*list->entity)) return std::nullopt;
  if (list->type_link) {
    const Value kind = record.get(*list->type_link);
    const auto* name = std::get_if<std::string>(&kind);
    const Entity* type = name ? context.model.catalog().find(*name) : nullptr;
    if (!type || !type->is_or_extends(*parent)) return std::nullopt;
  }
  const Value key = record.get(*list->link);
  return is_null(key) ? std::nullopt : std::optional(std::get<std::int64_t>(key));
}

// API rule 2.14: history and attachments are visible exactly where their parent is.
Result<bool> has_visible_parent(const Context& context, const Record& record) {
  for (const catalog::Holder& holder : catalog::holders_of(context.model.catalog(), record.entity())) {
    const std::optional<std::int64_t> key = key_of_parent(context, record, holder);
    if (!key) continue;
    CALLISTO_TRY(const auto above, load(context, *holder.parent, *key));
    if (!above || (is_deleted(*above) && catalog::is_part(*holder.list))) return false;
    CALLISTO_TRY(const bool visible, is_visible(context, *above));
    if (!visible) return false;
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
  CALLISTO_TRY(auto record, load(context, entity, key));
  if (!record || is_deleted(*record)) return std::optional<Record>();
  CALLISTO_TRY(const bool visible, is_visible(context, *record));
  if (!visible) record.reset();
  return record;
}

Error not_visible(const Entity& entity) {
  return record_not_found("There is no such " + entity.name + ", or this session may not see it.");
}

}  // namespace callisto::records
