#include "engine/storage/migrate.h"

#include "engine/base/text.h"
#include "sql_texts.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace callisto::storage {
namespace {

struct Step {
  std::string sql;
  const Migration* migration = nullptr;  // to be recorded after it
  bool is_by_itself = false;             // in a transaction of its own, later
};

struct ExistingColumn {
  std::string name, type;
  bool in_key = false;
};

TableSpec record_table() {
  const auto number = SqlIdentifier::of("number");
  return {SqlIdentifier::of("schema_migration"),
          {{number, ColumnType::Whole},
           {SqlIdentifier::of("name"), ColumnType::Text},
           {SqlIdentifier::of("applied_at"), ColumnType::Whole}},
          {number},
          {}};
}

template <class Take>
Result<void> each_row(Connection& connection, const Sql& sql, const std::vector<Value>& values, const Take& take) {
  CALLISTO_TRY(const auto rows, connection.query(sql, values));
  for (;;) {
    CALLISTO_TRY(const bool row, rows->step());
    if (!row) return {};
    take(*rows);
  }
}

Result<std::vector<ExistingColumn>> existing_columns(Connection& connection, const SqlIdentifier& table) {
  std::vector<ExistingColumn> columns;
  CALLISTO_CHECK(each_row(connection, connection.dialect().list_columns(), {table.text()}, [&](const Cursor& row) {
    columns.push_back({std::string(row.text(0)), std::string(row.text(1)), row.integer(2) != 0});
  }));
  return columns;
}

Result<std::set<std::string>> existing_indexes(Connection& connection, const SqlIdentifier& table) {
  std::set<std::string> names;
  CALLISTO_CHECK(each_row(connection, connection.dialect().list_indexes(), {table.text()},
                          [&](const Cursor& row) { names.emplace(row.text(0)); }));
  return names;
}

Result<std::set<std::int64_t>> recorded(Connection& connection) {
  std::set<std::int64_t> numbers;
  CALLISTO_CHECK(each_row(connection, Sql("SELECT number FROM schema_migration"), {},
                          [&](const Cursor& row) { numbers.insert(row.integer(0)); }));
  return numbers;
}

// Before tables are changed; records::bring_views() makes them again.
Result<void> drop_views(Connection& connection) {
  if (connection.dialect().views_follow_tables()) return {};
  Sql script;
  CALLISTO_CHECK(each_row(connection, connection.dialect().list_views(), {}, [&](const Cursor& row) {
    if (!row.text(1).empty()) script << Dialect::drop_view(SqlIdentifier::of(row.text(0)));
  }));
  return script.empty() ? Result<void>() : connection.run_script(script.text());
}

Result<std::vector<Step>> engine_steps(Connection& connection, const std::vector<Migration>& migrations) {
  std::vector<Step> steps;
  std::set<std::int64_t> done;
  CALLISTO_TRY(auto record_columns, existing_columns(connection, record_table().name));
  if (record_columns.empty()) {
    steps.push_back({connection.dialect().create_table(record_table()).text(), nullptr});
  } else {
    CALLISTO_TRY(done, recorded(connection));
  }
  for (const Migration& migration : migrations)
    if (done.erase(migration.number) == 0) steps.push_back({std::string(migration.sql), &migration});
  if (!done.empty())
    return internal("the database was made by a newer version of this program: it has migration " +
                    std::to_string(*done.rbegin()) + ", which this program does not know");
  return steps;
}

void compare(const Dialect& dialect, const TableSpec& table, const ColumnSpec& wanted, const ExistingColumn& existing,
             std::vector<std::string>& problems) {
  const std::string column = "column " + wanted.name.text() + " of table " + table.name.text();
  const std::string_view type = dialect.declared_type(table, wanted);
  if (!text::equals_ignoring_ascii_case(existing.type, type))
    problems.push_back(column + " is " + existing.type + " in the database, not " + std::string(type));
  const bool is_key = in_key(table, wanted);
  if (is_key != existing.in_key)
    problems.push_back(column + (is_key ? " is not part of the primary key" : " is part of the primary key"));
}

// Of an index of substrings, or of a trigger that fills it: its name is "sx...", and it changes with what it holds.
std::string substring_index(const std::string& name) {
  return name.starts_with("sx") ? name.substr(0, name.find('~')) : std::string();
}

// What the program made for an index that is no longer asked for: the name of a property, which a capital begins,
// follows such a beginning. Those of sql/ have small letters there.
bool is_stale(const TableSpec& table, const std::string& name) {
  const auto is_made_for = [&](const std::string& prefix) {
    return name.starts_with(prefix) && name.size() > prefix.size() && name[prefix.size()] >= 'A' &&
           name[prefix.size()] <= 'Z';
  };
  const bool is_own = std::any_of(table.own_indexes.begin(), table.own_indexes.end(), is_made_for);
  return is_own && std::none_of(table.indexes.begin(), table.indexes.end(), [&](const IndexSpec& index) {
           return name == index.name.text() || name == index.of_all_rows.text();
         });
}

void index_steps(const Dialect& dialect, const TableSpec& table, const std::set<std::string>& existing, bool has_rows,
                 std::vector<Step>& steps) {
  const std::size_t before = steps.size();
  for (const IndexSpec& index : table.indexes) {
    if (existing.count(index.name.text()) != 0 || existing.count(index.of_all_rows.text()) != 0) continue;
    std::set<std::string> former;
    if (index.substrings)
      for (const std::string& name : existing) former.insert(substring_index(name));
    former.erase(std::string());
    for (const std::string& name : former)
      steps.push_back({dialect.drop_substrings(SqlIdentifier::of(name)).text(), nullptr});
    steps.push_back({dialect.create_index(table.name, index).text(), nullptr});
  }
  for (const std::string& name : existing)
    if (is_stale(table, name)) steps.push_back({dialect.drop_index(SqlIdentifier::of(name)).text(), nullptr});
  for (std::size_t i = before; i < steps.size(); ++i) steps[i].is_by_itself = has_rows;
}

// A table as it is, under its name or a former one.
struct ExistingTable {
  SqlIdentifier name;
  std::vector<ExistingColumn> columns;  // none: it is not there

  const ExistingColumn* find(const SqlIdentifier& column) const {
    for (const ExistingColumn& each : columns)
      if (text::equals_ignoring_ascii_case(each.name, column.text())) return &each;
    return nullptr;
  }
};

Result<ExistingTable> existing_table(Connection& connection, const TableSpec& table) {
  std::vector<SqlIdentifier> names{table.name};
  names.insert(names.end(), table.formerly.begin(), table.formerly.end());
  for (const SqlIdentifier& name : names) {
    CALLISTO_TRY(auto columns, existing_columns(connection, name));
    if (!columns.empty()) return ExistingTable{name, std::move(columns)};
  }
  return ExistingTable{table.name, {}};
}

void column_steps(const Dialect& dialect, const TableSpec& table, const ExistingTable& existing,
                  std::vector<Step>& steps, std::vector<std::string>& problems) {
  for (const ColumnSpec& wanted : table.columns) {
    if (const ExistingColumn* same = existing.find(wanted.name)) {
      compare(dialect, table, wanted, *same, problems);
      continue;
    }
    const auto former = std::find_if(wanted.formerly.begin(), wanted.formerly.end(),
                                     [&](const SqlIdentifier& name) { return existing.find(name) != nullptr; });
    if (former == wanted.formerly.end()) {
      steps.push_back({dialect.add_column(table.name, wanted).text(), nullptr});
      continue;
    }
    compare(dialect, table, wanted, *existing.find(*former), problems);
    steps.push_back({Dialect::rename_column(table.name, *former, wanted.name).text(), nullptr});
  }
}

// The name under which the table has the column as yet; empty: it has it under none.
SqlIdentifier name_as_yet(const TableSpec& table, const ExistingTable& existing, const SqlIdentifier& column) {
  if (existing.find(column)) return column;
  for (const ColumnSpec& wanted : table.columns)
    if (wanted.name == column)
      for (const SqlIdentifier& former : wanted.formerly)
        if (existing.find(former)) return former;
  return {};
}

// Rows that name what was renamed.
Result<void> text_steps(Connection& connection, const TableSpec& table, const ExistingTable& existing,
                        std::vector<Step>& steps) {
  for (const TableSpec::RenamedText& renamed : table.renamed_texts) {
    const SqlIdentifier as_yet = name_as_yet(table, existing, renamed.column);
    if (as_yet.text().empty()) continue;
    Sql any("SELECT 1 FROM ");
    (any << existing.name << " WHERE " << as_yet << " = ").parameter(1);
    CALLISTO_TRY(const auto row, connection.query(any << " LIMIT 1", {renamed.before}));
    CALLISTO_TRY(const bool found, row->step());
    if (!found) continue;
    Sql update("UPDATE ");
    (update << table.name << " SET " << renamed.column << " = ").constant(renamed.now);
    (update << " WHERE " << renamed.column << " = ").constant(renamed.before);
    steps.push_back({update.text(), nullptr});
  }
  return {};
}

// The counter of its keys goes with it.
void rename_steps(const SqlIdentifier& before, const SqlIdentifier& now, std::vector<Step>& steps) {
  steps.push_back({Dialect::rename_table(before, now).text(), nullptr});
  Sql counter("UPDATE id_block SET entity = ");
  (counter.constant(now.text()) << " WHERE entity = ").constant(before.text());
  steps.push_back({counter.text(), nullptr});
}

Result<void> table_steps(Connection& connection, const TableSpec& table, std::vector<Step>& steps,
                         std::vector<std::string>& problems) {
  const Dialect& dialect = connection.dialect();
  CALLISTO_TRY(const ExistingTable existing, existing_table(connection, table));
  if (existing.columns.empty()) {
    steps.push_back({dialect.create_table(table).text(), nullptr});
  } else {
    if (existing.name != table.name) rename_steps(existing.name, table.name, steps);
    column_steps(dialect, table, existing, steps, problems);
    CALLISTO_CHECK(text_steps(connection, table, existing, steps));
  }
  CALLISTO_TRY(auto indexes, existing_indexes(connection, existing.name));
  index_steps(dialect, table, indexes, !existing.columns.empty(), steps);
  return {};
}

Result<std::vector<Step>> all_table_steps(Connection& connection, const std::vector<TableSpec>& tables,
                                          std::vector<std::string>& problems) {
  std::vector<Step> steps;
  for (const TableSpec& table : tables) CALLISTO_CHECK(table_steps(connection, table, steps, problems));
  return steps;
}

Result<void> run(Connection& connection, const std::vector<Step>& steps, DateTime now, MigrationPlan& done) {
  for (const Step& step : steps) {
    if (step.is_by_itself) continue;
    CALLISTO_CHECK(connection.run_script(step.sql));
    if (step.migration)
      CALLISTO_CHECK(
          connection.execute(Sql("INSERT INTO schema_migration (number, name, applied_at) VALUES (?1, ?2, ?3)"),
                             {step.migration->number, step.migration->name, now}));
    done.statements.push_back(step.sql);
  }
  return {};
}

Error refused(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += problem + "; ";
  return internal(text + "give the property its former type, or another name for what is stored from now on");
}

std::vector<Migration> embedded_migrations() {
  std::vector<Migration> migrations;
  for (const auto& [name, sql] : embedded::sql_texts::files) {
    Migration migration{0, std::string(name), sql};
    std::from_chars(name.data(), name.data() + name.size(), migration.number);
    migrations.push_back(std::move(migration));
  }
  std::sort(migrations.begin(), migrations.end(),
            [](const Migration& a, const Migration& b) { return a.number < b.number; });
  return migrations;
}

}  // namespace

const std::vector<Migration>& engine_migrations() {
  static const std::vector<Migration> migrations = embedded_migrations();
  return migrations;
}

Result<MigrationPlan> plan(Connection& connection, const std::vector<Migration>& migrations,
                           const std::vector<TableSpec>& tables) {
  MigrationPlan result;
  CALLISTO_TRY(auto steps, engine_steps(connection, migrations));
  CALLISTO_TRY(auto more, all_table_steps(connection, tables, result.problems));
  // In the order of apply(): what is made by itself comes last.
  for (const bool by_itself : {false, true})
    for (const auto* list : {&steps, &more})
      for (const Step& step : *list)
        if (step.is_by_itself == by_itself) result.statements.push_back(step.sql);
  return result;
}

namespace {

Result<void> make_indexes(Database& database, const std::vector<Step>& steps, const Progress& progress,
                          MigrationPlan& done) {
  const auto is_by_itself = [](const Step& step) { return step.is_by_itself; };
  const auto all = static_cast<std::size_t>(std::count_if(steps.begin(), steps.end(), is_by_itself));
  std::size_t number = 0;
  for (const Step& step : steps) {
    if (!step.is_by_itself) continue;
    if (progress) progress(step.sql, ++number, all);
    CALLISTO_CHECK(database.write_alone([&](Connection& connection) { return connection.run_script(step.sql); }));
    done.statements.push_back(step.sql);
  }
  return {};
}

}  // namespace

Result<MigrationPlan> apply(Database& database, const std::vector<Migration>& migrations,
                            const std::vector<TableSpec>& tables, DateTime now, const Progress& progress) {
  MigrationPlan done;
  std::vector<Step> more;
  CALLISTO_CHECK(database.write_alone([&](Connection& connection) -> Result<void> {
    done = {};
    CALLISTO_TRY(auto steps, engine_steps(connection, migrations));
    if (!steps.empty()) CALLISTO_CHECK(drop_views(connection));
    CALLISTO_CHECK(run(connection, steps, now, done));
    CALLISTO_TRY(more, all_table_steps(connection, tables, done.problems));
    if (!done.problems.empty()) return refused(done.problems);
    if (!more.empty()) CALLISTO_CHECK(drop_views(connection));
    return run(connection, more, now, done);
  }));
  CALLISTO_CHECK(make_indexes(database, more, progress, done));
  return done;
}

}  // namespace callisto::storage
