#include "engine/storage/new_rows.h"

namespace callisto::storage {

namespace {

constexpr std::size_t system_parameters = 3;

}  // namespace

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
  CALLISTO_TRY(const std::int64_t ref, connection.next_ids(table_, 1));
  std::vector<Value> all{Value(ref), Value(make_guid(stamp.random, stamp.now)), Value(stamp.now)};
  all.insert(all.end(), values.begin(), values.end());
  CALLISTO_CHECK(connection.execute(sql_, all));
  return ref;
}

}  // namespace callisto::storage
