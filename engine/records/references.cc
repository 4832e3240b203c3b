#include "engine/records/references.h"

#include "engine/records/rules.h"
#include "engine/records/schema.h"
#include "engine/records/visible.h"

namespace callisto::records {

namespace {

using catalog::Entity;
using catalog::Property;
namespace system = catalog::system;

constexpr std::size_t most_found = 100;
constexpr std::size_t most_rows = 10'000;  // without an index

struct Referrer {
  std::int64_t key;
  const Property* lookup;
};

// Who made and changed a row last is kept of every row, and holds nobody.
bool is_of_the_engine(const Property& property) {
  return property.name == system::created_by || property.name == system::updated_by;
}

bool is_made_by_somebody(const Entity& entity) {
  for (const Entity* type : entity.final_types()) {
    const catalog::Action* create = type->find_action("create");
    if (create && create->supported) return true;
  }
  return false;
}

bool is_lookup_to(const Property& property, const Entity& type) {
  return property.target && !property.is_key && has_column(property) && !is_of_the_engine(property) &&
         type.is_or_extends(*property.target);
}

// That of the partition begins an index where it limits some of the table's rows.
bool is_indexed(const Entity& entity, const Property& property) {
  if (!property.unindexed || property.indexed || property.in_index) return true;
  for (const Entity* type : entity.root().final_types())
    if (type->limiting_partition() == &property) return true;
  return false;
}

// Rows of `entity` and its children that are not deleted.
Sql referrers(const Entity& entity, const Property& lookup, const Record& record, std::vector<Value>& values) {
  const SqlIdentifier& key = entity.key.front()->column;
  Sql sql("SELECT ");
  sql << key << " FROM ";
  if (is_indexed(entity, lookup)) sql << entity.table;
  else {
    (sql << "(SELECT * FROM " << entity.table << " ORDER BY " << key << " DESC LIMIT ").integer(most_rows);
    sql << ") AS newest";
  }
  const auto require = [&](const SqlIdentifier& column, SqlLiteral how, Value value) {
    values.push_back(std::move(value));
    (sql << (values.size() == 1 ? SqlLiteral(" WHERE ") : SqlLiteral(" AND ")) << column << how)
        .parameter(values.size());
  };
  require(lookup.column, SqlLiteral(" = "), record.key());
  if (const Property* deleted = entity.find_property(system::is_deleted); deleted && entity.deletable)
    require(deleted->column, SqlLiteral(" = "), false);
  if (&entity.root() == &record.entity().root()) require(key, SqlLiteral(" <> "), record.key());
  if (entity.type_column) {
    sql << " AND " << entity.type_column->column << " IN (";
    const auto types = entity.final_types();
    for (const Entity* type : types) {
      if (type != types.front()) sql << ", ";
      values.emplace_back(type->name);
      sql.parameter(values.size());
    }
    sql << ")";
  }
  (sql << " LIMIT ").integer(most_found);
  return sql;
}

Error in_use(const Record& record, std::size_t seen, const std::string& one) {
  std::string message = "This " + record.entity().name + " is not deleted: ";
  if (seen == 0) message += "it is in use.";
  else if (seen == 1) message += one + " refers to it.";
  else
    message +=
        (seen >= most_found ? "at least " : "") + std::to_string(seen) + " records refer to it, such as " + one + ".";
  return invalid_state(std::move(message));
}

// Adds to `found`, by the entity that has the lookup and all that extends it.
Result<void> find_referrers(const Context& context, const Entity& entity, const Record& record,
                            std::vector<std::pair<const Entity*, Referrer>>& found) {
  for (const Property* property : entity.properties) {
    if (property->owner != &entity || !is_lookup_to(*property, record.entity())) continue;
    std::vector<Value> values;
    const Sql sql = referrers(entity, *property, record, values);
    CALLISTO_TRY(const auto rows, context.connection.query(sql, values));
    while (found.size() < most_found) {
      CALLISTO_TRY(const bool more, rows->step());
      if (!more) break;
      found.push_back({&entity, {rows->integer(0), property}});
    }
  }
  return {};
}

}  // namespace

Result<void> check_unreferenced(const Context& context, const Record& record) {
  if (record.entity().key.size() != 1) return {};
  std::vector<std::pair<const Entity*, Referrer>> found;
  for (const auto& entity : context.model.catalog().entities())
    if (entity->key.size() == 1 && is_made_by_somebody(*entity) && found.size() < most_found)
      CALLISTO_CHECK(find_referrers(context, *entity, record, found));
  if (found.empty()) return {};
  std::size_t seen = 0;
  std::string one;
  for (const auto& [entity, referrer] : found) {
    CALLISTO_TRY(const auto other, find_visible(context, *entity, referrer.key));
    if (!other || ++seen > 1) continue;
    one = other->entity().name + ' ' + std::to_string(referrer.key);
    if (!context.access.fields.find(*referrer.lookup)) one += " (" + referrer.lookup->name + ")";
  }
  return in_use(record, seen, one);
}

}  // namespace callisto::records
