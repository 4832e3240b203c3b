// A desk of random rows held in memory and in a database of each kind. What the tests of this folder compare their
// answers over. One thread.
#pragma once

#include "engine/query/emit_sql.h"
#include "engine/query/evaluate.h"
#include "engine/query/index_states.h"
#include "engine/storage/database.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/typed_catalog.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace callisto::test {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit);
bool chance(Random& random, int percent);

// A value that a property of this type may hold; from so small a choice that equal ones, and ones that differ by case,
// by an accent or by rounding, meet often.
Value random_value(Random& random, catalog::DataType type, int scale);

struct Row {
  const catalog::Entity* type = nullptr;             // final
  std::map<std::string, Value, std::less<>> values;  // by column
  Value value(const catalog::Property& property) const;
};

// Partitions that a session sees; nullopt: all.
using Partitions = std::optional<std::vector<std::int64_t>>;

// typed_catalog() with indexes of several properties.
std::shared_ptr<const catalog::Catalog> indexed_catalog();

class World {
 public:
  explicit World(std::uint64_t seed, std::shared_ptr<const catalog::Catalog> of = indexed_catalog());
  ~World();

  const catalog::Entity& entity(std::string_view name) const { return *catalog->find(name); }
  // Of one table, deleted rows too, that such a session may see.
  std::vector<const Row*> visible(const catalog::Entity& entity, const Partitions& partitions) const;
  const Row* looked_up(const catalog::Entity& target, const Value& key, const Partitions& partitions) const;

  // The rows of a plan's answer, its columns read as the plan's; fails where two databases differ.
  std::vector<std::vector<Value>> rows(const query::Plan& plan, const std::vector<Value>& constants,
                                       const Partitions& partitions);
  std::int64_t count(const query::Plan& plan, const std::vector<Value>& constants, const Partitions& partitions);

  // How many of them were asked of the index of substrings too.
  std::size_t narrowed() const { return narrowed_; }
  // Were asked by walks that are merged; were asked in order, and sorted.
  std::size_t merged() const { return merged_; }
  std::size_t chosen() const { return chosen_; }
  // Were asked by a walk, or a count, in each state.
  std::size_t by_state() const { return by_state_; }
  // Counts over an index that holds all that is asked.
  std::size_t covered() const { return covered_; }
  // Counts and groups by each index, and in one pass.
  std::size_t counted() const { return counted_; }

  std::shared_ptr<const catalog::Catalog> catalog;

 private:
  static bool sees(const Row& row, const Partitions& partitions);
  void fill(Random& random, const catalog::Entity& root, std::size_t rows);
  struct Desk {
    query::Dialect dialect;
    std::unique_ptr<storage::Database> database;
    std::unique_ptr<storage::Connection> reader;
  };
  void store(Desk& desk, Random& random, const catalog::Entity& root);
  std::vector<query::Reach> reaches(const Desk& desk, const query::Plan& plan, const Partitions& partitions);
  std::vector<query::Way> ways(const Desk& desk, const query::Plan& plan, const Partitions& partitions);
  std::vector<std::vector<Value>> rows_of(const Desk& desk, const query::Plan& plan,
                                          const std::vector<Value>& constants, const Partitions& partitions,
                                          query::Reach reach, query::Way way);
  void read_rows(const Desk& desk, const query::Plan& plan, const query::Statement& statement,
                 const std::vector<Value>& constants, const Partitions& partitions,
                 std::vector<std::vector<Value>>& rows);
  std::vector<query::CountBySeek> counts_of(const Desk& desk, const query::Plan& plan, const Partitions& partitions);
  static std::unique_ptr<storage::Cursor> open(const Desk& desk, const query::Plan& plan,
                                               const query::Statement& statement, const std::vector<Value>& constants,
                                               const Partitions& partitions);

  std::map<const catalog::Entity*, std::vector<Row>> tables_;  // by the root of a hierarchy
  test::TemporaryFolder folder_;
  std::vector<Desk> desks_;
  std::size_t narrowed_ = 0, merged_ = 0, chosen_ = 0, covered_ = 0, by_state_ = 0, counted_ = 0;
};

// One row of each source of a plan (null: a join that found none), as a session sees it.
class WorldReader final : public query::RecordReader {
 public:
  WorldReader(const World& world, std::vector<const Row*> sources, const Partitions& partitions)
      : world_(world), sources_(std::move(sources)), partitions_(partitions) {}
  Value read(const query::Path& path) const override;
  std::vector<std::unique_ptr<query::RecordReader>> rows(const query::Predicate& of_list) const override;

 private:
  const World& world_;
  std::vector<const Row*> sources_;
  const Partitions& partitions_;
};

query::Scope scope_of(const Partitions& partitions);

}  // namespace callisto::test
