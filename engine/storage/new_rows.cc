#include "engine/storage/new_rows.h"

#include <limits>

namespace callisto::storage {

namespace {

constexpr std::size_t system_parameters = 3;

}  // namespace

Result<std::int64_t> next_refs(Connection& connection, std::string_view table, std::int64_t count) {
  CALLISTO_TRY(const std::int64_t first, connection.next_ids(table, count));
  if (first > std::numeric_limits<std::int32_t>::max() - (count - 1))
    return unavailable("There is no Ref left in " + std::string(table) + ": the greatest Integer is taken.", 3600);
  return first;
}

NewRows::NewRows(std::string_view table, const std::vector<std::string_view>& columns) : table_(table) {
  Sql names, parameters;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    names << ", " << SqlIdentifier::of(columns[i]);
    parameters << ", ";
    parameters.parameter(system_parameters + 1 + i);
  }
  sql_ << "INSERT INTO " << SqlIdentifier::of(table)
       << " (\"Ref\", \"Id\", \"CreatedDate\", \"UpdatedDate\", \"IsDeleted\", \"RecordVersion\"" << names
       << ") VALUES (?1, ?2, ?3, ?3, 0, 1" << parameters << ")";
}

Result<std::int64_t> NewRows::insert(Connection& connection, const std::vector<Value>& values,
                                     const Stamp& stamp) const {
  CALLISTO_TRY(const std::int64_t ref, next_refs(connection, table_, 1));
  std::vector<Value> all{Value(ref), Value(make_guid(stamp.random, stamp.now)), Value(stamp.now)};
  all.insert(all.end(), values.begin(), values.end());
  CALLISTO_CHECK(connection.execute(sql_, all));
  return ref;
}

}  // namespace callisto::storage
