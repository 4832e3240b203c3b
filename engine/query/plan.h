// A bound query: names resolved against the catalog, types checked, constants numbered. Immutable once bound and shared
// by threads; keeps its catalog alive. Nothing here knows SQL text, a database or HTTP: emit_sql.h turns a Plan into
// statements, evaluate.h decides its predicate in memory, the api renders rows by its shape.
#pragma once

#include "engine/base/value.h"
#include "engine/catalog/catalog.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace callisto::query {

// A property reached from `source` (0: the searched entity, n: the n-th join, from 1) through lookups, in order.
struct Path {
  std::size_t source = 0;
  std::vector<const catalog::Property*> hops;
  const catalog::Property* property = nullptr;
  bool guarded = false;  // named by a session, where one of these reads as null in rows that fields.h withholds
  bool operator==(const Path&) const = default;
};

// Index into Plan::constants. Every literal and augmenter call is one, so that the SQL text never depends on values.
struct ConstantRef {
  std::size_t index = 0;
  bool operator==(const ConstantRef&) const = default;
};

using Operand = std::variant<Path, ConstantRef>;

enum class CompareOp { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
enum class TextOp { Contains, StartsWith, EndsWith };

// Two-valued (API rule 2.6): for every record exactly one of p and Not(p) holds.
struct Predicate {
  enum class Kind {
    And,
    Or,
    Not,       // children; And and Or hold two or more and never directly nest their own kind
    Always,    // constant_value
    Compare,   // left op right. `left` is a Path; `right` a Path or a constant of the same family. For two paths:
               // Equal holds for two nulls; an order holds for no null. For a constant: a null path equals nothing.
    IsNull,    // left == null
    OneOf,     // left equals one of `values`, of one family with it; as Compare with Equal and a constant for each
    Flag,      // the Boolean path `left` is true
    HasRow,    // a row of `list` below the record satisfies children.front(), or is there where there is no child
    RowCount,  // how many of them do: `op`, and `right`, a constant
    Text       // left.text_op(right); right is a constant; a null text contains nothing
  };
  Kind kind = Kind::Always;
  bool constant_value = true;
  std::vector<Predicate> children;
  CompareOp op = CompareOp::Equal;
  TextOp text_op = TextOp::Contains;
  Operand left, right;
  std::vector<ConstantRef> values;  // OneOf: two or more
  // HasRow, RowCount: which list, below which entity; rows that the session does not see are none. The paths of the
  // child begin at a row of the list.
  const catalog::SubResource* list = nullptr;
  const catalog::Entity* above = nullptr;
  bool with_deleted = false;  // the child names @IsDeleted: it alone decides
  bool operator==(const Predicate&) const = default;
};

// A literal, or an augmenter called for each request (@UserId, @NowOffset(0,-1,0)). `type` is the family it is used as:
// the value is exactly of the alternative of Value that this type has, or null (a token may be null: then every Compare
// with it is false, and NotEqual true). Decimal constants carry their property's scale.
struct Constant {
  Value value;                                    // a literal, or a folded constant function
  const catalog::Augmenter* augmenter = nullptr;  // else: call this with `arguments`
  std::vector<Value> arguments;
  catalog::DataType type = catalog::DataType::Text;
  int scale = 0;
  std::size_t position = 0;  // column in $filter, for errors of the call
  bool operator==(const Constant&) const = default;
};

struct JoinOn {
  const catalog::Property* target_property = nullptr;
  Operand source;  // Path with source < this join's number, or a constant
};

struct Join {
  std::string alias;
  const catalog::Entity* target = nullptr;
  bool inner = false;
  std::vector<JoinOn> on;  // joined rows hide deleted ones (API rule 2.9)
};

struct SortKey {
  Path path;
  bool descending = false;
};

// What the rows of a group come to, of one property: one of $aggregate.
struct Aggregate {
  enum class Kind { Count, Sum, Avg, Min, Max };
  Kind kind = Kind::Count;
  Path path;
  std::shared_ptr<const catalog::Property> shown;  // its name in the answer, and the type that it is written as
};

// One row of the answer for each group ($groupby, decision 0049). Plan::columns are the values that make a group;
// behind them come the number of its rows and the aggregates.
struct Grouping {
  struct Key {
    std::size_t column = 0;
    bool descending = false;
  };
  std::shared_ptr<const catalog::Property> number;  // __count
  std::vector<Aggregate> aggregates;
  std::vector<Key> order;  // total: ends with all columns of the group
};

// What one row renders as. Columns are indices into Plan::columns.
struct ShapeNode {
  enum class Kind { Value, Object, Extension };
  Kind kind = Kind::Value;
  std::string name;                             // JSON name
  std::size_t column = 0;                       // Value; for a Lookup: its bare key
  const catalog::Property* property = nullptr;  // Value: how to write it
  std::size_t extension = 0;                    // Extension: index into Plan::extensions
  // Object (a lookup with selected paths below it, or an alias): null when key_columns[0] is null.
  const catalog::Entity* entity = nullptr;
  std::vector<std::size_t> key_columns;        // of the related row; none: no row of its own, but values of a group
  std::optional<std::size_t> bare_key_column;  // shown in place of the object where a lookup's row is hidden or missing
  std::optional<std::size_t> type_column;      // where the related table mixes types
  std::vector<ShapeNode> children;
};

struct ExtensionUse {
  const catalog::Augmenter* augmenter = nullptr;
  std::string name;                       // JSON name (alias or the augmenter's own)
  std::vector<std::size_t> need_columns;  // in the order of augmenter->needs
};

// An augmenter as the client named it, for $explain: where it stands in which option.
struct AugmenterUse {
  const catalog::Augmenter* augmenter = nullptr;
  std::string option;
  std::size_t position = 0;
};

struct Plan {
  std::shared_ptr<const catalog::Catalog> catalog;
  const catalog::Entity* entity = nullptr;
  std::optional<Predicate> filter;
  std::vector<const catalog::Entity*> lists;  // whose rows the filter counts below the record
  bool names_deleted = false;                 // the filter names @IsDeleted: the filter alone decides (2.11)
  std::vector<Join> joins;
  std::vector<SortKey> order;                 // total: ends with the key, then the keys of the aliases
  std::vector<Path> columns;                  // what a row statement selects, without repeats
  std::vector<std::size_t> key_columns;       // of the row itself
  std::optional<std::size_t> type_column;     // of the row itself, where its table mixes types
  std::optional<std::size_t> version_column;  // records only (ETag)
  std::vector<ShapeNode> shape;
  std::optional<Grouping> grouping;  // then the answer's rows are groups, in the order that this says
  std::vector<ExtensionUse> extensions;
  std::vector<Constant> constants;
  std::vector<AugmenterUse> augmenters;  // as named in $filter and $select, in order
  std::optional<std::int64_t> top;       // as asked; absent: 100 rows, _self says 2147483647 (2.3)
  std::int64_t skip = 0;
  // What the last row of the page before had for each key of `order`; empty: the page begins with the first row.
  std::vector<ConstantRef> after;
  std::vector<std::size_t> order_columns;  // of the keys of `order`, where a next page may be asked for
  bool looks_ahead = false;                // one row more than asked for is read, to know of a next page
  std::optional<std::int64_t> partition;   // $partition, where the entity is partitioned
  bool count = false, inline_count = false, explain = false;

  std::int64_t page_size() const { return top.value_or(100); }
  std::int64_t rows_to_read() const { return page_size() + (looks_ahead ? 1 : 0); }
};

}  // namespace callisto::query
