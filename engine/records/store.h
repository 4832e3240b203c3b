// Store: reads and writes whole rows of entity tables, with statements made once for a catalog. Immutable; the
// connection's thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/sql.h"
#include "engine/query/emit_sql.h"
#include "engine/records/record.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace callisto::records {

class Store {
 public:
  Store(const catalog::Catalog& catalog, query::Dialect dialect);

  // The row of `entity` or one of its descendants, as its final type; nothing where there is none. Deleted rows are
  // found, and so are those of every partition: what the session may see is the caller's question.
  Result<std::optional<Record>> load(storage::Connection& connection, const catalog::Entity& entity,
                                     std::int64_t key) const;

  using Key = std::vector<std::int64_t>;  // its parts
  Result<std::optional<Record>> load(storage::Connection& connection, const catalog::Entity& entity,
                                     const Key& key) const;

  // The same with those properties alone that rules depend on; nothing else of it may be asked.
  Result<std::optional<Record>> load_for_rules(storage::Connection& connection, const catalog::Entity& entity,
                                               std::int64_t key) const;
  // The properties that load_for_rules reads of a record of that final type.
  std::vector<const catalog::Property*> watched(const catalog::Entity& type) const;
  // Once, before any load: the columns that load_for_rules reads of this hierarchy, by name.
  void watch(const catalog::Entity& root, const std::set<std::string>& columns);

  // Keys of rows whose properties have one of the values given for each, ascending; deleted rows are left out.
  using Match = std::map<const catalog::Property*, std::vector<Value>>;
  Result<std::vector<Key>> find(storage::Connection& connection, const catalog::Entity& entity, const Match& match,
                                std::size_t most) const;

  // A row of that final type; what `values` lacks is null. One statement for all rows of a type, whatever they bring.
  Result<void> insert(storage::Connection& connection, const catalog::Entity& type,
                      const catalog::PropertyValues& values) const;
  // Writes what changed in a row that exists.
  Result<void> update(storage::Connection& connection, const Record& record) const;
  // The bytes of one property alone, held once: `bytes` is lent and comes back as it was.
  Result<void> write_bytes(storage::Connection& connection, const Record& record, const catalog::Property& property,
                           std::string& bytes) const;
  Result<void> remove(storage::Connection& connection, const Record& record) const;  // for good

 private:
  using Columns = std::vector<std::pair<const catalog::Property*, std::size_t>>;
  struct Table {
    Sql select;                       // all columns of all types, by key
    std::optional<std::size_t> type;  // the column of the final type's name
    std::map<std::string, const catalog::Entity*, std::less<>> types;
    std::map<const catalog::Entity*, Columns> columns;
  };
  struct Insert {
    Sql sql;
    std::vector<const catalog::Property*> properties;  // its parameters
  };
  static Table table_of(const catalog::Entity& root, const std::set<std::string>* only);
  static Insert insert_of(const catalog::Entity& type, query::Dialect dialect);
  static Result<std::optional<Record>> load(const Table& table, storage::Connection& connection,
                                            const catalog::Entity& entity, const Key& key);

  std::map<const catalog::Entity*, Table> watched_;   // by root
  std::map<const catalog::Entity*, Table> tables_;    // by root
  std::map<const catalog::Entity*, Insert> inserts_;  // by final type
};

}  // namespace callisto::records
