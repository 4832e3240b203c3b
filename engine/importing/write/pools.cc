#include "engine/importing/write/pools.h"

#include "engine/base/text.h"
#include "engine/records/values.h"

#include <algorithm>
#include <charconv>

namespace callisto::importing {

namespace {

using catalog::Property;

// The type and the deleted flag of rows, where the table has them, behind the key.
struct Columns {
  const Property* type = nullptr;
  const Property* deleted = nullptr;
  std::vector<const Property*> all;
};

Columns columns_of(const Pool& pool) {
  Columns columns{pool.entity->root().type_column,
                  pool.entity->find_property(catalog::system::is_deleted),
                  {pool.entity->key.front()}};
  if (columns.type) columns.all.push_back(columns.type);
  if (columns.deleted) columns.all.push_back(columns.deleted);
  columns.all.insert(columns.all.end(), pool.by.begin(), pool.by.end());
  return columns;
}

bool is_in(const Pool& pool, const Columns& columns, const storage::Cursor& row) {
  std::size_t at = 1;
  if (columns.type) {
    const auto types = pool.entity->final_types();
    const std::string_view type = row.text(at++);
    if (std::none_of(types.begin(), types.end(), [&](const catalog::Entity* entity) { return entity->name == type; }))
      return false;
  }
  return !columns.deleted || row.is_null(at) || !records::read_boolean(row, at, *columns.deleted);
}

void append_text(std::string& key, const std::string& text) {
  const std::string folded = text::fold(text);
  key += 's' + std::to_string(folded.size()) + ':' + folded;
}

void append_number(std::string& key, double number) {
  char digits[32];
  key += 'd';
  key.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

void Pools::append_key(std::string& key, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) append_text(key, *text);
  else if (const auto* whole = std::get_if<std::int64_t>(&value)) key += 'i' + std::to_string(*whole);
  else if (const auto* moment = std::get_if<DateTime>(&value)) key += 't' + std::to_string(moment->ms);
  else if (const auto* decimal = std::get_if<Decimal>(&value)) key += 'm' + std::to_string(decimal->digits);
  else if (const auto* number = std::get_if<double>(&value)) append_number(key, *number);
  else if (const auto* flag = std::get_if<bool>(&value)) key += *flag ? 'y' : 'n';
  else if (const auto* binary = std::get_if<Binary>(&value))
    key += 'b' + std::to_string(binary->bytes.size()) + ':' + binary->bytes;
  else key += '-';
}

Result<void> Pools::load(storage::Connection& connection) {
  for (std::size_t i = 0; i < pools_.size(); ++i) CALLISTO_CHECK(load(connection, i));
  return {};
}

Result<void> Pools::load(storage::Connection& connection, std::size_t number) {
  const Pool& pool = pools_[number];
  const Columns columns = columns_of(pool);
  Sql sql("SELECT ");
  for (std::size_t i = 0; i < columns.all.size(); ++i) {
    if (i > 0) sql << SqlLiteral(", ");
    sql << columns.all[i]->column;
  }
  sql << SqlLiteral(" FROM ") << pool.entity->table << SqlLiteral(" ORDER BY ") << columns.all.front()->column;
  CALLISTO_TRY(auto row, connection.query(sql, {}));
  for (const std::size_t by = columns.all.size() - pool.by.size();;) {
    CALLISTO_TRY(const bool found, row->step());
    if (!found) return {};
    if (!is_in(pool, columns, *row)) continue;
    std::string key;
    for (std::size_t i = 0; i < pool.by.size(); ++i) append_key(key, records::read_value(*row, by + i, *pool.by[i]));
    refs_[number].emplace(std::move(key), row->integer(0));  // the first, and so the lowest, stays
  }
}

std::optional<std::int64_t> Pools::find(std::size_t pool, const std::string& key) const {
  const auto found = refs_[pool].find(key);
  return found == refs_[pool].end() ? std::nullopt : std::optional(found->second);
}

void Pools::add(const records::NewRow& row, std::int64_t ref) {
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    if (!row.entity->is_or_extends(*pools_[i].entity)) continue;
    std::string key;
    for (const Property* property : pools_[i].by) {
      const auto given = row.values.find(property);
      if (given != row.values.end()) append_key(key, given->second);
      else if (property == row.entity->key.front()) append_key(key, ref);
      else append_key(key, property->default_value.value_or(Null{}));
    }
    if (refs_[i].emplace(key, ref).second) added_.emplace_back(i, std::move(key));
  }
}

void Pools::undo(std::size_t from) {
  for (std::size_t i = from; i < added_.size(); ++i) refs_[added_[i].first].erase(added_[i].second);
  added_.resize(std::min(from, added_.size()));
}

}  // namespace callisto::importing
