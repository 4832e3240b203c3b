// The columns of the entity table `client`, and the secrets beside it.
#include "engine/auth/admin.h"
#include "engine/auth/words.h"
#include "engine/storage/dialect.h"

namespace callisto::auth {

namespace {

// Of a client with its secret, in the order of read().
constexpr SqlLiteral columns(
    "SELECT c.\"Ref\", c.\"ClientId\", c.\"Name\", c.\"Description\", c.\"SessionType\", c.\"IsEnabled\", "
    "c.\"Grants\", c.\"RedirectUris\", c.\"Role\", x.hash FROM \"client\" c "
    "LEFT JOIN client_secret x ON x.client = c.\"Ref\" ");

Client read(const storage::Cursor& row) {
  Client client;
  client.ref = row.integer(0);
  client.id = row.text(1);
  client.name = row.text(2);
  client.description = row.text(3);
  client.only = session_type(row.text(4));
  // What its SessionType means is not guessed: a client with a misspelt one may do nothing.
  const bool is_any = row.text(4).empty() || row.text(4) == "Any";
  client.enabled = row.integer(5) == 1 && (client.only || is_any);
  client.grants = split_words(row.text(6));
  client.redirect_uris = split_words(row.text(7));
  if (!row.is_null(8)) client.role = row.integer(8);
  if (!row.is_null(9)) client.secret_hash = row.text(9);
  return client;
}

Result<std::optional<Client>> first(storage::Connection& connection, const Sql& sql, Value key) {
  CALLISTO_TRY(const auto row, connection.query(sql, {std::move(key)}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::optional(read(*row)) : std::nullopt;
}

Result<void> put_secret(storage::Connection& connection, std::int64_t client, const std::optional<std::string>& hash) {
  static const Sql put(
      "INSERT INTO client_secret (client, hash) VALUES (?1, ?2) "
      "ON CONFLICT (client) DO UPDATE SET hash = excluded.hash");
  static const Sql remove("DELETE FROM client_secret WHERE client = ?1");
  if (hash) CALLISTO_CHECK(connection.execute(put, {Value(client), Value(*hash)}));
  else CALLISTO_CHECK(connection.execute(remove, {Value(client)}));
  return {};
}

}  // namespace

// The first condition is there for the index, which ignores case; the second decides.
Result<std::optional<Client>> find_client(storage::Connection& connection, const std::string& id) {
  const Sql sql =
      Sql(columns) << "WHERE " << connection.dialect().equals_folded(Sql("c.\"ClientId\""), 1)
                   << " AND c.\"ClientId\" = ?1 AND COALESCE(c.\"IsDeleted\", 0) = 0 ORDER BY c.\"Ref\" LIMIT 1";
  return first(connection, sql, Value(id));
}

Result<std::optional<Client>> find_client(storage::Connection& connection, std::int64_t ref) {
  static const Sql sql = Sql(columns) << "WHERE c.\"Ref\" = ?1 AND COALESCE(c.\"IsDeleted\", 0) = 0";
  return first(connection, sql, Value(ref));
}

Result<std::vector<Client>> list_clients(storage::Connection& connection) {
  static const Sql sql = Sql(columns) << "WHERE COALESCE(c.\"IsDeleted\", 0) = 0 ORDER BY c.\"ClientId\"";
  CALLISTO_TRY(const auto row, connection.query(sql, {}));
  std::vector<Client> clients;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return clients;
    clients.push_back(read(*row));
  }
}

Result<bool> has_twin(storage::Connection& connection, std::int64_t ref, const std::string& id) {
  Sql sql("SELECT 1 FROM \"client\" WHERE ");
  sql << connection.dialect().equals_folded(Sql("\"ClientId\""), 2)
      << " AND \"ClientId\" = ?2 AND \"Ref\" <> ?1 AND COALESCE(\"IsDeleted\", 0) = 0 LIMIT 1";
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(ref), Value(id)}));
  return row->step();
}

Result<void> put_client(storage::Connection& connection, const Client& client, const storage::Stamp& stamp) {
  static const storage::NewRows rows("client", {"ClientId", "Name", "Description", "SessionType", "IsEnabled", "Grants",
                                                "RedirectUris", "Role", "HasSecret"});
  static const Sql replace(
      "UPDATE \"client\" SET \"Name\" = ?2, \"Description\" = ?3, \"SessionType\" = ?4, \"IsEnabled\" = ?5, "
      "\"Grants\" = ?6, \"RedirectUris\" = ?7, \"Role\" = ?8, \"HasSecret\" = ?9, \"UpdatedDate\" = ?10, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Ref\" = ?1");
  CALLISTO_TRY(const auto known, find_client(connection, client.id));
  std::vector<Value> values{Value(known ? Value(known->ref) : Value(client.id)),
                            Value(client.name),
                            Value(client.description),
                            Value(std::string(client.only ? name(*client.only) : "Any")),
                            Value(client.enabled),
                            Value(join_words(client.grants)),
                            Value(join_words(client.redirect_uris)),
                            client.role ? Value(*client.role) : Value(Null()),
                            Value(client.secret_hash.has_value())};
  std::int64_t ref = 0;
  if (known) {
    ref = known->ref;
    values.push_back(Value(stamp.now));
    CALLISTO_CHECK(connection.execute(replace, values));
  } else {
    CALLISTO_TRY(ref, rows.insert(connection, values, stamp));
  }
  return put_secret(connection, ref, client.secret_hash);
}

Result<void> put_client_secret(storage::Connection& connection, std::int64_t client, const std::string& hash) {
  return put_secret(connection, client, hash);
}

Result<bool> disable_client(storage::Connection& connection, const std::string& client_id, DateTime now) {
  Sql sql(
      "UPDATE \"client\" SET \"IsEnabled\" = 0, \"UpdatedDate\" = ?2, \"RecordVersion\" = \"RecordVersion\" + 1 "
      "WHERE ");
  sql << connection.dialect().equals_folded(Sql("\"ClientId\""), 1)
      << " AND \"ClientId\" = ?1 AND COALESCE(\"IsDeleted\", 0) = 0";
  CALLISTO_TRY(const std::int64_t changed, connection.execute(sql, {Value(client_id), Value(now)}));
  return changed > 0;
}

}  // namespace callisto::auth
