#include "engine/base/text.h"
#include "engine/importing/dump.h"
#include "engine/importing/dump/row.h"
#include "engine/importing/dump/tables.h"
#include "engine/json/read.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace callisto::importing {

namespace {

constexpr std::string_view beginning = "{\"callisto\":\"export\",";
constexpr std::uint64_t rows_between_looks = 1000;

std::int64_t whole(const json::Node& object, std::string_view name) {
  const json::Node* node = object.find(name);
  std::int64_t number = -1;
  if (node) std::from_chars(node->text().data(), node->text().data() + node->text().size(), number);
  return number;
}

class DumpLoader {
 public:
  DumpLoader(storage::Connection& connection, const catalog::Catalog& catalog, const DumpProgress& progress)
      : connection_(connection), catalog_(catalog), progress_(progress) {}

  Result<std::uint64_t> run(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      auto done = take_line(number, std::string(text.substr(0, end)));
      if (!done && !done.error().is_of_server())
        return bad_format("line " + std::to_string(number) + ": " + done.error().message);
      CALLISTO_CHECK(std::move(done));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (rows_ != wanted_)
      return bad_format("the file has " + std::to_string(rows_) + " rows of " + std::to_string(wanted_) +
                        ": it is cut short. Nothing was loaded.");
    progress_(rows_, wanted_);
    return rows_;
  }

 private:
  struct Table {
    bool is_entity = false;
    std::set<std::string> columns;
  };

  Result<void> take_line(std::size_t number, const std::string& line) {
    CALLISTO_TRY(const json::Node node, json::parse(line));
    if (number == 1) return begin(node);
    CALLISTO_CHECK(take_row(node));
    if (++rows_ % rows_between_looks == 0) progress_(rows_, wanted_);
    return {};
  }

  Result<void> begin(const json::Node& header) {
    if (whole(header, "format") != dump_format)
      return bad_format("this export has another format than " + std::to_string(dump_format) +
                        ": load it with the version of callisto that wrote it");
    wanted_ = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole(header, "rows")));
    CALLISTO_TRY(const auto tables, dump_tables(connection_));
    for (const DumpTable& table : tables)
      for (const DumpColumn& column : table.columns) tables_[table.name.text()].columns.insert(column.name.text());
    CALLISTO_CHECK(check_empty());
    const json::Node* named = header.find("tables");
    if (!named) return bad_format("the header names no tables");
    for (const json::Node& table : named->items()) CALLISTO_CHECK(make_room(table.text()));
    return {};
  }

  Result<void> check_empty() {
    for (const auto& entity : catalog_.entities()) {
      if (entity->parent) continue;
      tables_[entity->table.text()].is_entity = true;
      CALLISTO_TRY(auto row, connection_.query(Sql("SELECT 1 FROM ") << entity->table << " LIMIT 1", {}));
      CALLISTO_TRY(const bool found, row->step());
      if (found)
        return bad_format("this desk has records of " + entity->name +
                          ": an export can only be loaded into an empty desk. Choose a new folder with --data.");
    }
    return {};
  }

  // A new desk has a few rows of the engine's own.
  Result<void> make_room(const std::string& name) {
    const auto table = tables_.find(name);
    if (table == tables_.end()) return unknown("table", name, names_of(tables_));
    if (table->second.is_entity || name == key_counters) return {};
    CALLISTO_CHECK(connection_.execute(Sql("DELETE FROM ") << SqlIdentifier::of(name), {}));
    return {};
  }

  template <typename Map>
  static std::vector<std::string_view> names_of(const Map& map) {
    std::vector<std::string_view> names;
    for (const auto& each : map) names.emplace_back(each.first);
    return names;
  }

  static Error unknown(const std::string& what, const std::string& name, const std::vector<std::string_view>& known) {
    const std::string near = text::nearest(name, known);
    return bad_format("this desk has no " + what + " " + text::quoted(name) +
                      (near.empty() ? "" : ", but " + text::quoted(near)) +
                      ": start it with the entities of the desk that was exported");
  }

  Result<void> take_row(const json::Node& row) {
    const std::string& name = json::string_of(row, "_table");
    const auto table = tables_.find(name);
    if (table == tables_.end()) return unknown("table", name, names_of(tables_));
    std::vector<Value> values;
    std::string key = name;
    for (const json::Member& member : row.members()) {
      if (member.name == "_table") continue;
      if (table->second.columns.count(member.name) == 0)
        return unknown("column", member.name, {table->second.columns.begin(), table->second.columns.end()});
      CALLISTO_TRY(Value value, read_stored(member.value));
      values.push_back(std::move(value));
      key += ' ' + member.name;
    }
    if (name == key_counters) return take_counter(row);
    auto& sql = statements_[key];
    if (sql.empty()) sql = insertion(name, row);
    CALLISTO_CHECK(connection_.execute(sql, values));
    return {};
  }

  // Never lower than it is: a key is not given twice.
  Result<void> take_counter(const json::Node& row) {
    return connection_.keep_ids_above(json::string_of(row, "entity"), whole(row, "next") - 1);
  }

  static Sql insertion(const std::string& table, const json::Node& row) {
    Sql names, parameters;
    std::size_t number = 0;
    for (const json::Member& member : row.members()) {
      if (member.name == "_table") continue;
      if (number > 0) {
        names << ", ";
        parameters << ", ";
      }
      names << SqlIdentifier::of(member.name);
      parameters.parameter(++number);
    }
    Sql sql("INSERT INTO ");
    return sql << SqlIdentifier::of(table) << " (" << names << ") VALUES (" << parameters << ")";
  }

  storage::Connection& connection_;
  const catalog::Catalog& catalog_;
  const DumpProgress& progress_;
  std::map<std::string, Table> tables_;
  std::map<std::string, Sql> statements_;  // by table and the columns that a row has
  std::uint64_t rows_ = 0, wanted_ = 0;
};

}  // namespace

bool is_dump(std::string_view text) { return text.starts_with(beginning); }

Result<std::uint64_t> load_dump(storage::Database& database, const catalog::Catalog& catalog, std::string_view text,
                                const DumpProgress& progress) {
  std::uint64_t rows = 0;
  CALLISTO_CHECK(database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(rows, DumpLoader(connection, catalog, progress).run(text));
    return {};
  }));
  return rows;
}

}  // namespace callisto::importing
