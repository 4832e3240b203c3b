#include "engine/auth/client_right.h"

#include "engine/auth/clients/client.h"
#include "engine/auth/words.h"

#include <algorithm>

namespace callisto::auth {

Result<bool> client_has_right(storage::Connection& connection, const std::string& client_id, std::string_view right) {
  static const Sql sql("SELECT \"Rights\" FROM \"role\" WHERE \"Ref\" = ?1 AND COALESCE(\"IsDeleted\", 0) = 0");
  CALLISTO_TRY(const auto client, find_client(connection, client_id));
  if (!client || !client->enabled || !client->role) return false;
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(*client->role)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return false;
  const auto rights = split_words(row->text(0));
  return std::find(rights.begin(), rights.end(), right) != rights.end();
}

}  // namespace callisto::auth
