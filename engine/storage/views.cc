#include "engine/storage/views.h"

#include "engine/base/running_digest.h"
#include "engine/storage/dialect.h"

#include <map>

namespace callisto::storage {

namespace {

constexpr SqlLiteral mark("/* made by Callisto */ ");

bool is_sqlite(const Connection& connection) { return &connection.dialect() == &sqlite_dialect(); }

// By which a view is known again: SQLite keeps its statement, PostgreSQL a text of its own making, and a comment.
struct Wanted {
  Sql create;
  std::string known_by;
};

Wanted wanted(const ViewSpec& view, bool sqlite) {
  Sql create("CREATE VIEW ");
  create << view.name << " AS ";
  if (sqlite) create << mark;
  create << view.select;
  if (sqlite) return {create, create.text()};
  const std::string note = view.description + " (made by Callisto, " + sha256_hex(create.text()).substr(0, 16) + ")";
  create << "; COMMENT ON VIEW " << view.name << " IS ";
  create.constant(note);
  return {create, note};
}

// The relations that have such names: what each is known by; empty: it is somebody else's.
Result<std::map<std::string, std::string>> existing(Connection& connection) {
  static const Sql in_sqlite(
      "SELECT name, CASE WHEN type = 'view' AND instr(sql, '/* made by Callisto */') > 0 THEN sql ELSE '' END "
      "FROM sqlite_schema WHERE type IN ('table', 'view') AND name LIKE 'report\\_%' ESCAPE '\\'");
  static const Sql in_postgres(
      "SELECT c.relname, CASE WHEN c.relkind = 'v' AND obj_description(c.oid, 'pg_class') LIKE '%(made by Callisto, %' "
      "THEN obj_description(c.oid, 'pg_class') ELSE '' END FROM pg_class c "
      "WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relname LIKE 'report\\_%'");
  std::map<std::string, std::string> found;
  CALLISTO_TRY(auto cursor, connection.query(is_sqlite(connection) ? in_sqlite : in_postgres, {}));
  for (;;) {
    CALLISTO_TRY(const bool more, cursor->step());
    if (!more) return found;
    found.emplace(cursor->text(0), cursor->text(1));
  }
}

Sql drop(const std::string& name) { return Sql("DROP VIEW IF EXISTS ") << SqlIdentifier::of(name) << "; "; }

struct Change {
  std::string name;
  Sql script;
};

std::vector<Change> changes(const std::map<std::string, std::string>& found, const std::vector<ViewSpec>& views,
                            bool sqlite) {
  std::vector<Change> all;
  std::map<std::string, std::string> stale = found;
  for (const ViewSpec& view : views) {
    const Wanted each = wanted(view, sqlite);
    const auto known = stale.extract(view.name.text());
    if (known && (known.mapped().empty() || known.mapped() == each.known_by)) continue;
    all.push_back({view.name.text(), drop(view.name.text()) << each.create});
  }
  for (const auto& [name, known_by] : stale)
    if (!known_by.empty()) all.push_back({name, drop(name)});
  return all;
}

// One that cannot be changed hinders no other.
Result<void> change(Connection& connection, const Change& each, std::vector<std::string>& refused) {
  CALLISTO_TRY(auto before, Savepoint::begin(connection));
  const auto done = connection.run_script(each.script.text());
  if (done) return before.release();
  refused.push_back("the view " + each.name + " stays as it is: " + done.error().log_detail);
  return before.roll_back();
}

}  // namespace

Result<std::vector<std::string>> bring_views(Database& database, const std::vector<ViewSpec>& views) {
  std::vector<std::string> refused;
  CALLISTO_TRY(const auto reader, database.connect_reader());
  CALLISTO_TRY(const auto found, existing(*reader));
  if (changes(found, views, is_sqlite(*reader)).empty()) return refused;
  CALLISTO_CHECK(database.write_alone([&](Connection& connection) -> Result<void> {
    refused.clear();
    CALLISTO_TRY(const auto now, existing(connection));
    for (const Change& each : changes(now, views, is_sqlite(connection)))
      CALLISTO_CHECK(change(connection, each, refused));
    return {};
  }));
  return refused;
}

Result<void> drop_views(Connection& connection) {
  if (!is_sqlite(connection)) return {};
  CALLISTO_TRY(const auto found, existing(connection));
  Sql script;
  for (const auto& [name, known_by] : found)
    if (!known_by.empty()) script << drop(name);
  return script.empty() ? Result<void>() : connection.run_script(script.text());
}

}  // namespace callisto::storage
