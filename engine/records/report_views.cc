#include "engine/records/report_views.h"

#include "engine/catalog/naming.h"
#include "engine/query/stored_flag.h"
#include "engine/records/schema.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace callisto::records {

namespace {

using catalog::DataType;
using catalog::Entity;
using catalog::Property;

// Not what only some may read: who may read a database is asked for no rights.
bool is_shown(const Property& property) {
  return has_column(property) && !property.internal && !property.sealed && !property.read &&
         property.type != DataType::Binary;
}

class ViewBuilder {
 public:
  ViewBuilder(const Entity& entity, query::Dialect dialect) : entity_(entity), dialect_(dialect) {
    for (const Property* property : entity.properties)
      if (has_column(*property)) names_.insert(property->name);
  }

  storage::ViewSpec build(SqlIdentifier name) {
    for (const Property* property : entity_.properties)
      if (is_shown(*property)) add(*property);
    Sql select("SELECT ");
    select << columns_ << " FROM " << entity_.root().table << " AS t0" << joins_ << conditions();
    return {std::move(name), std::move(select), entity_.description};
  }

 private:
  void add(const Property& property) {
    add_column(shown(property, own(property)), property.name);
    if (property.type == DataType::Lookup && property.target) add_name_of(property);
  }

  void add_column(const Sql& value, const std::string& name) {
    if (!columns_.empty()) columns_ << ", ";
    columns_ << value << " AS " << SqlIdentifier::of(name);
  }

  static Sql own(const Property& property) { return Sql("t0.") << property.column; }

  Sql shown(const Property& property, const Sql& column) const {
    switch (property.type) {
      case DataType::DateTime:
        if (dialect_ == query::Dialect::PostgreSql) return Sql("to_timestamp(") << column << " / 1000.0)";
        return Sql("strftime('%Y-%m-%dT%H:%M:%fZ', ") << column << " / 1000.0, 'unixepoch')";
      case DataType::Boolean:
        return Sql("(") << query::stored_flag(dialect_, property, column) << ")";
      case DataType::Decimal:
        return decimal(property, column);
      default:
        return column;
    }
  }

  static Sql decimal(const Property& property, const Sql& column) {
    std::size_t unit = 1;
    for (int i = 0; i < property.scale; ++i) unit *= 10;
    return (Sql(column) << " / ").integer(unit) << ".0";
  }

  // PriorityName beside Priority, where no property has that name.
  void add_name_of(const Property& lookup) {
    const Entity& target = *lookup.target;
    const Property* label = target.label;
    const std::string name = lookup.name + "Name";
    const bool has_label = label && is_shown(*label) && catalog::is_text(label->type);
    if (!has_label || target.key.size() != 1 || !names_.insert(name).second) return;
    const auto table = [number = ++joined_] { return Sql().alias('t', number); };
    joins_ << " LEFT JOIN " << target.root().table << " AS " << table() << " ON " << table() << "."
           << target.key.front()->column << " = " << own(lookup);
    add_column(Sql(table()) << "." << label->column, name);
  }

  Sql conditions() const {
    Sql all;
    const auto add = [&all](const Sql& condition) {
      all << (all.empty() ? SqlLiteral(" WHERE ") : SqlLiteral(" AND ")) << condition;
    };
    const Property* deleted = entity_.find_property(catalog::system::is_deleted);
    if (entity_.deletable && deleted && has_column(*deleted))
      add(Sql("NOT COALESCE(") << query::stored_flag(dialect_, *deleted, own(*deleted)) << ", FALSE)");
    if (entity_.parent && entity_.type_column) add(is_of_type());
    return all;
  }

  Sql is_of_type() const {
    Sql types;
    for (const Entity* type : entity_.final_types()) {
      if (!types.empty()) types << ", ";
      types.constant(type->name);
    }
    return own(*entity_.type_column) << " IN (" << types << ")";
  }

  const Entity& entity_;
  const query::Dialect dialect_;
  std::set<std::string> names_;  // that are taken
  Sql columns_, joins_;
  std::size_t joined_ = 0;
};

// PostgreSQL would cut a longer one, and another could have that name.
SqlIdentifier view_name(const Entity& entity) {
  const std::string name = std::string(storage::view_prefix) + catalog::table_name(entity.name);
  return name.size() <= catalog::longest_name ? SqlIdentifier::of(name) : SqlIdentifier();
}

}  // namespace

std::vector<storage::ViewSpec> report_views(const catalog::Catalog& catalog, query::Dialect dialect) {
  std::vector<storage::ViewSpec> views;
  for (const auto& entity : catalog.entities()) {
    SqlIdentifier name = view_name(*entity);
    const bool has_rows = !entity->final_types().empty();
    const bool shows = std::any_of(entity->properties.begin(), entity->properties.end(),
                                   [](const Property* property) { return is_shown(*property); });
    if (has_rows && shows && !name.text().empty())
      views.push_back(ViewBuilder(*entity, dialect).build(std::move(name)));
  }
  return views;
}

query::Dialect dialect_of(const storage::Connection& connection) {
  return &connection.dialect() == &storage::sqlite_dialect() ? query::Dialect::Sqlite : query::Dialect::PostgreSql;
}

namespace {

using Found = std::map<std::string, std::string>;  // by name: what it is known by; empty: it is somebody else's

Result<Found> existing(storage::Connection& connection) {
  Found found;
  CALLISTO_TRY(const auto cursor, connection.query(connection.dialect().list_views(), {}));
  for (;;) {
    CALLISTO_TRY(const bool more, cursor->step());
    if (!more) return found;
    found.emplace(cursor->text(0), cursor->text(1));
  }
}

struct Change {
  std::string name;
  Sql script;
};

std::vector<Change> changes(Found found, const std::vector<storage::ViewSpec>& views, const storage::Dialect& dialect) {
  std::vector<Change> all;
  for (const storage::ViewSpec& view : views) {
    const auto wanted = dialect.create_view(view);
    const auto known = found.extract(view.name.text());
    if (known && (known.mapped().empty() || known.mapped() == wanted.known_by)) continue;
    all.push_back({view.name.text(), storage::Dialect::drop_view(view.name) << wanted.script});
  }
  for (const auto& [name, known_by] : found)
    if (!known_by.empty()) all.push_back({name, storage::Dialect::drop_view(SqlIdentifier::of(name))});
  return all;
}

// One that cannot be changed hinders no other.
Result<void> change(storage::Connection& connection, const Change& each, std::vector<std::string>& refused) {
  CALLISTO_TRY(auto before, storage::Savepoint::begin(connection));
  const auto done = connection.run_script(each.script.text());
  if (done) return before.release();
  refused.push_back("the view " + each.name + " stays as it is: " + done.error().log_detail);
  const auto undone = before.roll_back();
  return undone ? undone : done;  // want of memory or of disk ends the whole transaction
}

}  // namespace

Result<std::vector<std::string>> bring_views(storage::Database& database, const std::vector<storage::ViewSpec>& views) {
  std::vector<std::string> refused;
  CALLISTO_TRY(const auto reader, database.connect_reader());
  CALLISTO_TRY(auto found, existing(*reader));
  if (changes(std::move(found), views, reader->dialect()).empty()) return refused;
  CALLISTO_CHECK(database.write_alone([&](storage::Connection& connection) -> Result<void> {
    refused.clear();
    CALLISTO_TRY(auto now, existing(connection));
    for (const Change& each : changes(std::move(now), views, connection.dialect()))
      CALLISTO_CHECK(change(connection, each, refused));
    return {};
  }));
  return refused;
}

}  // namespace callisto::records
