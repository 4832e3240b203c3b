#include "engine/storage/ids.h"

#include <string>

namespace callisto::storage {

Result<std::int64_t> next_ids(Connection& connection, std::string_view table, std::int64_t count) {
  if (count < 1) return internal("asked for " + std::to_string(count) + " keys");
  CALLISTO_TRY(auto row,
               connection.query(Sql("INSERT INTO id_block (entity, next) VALUES (?1, 1 + ?2) "
                                    "ON CONFLICT (entity) DO UPDATE SET next = id_block.next + ?2 RETURNING next - ?2"),
                                {std::string(table), count}));
  CALLISTO_TRY(bool given, row->step());
  if (!given) return internal("no keys left for " + std::string(table));
  return row->integer(0);
}

Result<void> keep_ids_above(Connection& connection, std::string_view table, std::int64_t used) {
  CALLISTO_CHECK(connection.execute(
      Sql("INSERT INTO id_block (entity, next) VALUES (?1, 1 + ?2) "
          "ON CONFLICT (entity) DO UPDATE SET next = excluded.next WHERE excluded.next > id_block.next"),
      {std::string(table), used}));
  return {};
}

}  // namespace callisto::storage
