#include "tests/differential/world.h"

#include "engine/catalog/partitions.h"
#include "engine/catalog/type_index.h"
#include "engine/storage/dialect.h"
#include "engine/storage/upkeep.h"
#include "tests/support/postgres.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <set>

namespace callisto::test {
namespace {

using catalog::DataType;
using query::Reach;

constexpr std::int64_t partition_count = 3;
constexpr std::chrono::minutes patience{5};  // of what a busy machine needs for the longest filters
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

const std::map<std::string, std::size_t, std::less<>> table_rows{
    {"partition", 3}, {"region", 4}, {"city", 7}, {"person", 14}, {"item", 20}, {"document", 90}, {"note", 60}};

const std::vector<std::string> text_format{"",
                                           " ",
                                           "a",
                                           "A",
                                           "ab",
                                           "AB%",
                                           "ab%",
                                           "a_b",
                                           "100%",
                                           "it's",
                                           "\"quoted\"",
                                           "back\\slash",
                                           "\xC3\x84rger",
                                           "\xC3\xA4RGER",
                                           "Arger",
                                           "stra\xC3\x9F"
                                           "e",
                                           "STRASSE",
                                           "\xE1\xBA\x9E",
                                           "\xC3\x9F",
                                           "\xC4\xB0",
                                           "i",
                                           "I",
                                           "\xC4\xB1",
                                           "\xE2\x84\xAA",
                                           "k",
                                           "K",
                                           "\xCF\x83",
                                           "\xCF\x82",
                                           "\xCE\xA3",
                                           "\xE6\x97\xA5\xE6\x9C\xAC",
                                           "\xF0\x9F\x90\x9F"};

template <typename T>
const T& one_of(Random& random, const std::vector<T>& choices) {
  return choices[below(random, choices.size())];
}

storage::ColumnType column_type(const catalog::Property& property) {
  switch (property.type) {
    case DataType::Float:
    case DataType::Double:
      return storage::ColumnType::Real;
    case DataType::Text:
    case DataType::RichText:
      return storage::ColumnType::Text;
    case DataType::Binary:
      return storage::ColumnType::Bytes;
    case DataType::Boolean:
      return property.stored.is_text() ? storage::ColumnType::Text : storage::ColumnType::Whole;
    default:
      return storage::ColumnType::Whole;
  }
}

// Every column of a table: those of all entities that share it, each once.
std::vector<const catalog::Property*> columns_of(const catalog::Catalog& catalog, const catalog::Entity& root) {
  std::vector<const catalog::Property*> columns;
  std::set<std::string> known;
  for (const auto& entity : catalog.entities())
    if (&entity->root() == &root)
      for (const catalog::Property* property : entity->properties)
        if (known.insert(property->column.text()).second) columns.push_back(property);
  return columns;
}

Value stored(Random& random, const catalog::Property& property, const Value& value) {
  const auto* flag = std::get_if<bool>(&value);
  if (!flag || !property.stored.is_text()) return value;
  static const std::vector<std::string> yes{"Y", "y", "YES", "T", "True", "ON", "on", "1", "P", "A"};
  static const std::vector<std::string> no{"N", "", "0", "OFF", "X", "yess", "YE\xC5\xBF"};
  return one_of(random, *flag ? yes : no);
}

Value read(const storage::Cursor& row, std::size_t column, const catalog::Property& property) {
  if (row.is_null(column)) return Null{};
  switch (property.type) {
    case DataType::Float:
    case DataType::Double:
      return row.real(column);
    case DataType::Text:
    case DataType::RichText:
      return std::string(row.text(column));
    case DataType::Decimal:
      return Decimal{row.integer(column), property.scale};
    case DataType::DateTime:
      return DateTime{row.integer(column)};
    case DataType::Binary:
      return Binary{std::string(row.text(column))};
    case DataType::Boolean:
      break;
    default:
      return row.integer(column);
  }
  if (!property.stored.is_text()) return row.integer(column) == 1;
  static const std::set<std::string, std::less<>> yes{"Y", "y", "YES", "T", "True", "ON", "on", "1", "P", "A"};
  return yes.count(row.text(column)) > 0;
}

// What stands behind the columns that make a group.
void append_results(std::vector<Value>& row, const storage::Cursor& cursor, const query::Grouping& grouping) {
  row.push_back(read(cursor, row.size(), *grouping.number));
  for (const query::Aggregate& each : grouping.aggregates) row.push_back(read(cursor, row.size(), *each.shown));
}

template <typename T>
T expect(Result<T> result) {
  if (!result) FAIL(result.error().message << " / " << result.error().log_detail);
  return std::move(*result);
}

}  // namespace

std::size_t below(Random& random, std::size_t limit) { return static_cast<std::size_t>(random() % limit); }

bool chance(Random& random, int percent) { return below(random, 100) < static_cast<std::size_t>(percent); }

Value random_value(Random& random, DataType type, int scale) {
  static const std::vector<std::int64_t> small{-3, -1, 0, 1, 2, 3, 5, 12};
  static const std::vector<std::int64_t> large{smallest,         -3,          0,      2, 9007199254740992,
                                               9007199254740993, largest - 1, largest};
  static const std::vector<std::int64_t> digits{smallest, -12345, -100, -5, 0, 7, 10, 100, 200, 1000, 20000, largest};
  static const std::vector<double> reals{
      -2.5, -0.0, 0.07, 0.1, 1, 2, 2.5, 1e-300, 9007199254740992.0, 9223372036854775807.0};
  switch (type) {
    case DataType::Binary:
      return Binary{one_of(random, text_format)};
    case DataType::Boolean:
      return chance(random, 50);
    case DataType::DateTime:
      return DateTime{one_of(random, small) * 1000};
    case DataType::Float:
    case DataType::Double:
      return one_of(random, reals);
    case DataType::Decimal:
      return Decimal{one_of(random, digits), scale};
    case DataType::Long:
      return one_of(random, large);
    case DataType::Text:
    case DataType::RichText:
      return one_of(random, text_format);
    default:
      return one_of(random, small);
  }
}

Value Row::value(const catalog::Property& property) const {
  const auto found = values.find(property.column.text());
  return found == values.end() ? Value(Null{}) : found->second;
}

std::shared_ptr<const catalog::Catalog> indexed_catalog() {
  auto entities = typed_entities();
  const auto add = [&](std::string_view name, std::vector<std::vector<std::string>> indexes) {
    const auto found =
        std::find_if(entities.begin(), entities.end(), [&](const auto& each) { return each.name == name; });
    for (auto& properties : indexes) found->indexes.push_back({std::move(properties), {}, {}, {}, {}});
  };
  add("document", {{"Rank", "Due"},
                   {"Count", "Due desc", "Title"},
                   {"Author", "Rank", "Title"},
                   {"Title"},
                   {"Done", "Size"},
                   {"Rank", "Weight"},
                   {"Author", "Rank", "Size"},
                   {"Done", "Author", "Rank", "Count"}});
  add("report", {{"Rank", "Due"}, {"Count", "Title"}, {"Size"}, {"Pages", "Title"}});  // but the last: of reports alone
  add("person", {{"City", "Name"}, {"Rank", "Born"}, {"Name"}});
  add("item", {{"Owner", "Name"}});
  find_if(entities.begin(), entities.end(), [](const auto& each) { return each.name == "person"; })
      ->indexes.front()
      .where = "City != null && Name != null";
  return typed_catalog(std::move(entities), document_states());
}

World::World(std::uint64_t seed, std::shared_ptr<const catalog::Catalog> of) : catalog(std::move(of)) {
  Random random(seed);
  for (const auto& [name, rows] : table_rows) fill(random, entity(name), rows);
  std::vector<std::pair<query::Dialect, std::string>> urls{{query::Dialect::Sqlite, "sqlite:" + folder_ / "desk.db"}};
  if (auto* server = Postgres::running()) urls.emplace_back(query::Dialect::PostgreSql, server->new_database());
  for (const auto& [dialect, url] : urls) {
    Desk& desk = desks_.emplace_back(
        Desk{dialect, expect(storage::Database::open({.url = url, .read_deadline = patience})), nullptr});
    for (const auto& [name, rows] : table_rows) store(desk, random, entity(name));
    desk.reader = expect(desk.database->connect_reader());
  }
}

World::~World() = default;

void World::fill(Random& random, const catalog::Entity& root, std::size_t rows) {
  const auto types = root.final_types();
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    row.type = one_of(random, types);
    for (const catalog::Property* property : row.type->properties) {
      if (property->mirror_of || chance(random, 25)) continue;
      Value value = random_value(random, property->type, property->scale);
      if (property->target)
        value = static_cast<std::int64_t>(1 + below(random, table_rows.at(property->target->root().name)));
      row.values[property->column.text()] = std::move(value);
    }
    const auto number = static_cast<std::int64_t>(i);
    if (root.key.size() == 1) row.values[root.key.front()->column.text()] = number + 1;
    else row.values["DocumentId"] = number / 3, row.values["Order"] = number % 3;
    if (root.type_column) row.values[root.type_column->column.text()] = row.type->name;
    row.values["IsDeleted"] = root.deletable && chance(random, 15);
    if (chance(random, 90)) row.values["Partition"] = static_cast<std::int64_t>(1 + below(random, partition_count));
    tables_[&root].push_back(std::move(row));
  }
}

namespace {

void add_indexes(storage::TableSpec& table, const catalog::Entity& entity) {
  for (const catalog::Index& wanted : entity.indexes) {
    storage::IndexSpec index{SqlIdentifier::of("cx_" + table.name.text() + std::to_string(table.indexes.size())), {}};
    for (const catalog::Index::Part& part : wanted.parts)
      index.parts.push_back({part.property->column, catalog::is_text(part.property->type), part.descending});
    for (const catalog::Property* property : wanted.set) index.set.push_back(property->column);
    if (catalog::is_of_type_alone(entity, wanted)) {
      index.type = entity.type_column->column;
      for (const catalog::Entity* type : entity.final_types()) index.types.push_back(type->name);
    }
    table.indexes.push_back(std::move(index));
  }
  for (const catalog::Entity* child : entity.children) add_indexes(table, *child);
}

}  // namespace

void World::store(Desk& desk, Random& random, const catalog::Entity& root) {
  const auto columns = columns_of(*catalog, root);
  storage::TableSpec table{root.table, {}, {}, {}};
  storage::IndexSpec substrings{SqlIdentifier::of("sx_" + root.table.text()), {}, false, true};
  for (const catalog::Property* property : columns) {
    table.columns.push_back({property->column, column_type(*property)});
    if (property->searchable) substrings.parts.push_back({property->column, true});
  }
  substrings.rows.deleted = root.find_property(catalog::system::is_deleted)->column;
  if (catalog::texts_stand_by_partition(root)) {
    substrings.rows.partition = root.find_property(catalog::system::partition)->column;
    if (root.type_column) substrings.rows.type = root.type_column->column;
    for (const catalog::Entity* type : catalog::partitioned_types(root)) substrings.rows.types.push_back(type->name);
  }
  add_indexes(table, root);
  for (const catalog::Property* part : root.key) table.primary_key.push_back(part->column);
  const bool has_substrings = root.key.size() == 1 && !substrings.parts.empty();
  const auto written = desk.database->write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(connection.dialect().create_table(table), {}));
    for (const storage::IndexSpec& index : table.indexes)
      CALLISTO_CHECK(connection.execute(connection.dialect().create_index(root.table, index), {}));
    if (has_substrings)
      CALLISTO_CHECK(connection.run_script(connection.dialect().create_index(root.table, substrings).text()));
    for (const Row& row : tables_[&root]) {
      Sql insert("INSERT INTO ");
      insert << root.table << " VALUES (";
      std::vector<Value> values;
      for (const catalog::Property* property : columns) {
        if (!values.empty()) insert << ", ";
        values.push_back(stored(random, *property, row.value(*property)));
        insert.parameter(values.size());
      }
      CALLISTO_CHECK(connection.execute(insert << ")", values));
    }
    // Some rows are in the index, the others wait.
    if (has_substrings && desk.dialect == query::Dialect::Sqlite)
      CALLISTO_CHECK(storage::index_substrings(connection, root.table, substrings, tables_[&root].size() * 2 / 3));
    return {};
  });
  REQUIRE(written);
}

bool World::sees(const Row& row, const Partitions& partitions) {
  if (!partitions || !row.type->partitioned) return true;
  const auto found = row.values.find("Partition");
  const auto* number = found == row.values.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number && std::count(partitions->begin(), partitions->end(), *number) > 0;
}

std::vector<const Row*> World::visible(const catalog::Entity& entity, const Partitions& partitions) const {
  std::vector<const Row*> rows;
  for (const Row& row : tables_.at(&entity.root()))
    if (row.type->is_or_extends(entity) && sees(row, partitions)) rows.push_back(&row);
  return rows;
}

// Rows with a single key are numbered from 1.
const Row* World::looked_up(const catalog::Entity& target, const Value& key, const Partitions& partitions) const {
  const auto* number = std::get_if<std::int64_t>(&key);
  if (!number) return nullptr;
  const Row& row = tables_.at(&target.root())[static_cast<std::size_t>(*number - 1)];
  return sees(row, partitions) ? &row : nullptr;
}

std::unique_ptr<storage::Cursor> World::open(const Desk& desk, const query::Plan& plan,
                                             const query::Statement& statement, const std::vector<Value>& constants,
                                             const Partitions& partitions) {
  struct Binder {
    const query::Plan& plan;
    const std::vector<Value>& constants;
    const Partitions& partitions;
    Value operator()(const query::ConstantBinding& b) const { return bound_value(b, constants[b.index]); }
    Value operator()(const query::PartitionBinding& b) const { return (*partitions)[b.index]; }
    Value operator()(const query::PlanPartitionBinding&) const { return *plan.partition; }
    Value operator()(const query::KeyBinding&) const { return Null{}; }
    Value operator()(const query::TextBinding& b) const { return b.text; }
    Value operator()(query::Paging b) const { return query::bound_number(b, plan); }
  };
  std::vector<Value> values;
  for (const query::Binding& binding : statement.bindings)
    values.push_back(std::visit(Binder{plan, constants, partitions}, binding));
  INFO(statement.sql.text());
  return expect(desk.reader->query(statement.sql, values));
}

void World::read_rows(const Desk& desk, const query::Plan& plan, const query::Statement& statement,
                      const std::vector<Value>& constants, const Partitions& partitions,
                      std::vector<std::vector<Value>>& rows) {
  const auto cursor = open(desk, plan, statement, constants, partitions);
  while (static_cast<std::int64_t>(rows.size()) < plan.rows_to_read() && expect(cursor->step())) {
    std::vector<Value> row;
    for (std::size_t i = 0; i < plan.columns.size(); ++i) row.push_back(read(*cursor, i, *plan.columns[i].property));
    if (plan.grouping) append_results(row, *cursor, *plan.grouping);
    rows.push_back(std::move(row));
  }
}

std::vector<std::vector<Value>> World::rows_of(const Desk& desk, const query::Plan& plan,
                                               const std::vector<Value>& constants, const Partitions& partitions,
                                               query::Reach reach, query::Way way) {
  std::vector<std::vector<Value>> rows;
  const auto add = [&](query::Stretch stretch) {
    const auto statement = emit_rows(plan, scope_of(partitions), desk.dialect, reach, stretch, way);
    if (!plan.grouping && query::states_before_order(plan, query::Others::PassedOver)) ++by_state_;
    else if (statement.sql.text().find("UNION ALL") != std::string::npos && reach == Reach::All) ++merged_;
    read_rows(desk, plan, statement, constants, partitions, rows);
  };
  add(query::Stretch::Same);
  if (has_other_stretch(plan)) add(query::Stretch::Other);
  return rows;
}

std::vector<std::vector<Value>> World::rows(const query::Plan& plan, const std::vector<Value>& constants,
                                            const Partitions& partitions) {
  std::optional<std::vector<std::vector<Value>>> first;
  const auto check = [&](std::vector<std::vector<Value>> rows, const query::Statement& statement) {
    if (!first) first = std::move(rows);
    else if (rows != *first) FAIL("another answer to " << statement.sql.text());
  };
  for (const Desk& desk : desks_) {
    for (const Reach reach : reaches(desk, plan, partitions))
      for (const query::Way way : ways(desk, plan, partitions))
        check(rows_of(desk, plan, constants, partitions, reach, way),
              emit_rows(plan, scope_of(partitions), desk.dialect, reach, query::Stretch::Same, way));
    if (!plan.grouping) continue;
    for (const query::CountBySeek& each : counts_of(desk, plan, partitions)) {
      std::vector<std::vector<Value>> rows;
      read_rows(desk, plan, each.groups, constants, partitions, rows);
      check(std::move(rows), each.groups);
    }
  }
  return *first;
}

// By each index that there is a choice of, and without any.
std::vector<query::CountBySeek> World::counts_of(const Desk& desk, const query::Plan& plan,
                                                 const Partitions& partitions) {
  constexpr std::size_t most = 10;
  auto counts = emit_counts_by_seek(plan, scope_of(partitions), desk.dialect, most);
  if (const auto many = emit_count_of_many(plan, scope_of(partitions), desk.dialect, most)) {
    counts.insert(counts.end(), many->seeks.begin(), many->seeks.end());
    counts.push_back({many->all, many->count, many->groups});
    ++counted_;
  }
  return counts;
}

// In every way, where there is a choice. The probes must be statements, at least.
std::vector<query::Way> World::ways(const Desk& desk, const query::Plan& plan, const Partitions& partitions) {
  constexpr std::size_t most = 10;
  const auto probes = emit_probes(plan, scope_of(partitions), desk.dialect, most, most);
  if (probes.empty()) return {query::Way::Free};
  ++chosen_;
  return {query::Way::Free, query::Way::InOrder, query::Way::Sorted};
}

// By the index of substrings too, where there is one for the filter.
std::vector<query::Reach> World::reaches(const Desk& desk, const query::Plan& plan, const Partitions& partitions) {
  if (!emit_candidates(plan, scope_of(partitions), desk.dialect, 1)) return {Reach::All};
  ++narrowed_;
  return {Reach::All, Reach::Candidates};
}

std::int64_t World::count(const query::Plan& plan, const std::vector<Value>& constants, const Partitions& partitions) {
  std::vector<std::int64_t> counts;
  for (const Desk& desk : desks_) {
    const auto add = [&](const query::Statement& statement) {
      const auto cursor = open(desk, plan, statement, constants, partitions);
      REQUIRE(expect(cursor->step()));
      counts.push_back(cursor->integer(0));
    };
    for (const Reach reach : reaches(desk, plan, partitions)) {
      if (query::states_before_range(plan)) ++by_state_;
      add(emit_count(plan, scope_of(partitions), desk.dialect, reach));
    }
    if (const auto cover = emit_count_by_cover(plan, scope_of(partitions), desk.dialect, 10, 10)) {
      ++covered_;
      add(cover->count);
    }
    for (const query::CountBySeek& each : counts_of(desk, plan, partitions)) add(each.count);
  }
  REQUIRE(std::count(counts.begin(), counts.end(), counts.front()) == static_cast<std::ptrdiff_t>(counts.size()));
  return counts.front();
}

Value WorldReader::read(const query::Path& path) const {
  const Row* row = sources_[path.source];
  for (const catalog::Property* hop : path.hops)
    if (row) row = world_.looked_up(*hop->target, row->value(*hop), partitions_);
  return row ? row->value(*path.property) : Value(Null{});
}

std::vector<std::unique_ptr<query::RecordReader>> WorldReader::rows(const query::Predicate& of_list) const {
  std::vector<std::unique_ptr<query::RecordReader>> rows;
  const Row* above = sources_.front();
  const Value key = above->value(*of_list.above->key.front());
  for (const Row* row : world_.visible(*of_list.list->entity, partitions_)) {
    const bool deleted = row->value(*row->type->find_property("IsDeleted")) == Value(true);
    if (row->value(*of_list.list->link) == key && (of_list.with_deleted || !deleted))
      rows.push_back(std::make_unique<WorldReader>(world_, std::vector<const Row*>{row}, partitions_));
  }
  return rows;
}

query::Scope scope_of(const Partitions& partitions) {
  query::Scope scope;
  if (partitions) scope.partitions = partitions->size();
  return scope;
}

}  // namespace callisto::test
