#include "engine/storage/ids.h"

#include <string>

namespace callisto::storage {

Result<std::int64_t> next_ids(Connection& connection, std::string_view table, std::int64_t count) {
  if (count < 1) return internal("asked for " + std::to_string(count) + " keys");
  static const Sql sql(
      "INSERT INTO id_block (entity, next) VALUES (?1, 1 + ?2) "
      "ON CONFLICT (entity) DO UPDATE SET next = id_block.next + ?2 RETURNING next - ?2");
  CALLISTO_TRY(const auto first, connection.count_apart(sql, {std::string(table), count}));
  if (!first) return internal("no keys left for " + std::string(table));
  return *first;
}

Result<void> keep_ids_above(Connection& connection, std::string_view table, std::int64_t used) {
  static const Sql sql(
      "INSERT INTO id_block (entity, next) VALUES (?1, 1 + ?2) "
      "ON CONFLICT (entity) DO UPDATE SET next = excluded.next WHERE excluded.next > id_block.next RETURNING next");
  CALLISTO_CHECK(connection.count_apart(sql, {std::string(table), used}));
  return {};
}

}  // namespace callisto::storage
