#include "engine/records/record_cache.h"

#include "engine/records/context.h"

namespace callisto::records {
namespace {

constexpr std::size_t most_bytes = 4096;  // of its texts: a thousand of them must not be felt

bool is_small(const Record& record) {
  std::size_t bytes = 0;
  for (const auto& [property, value] : record.values()) {
    if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
    else if (const auto* file = std::get_if<Binary>(&value)) bytes += file->bytes.size();
  }
  return bytes <= most_bytes;
}

}  // namespace

Result<std::optional<Record>> RecordCache::load(const Store& store, storage::Connection& connection,
                                                const catalog::Entity& entity, std::int64_t key) {
  const catalog::Entity& root = entity.root();
  const auto version = connection.version_of(root.table.text());
  if (!version) return store.load(connection, entity, key);
  Table& table = tables_[&root];
  if (table.version != *version || table.records.size() >= most) table = {*version, {}};
  if (const auto kept = table.records.find(key); kept != table.records.end())
    return kept->second.entity().is_or_extends(entity) ? std::optional(kept->second) : std::nullopt;
  CALLISTO_TRY(auto record, store.load(connection, entity, key));
  if (record && is_small(*record)) table.records.emplace(key, *record);
  return record;
}

Result<std::optional<Record>> load(const Context& context, const catalog::Entity& entity, std::int64_t key) {
  if (context.kept) return context.kept->load(context.model.store, context.connection, entity, key);
  return context.model.store.load(context.connection, entity, key);
}

}  // namespace callisto::records
