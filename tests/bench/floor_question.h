// What the floor is asked: questions of the API as the SQL, the values and the shape of rows that the engine makes of
// them, once, at start.
#pragma once

#include "engine/query/emit_sql.h"
#include "tests/bench/desk.h"
#include "tests/bench/floor_rows.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace callisto::bench {

using Partitions = std::vector<std::int64_t>;  // of the session; none: all

struct Question {
  enum class Kind { Record, Search, Count };
  Question(Kind kind_, std::shared_ptr<const query::Plan> plan_, query::Statement statement_,
           const Partitions& partitions)
      : kind(kind_), plan(std::move(plan_)), statement(std::move(statement_)), rows(*plan) {
    for (const query::Binding& binding : statement.bindings) {
      values.push_back(value_of(binding, partitions));
      if (std::holds_alternative<query::KeyBinding>(binding)) key_parameter = values.size();
    }
  }

  Value value_of(const query::Binding& binding, const Partitions& partitions) const {
    if (const auto* constant = std::get_if<query::ConstantBinding>(&binding)) {
      if (plan->constants[constant->index].augmenter) fail("the floor computes no augmenters");
      return query::bound_value(*constant, plan->constants[constant->index].value);
    }
    if (const auto* partition = std::get_if<query::PartitionBinding>(&binding)) return partitions[partition->index];
    if (const auto* text = std::get_if<query::TextBinding>(&binding)) return text->text;
    if (const auto* paging = std::get_if<query::Paging>(&binding)) return query::bound_number(*paging, *plan);
    return std::int64_t{0};
  }

  Kind kind;
  std::shared_ptr<const query::Plan> plan;
  query::Statement statement;
  RowText rows;
  std::vector<Value> values;      // for the parameters; the key's differs with each request
  std::size_t key_parameter = 0;  // its number, from 1 on; 0: the question has none
  std::string self;               // Search: its url
};

inline std::pair<std::string, std::string> named(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) fail("'" + text + "': expected NAME=...");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// By name. A question stays where it is.
class Questions {
 public:
  Questions(query::Dialect dialect, Partitions partitions) : dialect_(dialect), partitions_(std::move(partitions)) {
    if (!partitions_.empty()) scope_.partitions = partitions_.size();
  }

  // NAME=ENTITY
  void add_record(const std::string& text) {
    const auto [name, entity] = named(text);
    auto plan = desk_.bind_record(desk_.entity(entity));
    auto statement = query::emit_record(*plan, scope_, dialect_);
    add(name, Question::Kind::Record, std::move(plan), std::move(statement));
  }

  // NAME=ENTITY?QUERY
  void add_search(const std::string& text) {
    const auto [name, url] = named(text);
    const QueryText query = query_text(url);
    auto plan = desk_.bind_search(desk_.entity(query.entity), options_of(query.query));
    auto statement =
        plan->count ? query::emit_count(*plan, scope_, dialect_) : query::emit_rows(*plan, scope_, dialect_);
    const auto kind = plan->count ? Question::Kind::Count : Question::Kind::Search;
    add(name, kind, std::move(plan), std::move(statement)).self = "api:v1/" + url;
  }

  // Null where there is none of that name.
  const Question* find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &found->second;
  }
  auto begin() const { return by_name_.begin(); }
  auto end() const { return by_name_.end(); }

 private:
  Question& add(const std::string& name, Question::Kind kind, std::shared_ptr<const query::Plan> plan,
                query::Statement statement) {
    return by_name_.try_emplace(name, kind, std::move(plan), std::move(statement), partitions_).first->second;
  }

  const Desk desk_;
  const query::Dialect dialect_;
  const Partitions partitions_;
  query::Scope scope_;
  std::map<std::string, Question, std::less<>> by_name_;
};

}  // namespace callisto::bench
