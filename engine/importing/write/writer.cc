#include "engine/importing/write/writer.h"

#include "engine/base/text.h"
#include "engine/storage/dialect.h"

namespace callisto::importing {

namespace {

using catalog::Property;

std::string spelled(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  const auto* text = std::get_if<std::string>(&value);
  return text ? text::quoted(*text) : "this value";
}

std::string taken(const catalog::Entity& entity, const std::vector<const Property*>& properties,
                  const records::NewRow& row) {
  std::string what;
  for (const Property* property : properties)
    what += (what.empty() ? "" : ", ") + property->name + " " + spelled(row.values.at(property));
  return "there is a record with " + what + " in " + entity.root().name + " already";
}

std::string last_number(const Property& property, std::int64_t used) {
  return property.name + " " + std::to_string(used) + " is the greatest " + catalog::name(property.type) +
         ": no number would be left for what is made later";
}

}  // namespace

Result<std::optional<std::string>> GroupWriter::write(const Evaluated& group) {
  refusal_.reset();
  auto written = care_ == Care::Savepoints ? write_whole(group) : insert_all(group);
  if (!written && !refusal_) return std::move(written).error();
  if (!refusal_)
    for (const auto& [entity, made] : of_group_) counts_[entity] += made;
  return refusal_;
}

Result<void> GroupWriter::write_whole(const Evaluated& group) {
  CALLISTO_TRY(storage::Savepoint part, storage::Savepoint::begin(connection_));
  const std::size_t before = pools_.added();
  auto written = insert_all(group);
  if (!written && !refusal_) return written;
  if (!refusal_) return part.release();
  pools_.undo(before);
  return part.roll_back();
}

Result<void> GroupWriter::insert_all(const Evaluated& group) {
  of_group_.clear();
  made_.clear();
  for (const EvaluatedRow& row : group.made) {
    CALLISTO_TRY(const std::int64_t ref, insert(row));
    made_.push_back(ref);
  }
  CALLISTO_TRY(parent_, insert(group.record));
  for (const EvaluatedRow& row : group.rows) { CALLISTO_TRY([[maybe_unused]] const std::int64_t ref, insert(row)); }
  return inserter_.finish();  // so that what it knows of keys is never undone with a later group
}

Result<std::int64_t> GroupWriter::insert(const EvaluatedRow& from) {
  records::NewRow row = resolve(from);
  CALLISTO_CHECK(check_counters(row));
  CALLISTO_CHECK(check_keys(from, row));
  CALLISTO_TRY(const std::int64_t ref, inserter_.insert(row));
  if (row.entity->key.size() == 1) pools_.add(row, ref);
  ++of_group_[row.entity->name];
  return ref;
}

records::NewRow GroupWriter::resolve(const EvaluatedRow& from) const {
  records::NewRow row{from.entity, {}};
  for (const auto& [property, cell] : from.cells) {
    if (const auto* value = std::get_if<Value>(&cell)) row.values.emplace(property, *value);
    else if (const auto* other = std::get_if<ToMake>(&cell)) row.values.emplace(property, made_[other->number]);
    else row.values.emplace(property, parent_);
  }
  return row;
}

// A number that is counted on from must leave some for what is made later.
Result<void> GroupWriter::check_counters(const records::NewRow& row) {
  const catalog::Entity& entity = *row.entity;
  const Property* key = entity.key.size() == 1 ? entity.key.front() : nullptr;
  for (const Property* counter : {key, entity.find_property(catalog::system::last_history_order)}) {
    const auto given = counter ? row.values.find(counter) : row.values.end();
    const auto* used = given != row.values.end() ? std::get_if<std::int64_t>(&given->second) : nullptr;
    if (used && records::is_last_key(*counter, *used)) return refuse(last_number(*counter, *used));
  }
  return {};
}

// A record that was looked up by something else than its key can do with another one.
Result<void> GroupWriter::check_keys(const EvaluatedRow& from, records::NewRow& row) {
  const catalog::Entity& entity = *row.entity;
  for (const Property* property : entity.properties) {
    const bool is_id = property->name == catalog::system::id;
    if (!is_id && property != entity.key.front()) continue;
    if (row.values.count(property) == 0) continue;
    const auto properties = is_id ? std::vector<const Property*>{property} : entity.key;
    CALLISTO_TRY(const bool found, is_taken(entity, properties, row));
    if (!found) continue;
    if (from.is_looked_up && !from.is_found_by_key && !is_id && entity.key.size() == 1) {
      row.values.take(property);
      continue;
    }
    return refuse(taken(entity, properties, row));
  }
  return {};
}

Error GroupWriter::refuse(std::string why) {
  refusal_ = std::move(why);
  return bad_format(*refusal_);
}

Result<bool> GroupWriter::is_taken(const catalog::Entity& entity, const std::vector<const Property*>& properties,
                                   const records::NewRow& row) {
  Sql sql("SELECT 1 FROM ");
  sql << entity.table << SqlLiteral(" WHERE ");
  std::vector<Value> values;
  for (const Property* property : properties) {
    if (!values.empty()) sql << SqlLiteral(" AND ");
    values.push_back(row.values.at(property));
    // Texts as their unique index compares them.
    const Sql column = Sql() << property->column;
    if (catalog::is_text(property->type)) sql << connection_.dialect().equals_folded(column, values.size());
    else (sql << column << " = ").parameter(values.size());
  }
  CALLISTO_TRY(auto found, connection_.query(sql, values));
  return found->step();
}

}  // namespace callisto::importing
