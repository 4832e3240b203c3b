// The tables of one statement: their aliases (t0, t1, ...), its parameters, and what limits each occurrence of a table.
// A Tables serves one statement; a From is one FROM clause in it and joins the relations it is asked for, each once.
// One thread; both refer to the plan and the scope that they were made with.
#pragma once

#include "engine/catalog/holders.h"
#include "engine/query/emit_sql.h"
#include "engine/query/index_choice.h"
#include "engine/query/index_seek.h"
#include "engine/query/sql/condition.h"
#include "engine/query/sql/spelling.h"

#include <cstddef>
#include <string>
#include <vector>

namespace callisto::query::emit {

Sql column(const Sql& table, const catalog::Property& property);

// How a row comes into a statement. Rows below a deleted parent are deleted with it; one that a lookup leads to stays
// readable, deleted or not (API rule 2.9).
enum class Row { Searched, LookedUp };

class Tables {
 public:
  Tables(const Plan& the_plan, const Scope& the_scope, Dialect dialect, Reach the_reach = Reach::All,
         Way the_way = Way::Free);

  const Plan& plan;
  const Scope& scope;
  const Reach reach;
  const Way way;
  std::optional<IndexChoice> in_order;  // the index that gives the order
  Seek sought;               // what leads to the rows, and nothing else does; empty: it is left to the database
  bool is_count = false;     // of rows, none of which is shown
  bool is_one_pass = false;  // over the table, whatever indexes there are
  const Spelling spelling;

  Sql new_table();
  Sql new_root();  // of the searched rows
  bool is_root(const Sql& table) const;
  Sql parameter(Binding binding);
  // The property's value in a row of `table`; `guarded`: null where the session may not read it.
  Sql value(const Sql& table, const catalog::Property& property, bool guarded);
  const std::vector<Sql>& partitions();  // the session's, as parameters; only where it has a limit of them
  // `value` IN (text parameters); false for no texts.
  Condition one_of(const Sql& value, const std::vector<std::string>& texts);

  // Whether there may be rows of the entity that the session does not see, whatever it asks for.
  bool hides_rows(const catalog::Entity& entity) const;
  // Whether the rules of access ask for a value that an index leads to, so that few rows are looked at: of the entity,
  // or of the record that its rows hang on.
  bool limit_has_index(const catalog::Entity& entity) const;
  // Where it is that record: whether the rows of `table`, which are of the entity, are found by it.
  bool leads_from_parents(const catalog::Entity& entity, const Sql& table) const;
  // Of such a limit: the one property by which every rule finds its rows; null where they are several.
  const catalog::Property* property_of_limit(const catalog::Entity& entity) const;

  // Each appends what a row of `entity` in `table` must satisfy; nothing where there is no such limit.
  void limit_to_session(const catalog::Entity& entity, const Sql& table, Row row, std::vector<Condition>& parts);
  // Its three parts: the rules of access; the records that a row hangs on; the partitions.
  void limit_to_access(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts);
  void limit_to_parents(const catalog::Entity& entity, const Sql& table, Row row, std::vector<Condition>& parts);
  void limit_to_partitions(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts);
  void limit_to_plan_partition(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts);
  void limit_to_types(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts);
  // So that the index of `type` serves.
  void tell_type(const catalog::Entity& type, const Sql& table, std::vector<Condition>& parts) const;
  void hide_deleted(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts);

  std::vector<Binding> take_bindings() { return std::move(bindings_); }

 private:
  void limit_to_rules(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts);
  Condition granted(const RowLimit& limit, const Sql& table);
  bool has_strangers(const catalog::Entity& entity) const;
  bool is_limited(const catalog::Entity& entity) const;
  bool hides_deleted(const catalog::Holder& holder, Row row) const;
  // All rows hang on one kind of record, and an index leads from those that a rule leads to.
  bool has_parents_of_rule(const catalog::Entity& entity) const;
  bool asks_each_parent() const;
  Condition below_visible(const catalog::Holder& holder, const catalog::Entity& entity, const Sql& table, Row row);
  // The same of the type, where an index leads to the rows that has no more of it than its number.
  Condition of_numbers(const catalog::Entity& entity, const Sql& table);
  // What the property holds in a row of `table` that satisfies the filter: the constant that it is compared with, if
  // any, so that a subquery is evaluated once and not for each row.
  Sql value_of(const Sql& table, const catalog::Property& property);
  // The type that the row names is none of these.
  Condition none_of(const Sql& table, const catalog::Property& type, const catalog::Entity& entity);
  Sql usual_column(const Sql& table, const catalog::Property& property) const;
  const catalog::Entity* type_of_index() const;  // by whose index the rows are found; null: by one of all rows
  // A condition that most rows meet.
  Condition usual(Condition condition) const;
  Condition where_partitioned(const catalog::Entity& entity, const Sql& table, Condition limit);

  std::vector<Binding> bindings_;
  std::vector<Sql> partitions_;  // the session's, as parameters: every occurrence uses the same ones
  std::vector<std::string> roots_;
  bool is_in_rule_ = false;  // what a rule of access itself reads is limited by partitions alone
  std::size_t tables_ = 0;
};

Statement finished(Tables& tables, Sql sql);  // with what its parameters stand for
bool joins_by_index(const Join& join);        // an index leads to what it joins

class From {
 public:
  // The searched entity's table and the plan's explicit joins.
  explicit From(Tables& tables);
  // One table, in a subquery.
  From(Tables& tables, const catalog::Entity& entity);

  const Sql& root() const { return sources_.front(); }
  const Sql& source(std::size_t number) const { return sources_[number]; }
  // The column that a path ends in; relations on its way are LEFT JOINed.
  Sql column(const Path& path);
  // Complete once no more columns are asked for.
  const Sql& text() const { return text_; }
  std::size_t relations() const { return related_.size(); }  // joined so far
  // What hides rows of the inner joins: their ON is no more than a term of WHERE.
  const std::vector<Condition>& inner_limits() const { return inner_limits_; }

 private:
  struct Related {
    std::size_t source;
    std::vector<const catalog::Property*> hops;
    bool guarded;
    Sql table;
  };
  const Sql& related(std::size_t source, const std::vector<const catalog::Property*>& hops, bool guarded);
  void add(const Join& join);
  Condition pair(const JoinOn& pair, const Sql& table);
  Condition chosen(const Join& join, const Sql& table);

  Tables& tables_;
  Sql text_;
  std::vector<Sql> sources_;
  std::vector<Related> related_;
  std::vector<std::pair<Path, Sql>> guarded_;  // the same text each time, so that a group is what it is grouped by
  std::vector<Condition> inner_limits_;
};

}  // namespace callisto::query::emit
