#include "engine/query/sql/predicate.h"

#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/barrier.h"
#include "engine/query/sql/compare.h"

#include <algorithm>
#include <utility>

namespace callisto::query::emit {
namespace {

using Kind = Predicate::Kind;

using TermList = std::vector<const Predicate*>;

class Writer {
 public:
  explicit Writer(Tables& tables) : tables_(tables) {}
  Writer(Tables& tables, From& from) : tables_(tables), from_(&from) {}
  Writer(Tables& tables, const Plan& rule, const Sql& table) : tables_(tables), rule_(&rule), table_(&table) {}

  // Some record of those that a lookup may lead to is as the term asks. Without a From, whose tables and parameters
  // would be in no text.
  Condition somewhere(const Predicate& term) { return exists({&term}, 0, tables_.new_table(), {}); }

  // What the terms of an `&&` ask through one lookup is asked of one record, in one subquery: its own indexes may have
  // all of it.
  std::vector<Condition> all_parts(TermList terms) {
    std::vector<Condition> parts;
    while (!terms.empty()) {
      const Predicate* const first = terms.front();
      const catalog::Property* const lookup = looked_through(*first);
      const auto rest = std::stable_partition(terms.begin(), terms.end(), [&](const Predicate* term) {
        return term == first || (lookup && looked_through(*term) == lookup);
      });
      const TermList together(terms.begin(), rest);
      parts.push_back(lookup ? through(together, 0, source(path_of(together))) : write(*first, false));
      terms.erase(terms.begin(), rest);
    }
    return parts;
  }

  // `negate`: the predicate's opposite.
  Condition write(const Predicate& predicate, bool negate) {
    switch (predicate.kind) {
      case Kind::Not:
        return write(predicate.children.front(), !negate);
      case Kind::And:
      case Kind::Or:
        return list(predicate, negate);
      case Kind::Always:
        return predicate.constant_value != negate ? all_of({}) : any_of({});
      case Kind::HasRow:
      case Kind::RowCount:
        return rows(predicate, negate);
      default:
        break;
    }
    const auto* right = std::get_if<Path>(&predicate.right);
    if (predicate.kind == Kind::Compare && right) return columns(predicate, *right, negate);
    return atom(predicate, negate);
  }

 private:
  const Sql& source(const Path& path) const { return from_ ? from_->source(path.source) : *table_; }
  Sql column_of(const Path& path) { return from_ ? from_->column(path) : column(*table_, *path.property); }

  static bool is_any(const Predicate& predicate, bool negate) { return (predicate.kind == Kind::Or) != negate; }

  Condition list(const Predicate& predicate, bool negate) {
    const bool any = is_any(predicate, negate);
    if (predicate.kind == Kind::And && !negate) return all_of(all_parts(terms_of(predicate)));
    std::vector<Condition> parts;
    collect(predicate, negate, any, parts);
    return any ? any_of(std::move(parts)) : all_of(std::move(parts));
  }

  // !(a && b) || c is one list of three.
  void collect(const Predicate& predicate, bool negate, bool any, std::vector<Condition>& parts) {
    if (predicate.kind == Kind::Not) return collect(predicate.children.front(), !negate, any, parts);
    const bool is_list = predicate.kind == Kind::And || predicate.kind == Kind::Or;
    if (is_list && is_any(predicate, negate) == any) {
      for (const Predicate& child : predicate.children) collect(child, negate, any, parts);
    } else {
      parts.push_back(write(predicate, negate));
    }
  }

  // Neither is ever null.
  Condition rows(const Predicate& predicate, bool negate) {
    if (predicate.kind == Kind::HasRow) {
      Condition below = rows_below(predicate);
      const SqlLiteral exists = negate ? SqlLiteral("NOT EXISTS (SELECT 1") : SqlLiteral("EXISTS (SELECT 1");
      return {Sql(exists) << below.sql << ")", below.depth + subquery_depth};
    }
    const Condition below = rows_below(predicate);
    const Comparand count{Sql("(SELECT COUNT(*)") << below.sql << ")", catalog::DataType::Long, 0};
    Condition result =
        compared(tables_.spelling, predicate.op, count, comparand(tables_, std::get<ConstantRef>(predicate.right)));
    result.depth = below.depth + subquery_depth;
    return negate ? negated(result) : result;
  }

  // FROM the list's table WHERE its rows hang on the record, are there for the session, and satisfy what is asked.
  Condition rows_below(const Predicate& predicate) {
    const catalog::SubResource& list = *predicate.list;
    const Sql above = from_ ? from_->root() : *table_;
    From from(tables_, *list.entity);
    std::vector<Condition> where{
        {column(from.root(), *list.link) << " = " << column(above, *predicate.above->key.front())}};
    if (list.type_link)
      where.push_back(tables_.one_of(column(from.root(), *list.type_link), types_of(*predicate.above)));
    if (!predicate.with_deleted) tables_.hide_deleted(*list.entity, from.root(), where);
    tables_.limit_to_types(*list.entity, from.root(), where);
    std::vector<Condition> asked;
    const Limit limit = limit_of(tables_, *list.entity, from.root(), Row::Searched, where);
    if (!predicate.children.empty()) asked.push_back(condition(tables_, from, predicate.children.front()));
    append_asked(limit, {}, {{}, {}, std::move(asked)}, where);
    const Condition all = all_of(std::move(where));
    return {Sql(" FROM ") << from.text() << " WHERE " << all.sql, all.depth};
  }

  // A row names the final type of what it hangs on; keys are shared by all types of one hierarchy.
  static std::vector<std::string> types_of(const catalog::Entity& entity) { return names(entity.root().final_types()); }

  Condition columns(const Predicate& predicate, const Path& right_path, bool negate) {
    const Path& left_path = std::get<Path>(predicate.left);
    const auto left = comparand(tables_.spelling, *left_path.property, column_of(left_path));
    const auto right = comparand(tables_.spelling, *right_path.property, column_of(right_path));
    Condition result;
    if (predicate.op == CompareOp::Equal || predicate.op == CompareOp::NotEqual) {
      result = same(tables_.spelling, left, right);
      if (predicate.op == CompareOp::NotEqual) negate = !negate;
    } else {
      result = compared(tables_.spelling, predicate.op, left, right);
    }
    return negate ? negated(result) : result;
  }

  // Every atom is written as a test that a null path fails; those that a null path passes are its negation.
  Condition atom(const Predicate& predicate, bool negate) {
    const Path& path = std::get<Path>(predicate.left);
    const bool passes_null =
        predicate.kind == Kind::IsNull || (predicate.kind == Kind::Compare && predicate.op == CompareOp::NotEqual);
    if (passes_null) negate = !negate;
    const Sql& table = source(path);
    if (negate && path.hops.empty() && predicate.kind == Kind::IsNull)
      return {column_of_null(path, table) << " IS NULL"};
    Condition result = through({&predicate}, 0, table);
    return negate ? negated(result) : result;
  }

  Sql column_of_null(const Path& path, const Sql& table) {
    const bool is_own = from_ && path.source == 0 && !path.guarded;
    return is_own ? where_null(tables_, table, *path.property) : tables_.value(table, *path.property, path.guarded);
  }

  static const Path& path_of(const TermList& terms) { return std::get<Path>(terms.front()->left); }

  // A walk in order is begun to see whether it meets its page soon, and a rule leads to few rows, as does what is
  // sought: none of them makes a list first of all records that match, at least where these have states and are many.
  bool asks_each(const catalog::Property& lookup) const {
    const Plan& plan = tables_.plan;
    if (tables_.spelling.dialect != Dialect::Sqlite) return false;
    if (tables_.way == Way::InOrder || tables_.limit_has_index(*plan.entity)) return true;
    if (!lookup.target->states) return false;
    if (!tables_.sought.empty())
      return std::none_of(tables_.sought.begin(), tables_.sought.end(),
                          [&](const Predicate* term) { return looked_through(*term) == &lookup; });
    return tables_.way == Way::Free && value_term(plan, *plan.entity->key.front());
  }

  // t0.Lookup IN (SELECT t1.Ref FROM target t1 WHERE ...), or EXISTS (SELECT 1 FROM target t1 WHERE t1.Ref = t0.Lookup
  // AND ...), a level for each relation still to go. Several terms have their first one in common.
  Condition through(const TermList& terms, std::size_t done, const Sql& table) {
    const Path& path = path_of(terms);
    const bool is_own = from_ && path.source == 0 && !path.guarded;
    if (done == path.hops.size()) {
      const bool is_searched = is_own && path.hops.empty();
      return test(*terms.front(), *path.property,
                  is_searched ? by_no_index(tables_, table, *path.property)
                              : tables_.value(table, *path.property, path.guarded));
    }
    const catalog::Property& lookup = *path.hops[done];
    const Sql link =
        is_own && done == 0 ? by_no_index(tables_, table, lookup) : tables_.value(table, lookup, path.guarded);
    const Sql inner = tables_.new_table(), key = column(inner, *lookup.target->key.front());
    if (from_ && tables_.is_root(source(path)) && asks_each(*path.hops.front()))
      return exists(terms, done, inner, {{Sql(key) << " = " << link}});
    const Condition all = looked_up(terms, done, inner, {});
    Sql sql = Sql(link) << " IN (SELECT " << key << " FROM " << lookup.target->table << " " << inner << " WHERE ";
    return {sql << all.sql << ")", all.depth + subquery_depth};
  }

  // What is asked of a row `inner` of the table that relation `done` leads to, beside `where`.
  Condition looked_up(const TermList& terms, std::size_t done, const Sql& inner, std::vector<Condition> where) {
    const catalog::Property& lookup = *path_of(terms).hops[done];
    const Limit limit = limit_of(tables_, *lookup.target, inner, Row::LookedUp, where);
    Asked asked;
    for (const Predicate* term : terms) {
      // What a rule of access asks is no client's.
      const bool is_leading = rule_ || (!limit.is_rule && leads(*term, std::get<Path>(term->left), done + 1));
      (is_leading ? asked.leading : asked.behind).push_back(through({term}, done + 1, inner));
    }
    append_asked(limit, {}, std::move(asked), where);
    return all_of(std::move(where));
  }

  Condition exists(const TermList& terms, std::size_t done, const Sql& inner, std::vector<Condition> where) {
    const Condition all = looked_up(terms, done, inner, std::move(where));
    Sql sql("EXISTS (SELECT 1 FROM ");
    sql << path_of(terms).hops[done]->target->table << " " << inner << " WHERE " << all.sql << ")";
    return {sql, all.depth + subquery_depth};
  }

  // What is asked of the row behind `done` relations is found by an index.
  static bool leads(const Predicate& predicate, const Path& path, std::size_t done) {
    if (path.guarded) return false;
    if (done < path.hops.size()) return has_index(*path.hops[done]);
    return (predicate.kind == Kind::Compare || predicate.kind == Kind::OneOf) && has_index(*path.property);
  }

  Condition test(const Predicate& predicate, const catalog::Property& property, const Sql& value) {
    switch (predicate.kind) {
      case Kind::Flag:
        return {tables_.spelling.flag_is_true(property, value)};
      case Kind::Text: {
        const TextForm form = tables_.spelling.form_of_needle(predicate.text_op);
        const Sql needle =
            tables_.parameter(ConstantBinding{std::get<ConstantRef>(predicate.right).index, form, rule_});
        Condition match{tables_.spelling.match(predicate.text_op, value, needle)};
        const bool has_order = predicate.text_op == TextOp::StartsWith && has_own_index(property);
        return has_order ? by_prefix(predicate, value, std::move(match)) : match;
      }
      case Kind::Compare: {
        const CompareOp op = predicate.op == CompareOp::NotEqual ? CompareOp::Equal : predicate.op;
        return compared(tables_.spelling, op, comparand(tables_.spelling, property, value),
                        comparand(tables_, std::get<ConstantRef>(predicate.right), rule_));
      }
      case Kind::OneOf: {
        std::vector<Comparand> values;
        for (const ConstantRef each : predicate.values) values.push_back(comparand(tables_, each, rule_));
        return one_of(tables_.spelling, comparand(tables_.spelling, property, value), values);
      }
      default:
        return {Sql(value) << " IS NOT NULL"};
    }
  }

  // Texts with a beginning stand together in an index of them. Such a range holds a few more.
  Condition by_prefix(const Predicate& predicate, const Sql& value, Condition match) {
    const std::size_t constant = std::get<ConstantRef>(predicate.right).index;
    const Sql begin = tables_.parameter(ConstantBinding{constant, TextForm::Folded, rule_});
    const Sql end = tables_.parameter(ConstantBinding{constant, TextForm::PrefixEnd, rule_});
    const Sql text = tables_.spelling.text(value);
    // PostgreSQL would take the beginning for a range that is rare within the range.
    const bool hides = tables_.spelling.dialect == Dialect::PostgreSql;
    if (hides) match = {Sql("CASE WHEN ") << match.sql << " THEN TRUE END"};
    return all_of({{Sql(text) << " >= " << begin}, {Sql(text) << " < " << end}, std::move(match)});
  }

  static constexpr int subquery_depth = 9;  // x IN ( SELECT distinct columns FROM tables WHERE

  Tables& tables_;
  From* from_ = nullptr;        // null: nothing of it is read, or a rule's filter, which reads
  const Plan* rule_ = nullptr;  // its own constants
  const Sql* table_ = nullptr;  // and one table
};

}  // namespace

Condition condition(Tables& tables, From& from, const Predicate& predicate) {
  return Writer(tables, from).write(predicate, false);
}

std::vector<Condition> conditions(Tables& tables, From& from, const std::vector<const Predicate*>& terms) {
  return Writer(tables, from).all_parts(terms);
}

Condition somewhere(Tables& tables, const Predicate& term) { return Writer(tables).somewhere(term); }

Condition condition(Tables& tables, const Plan& rule, const Sql& table) {
  return Writer(tables, rule, table).write(*rule.filter, false);
}

}  // namespace callisto::query::emit
