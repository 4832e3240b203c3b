#include "engine/records/insert.h"

#include "engine/catalog/property_rules.h"
#include "engine/records/schema.h"

#include <algorithm>
#include <limits>

namespace callisto::records {

using catalog::Property;

Error no_number_left(const catalog::Entity& entity, const Property& property) {
  return unavailable("There is no number left for " + property.name + " of " + entity.name + ": the greatest " +
                         catalog::name(property.type) + " is taken.",
                     3600);
}

Result<std::int64_t> next_key(storage::Connection& connection, const catalog::Entity& entity) {
  const Property& key = *entity.key.front();
  CALLISTO_TRY(const std::int64_t next, connection.next_ids(entity.table.text(), 1));
  if (!catalog::fits(next, key.type)) return no_number_left(entity, key);
  return next;
}

bool is_last_key(const Property& key, std::int64_t used) {
  return used == std::numeric_limits<std::int64_t>::max() || !catalog::fits(used + 1, key.type);
}

Result<std::int64_t> lowest_partition(const Store& store, storage::Connection& connection, const Property& lookup,
                                      DateTime now, Random& random) {
  const catalog::Entity& entity = *lookup.target;
  CALLISTO_TRY(const auto known, store.find(connection, entity, {}, 1));
  if (!known.empty()) return known.front().front();
  NewRow first{&entity, {}};
  for (const Property* property : entity.properties)
    if (property->required && catalog::is_text(property->type)) first.values.emplace(property, std::string("Main"));
  return Inserter(store, connection, now, random).insert(first);
}

// A key of its own keeps later keys above it; else the next free one.
Result<std::int64_t> Inserter::settle_key(NewRow& row) {
  if (row.entity->key.size() != 1) return std::int64_t{0};
  const Property* key = row.entity->key.front();
  const std::string& table = row.entity->table.text();
  if (const auto given = row.values.find(key); given != row.values.end()) {
    const std::int64_t used = std::get<std::int64_t>(given->second);
    std::int64_t& greatest = brought_[table];
    greatest = std::max(greatest, used);
    return used;
  }
  if (const auto brought = brought_.find(table); brought != brought_.end()) {
    CALLISTO_CHECK(connection_.keep_ids_above(table, brought->second));
    brought_.erase(brought);
  }
  CALLISTO_TRY(const std::int64_t next, next_key(connection_, *row.entity));
  row.values.emplace(key, next);
  return next;
}

void Inserter::fill_in(NewRow& row) {
  const catalog::Entity& entity = *row.entity;
  const auto fill = [&](const Property* property, const Value& value) {
    if (property && has_column(*property)) row.values.emplace(property, value);
  };
  const Property* id = entity.find_property(catalog::system::id);
  if (id && row.values.count(id) == 0) fill(id, make_guid(random_, now_));
  fill(entity.find_property(catalog::system::version), std::int64_t{1});
  fill(entity.find_property(catalog::system::is_deleted), false);
  fill(entity.find_property(catalog::system::created_date), now_);
  fill(entity.find_property(catalog::system::updated_date), now_);
  fill(entity.type_column, entity.name);
  for (const Property* property : entity.properties)
    if (property->default_value) fill(property, *property->default_value);
}

Result<void> Inserter::settle_partition(NewRow& row) {
  const Property* limit = row.entity->limiting_partition();
  if (!limit) return {};
  const auto given = row.values.find(limit);
  if (given != row.values.end() && !is_null(given->second)) return {};
  if (!partition_) { CALLISTO_TRY(partition_, lowest_partition(store_, connection_, *limit, now_, random_)); }
  row.values.insert_or_assign(limit, *partition_);
  return {};
}

Result<void> Inserter::finish() {
  for (const auto& [table, greatest] : brought_) CALLISTO_CHECK(connection_.keep_ids_above(table, greatest));
  brought_.clear();
  partition_.reset();  // a later group may be undone with the one that was made
  return {};
}

Result<std::int64_t> Inserter::insert(NewRow& row) {
  CALLISTO_TRY(const std::int64_t key, settle_key(row));
  fill_in(row);
  CALLISTO_CHECK(settle_partition(row));
  CALLISTO_CHECK(store_.insert(connection_, *row.entity, row.values));
  return key;
}

}  // namespace callisto::records
