// FilterBinder: one predicate's syntax -> Predicate. bind_filter.cc has the connectives and conditions, bind_compare.cc
// the comparisons and text methods, bind_one_of.cc `in`, bind_states.cc @InState, bind_lists.cc Any, All and Count,
// bind_call.cc the augmenters that yield values. One thread; use once.
#pragma once

#include "engine/query/bind/binder.h"

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

namespace callisto::query {

class FilterBinder {
 public:
  FilterBinder(Draft& draft, const Source& source, Use use) : draft_(draft), source_(source), use_(use) {}

  Result<Predicate> predicate(const Expression& expression);

 private:
  // One side of a comparison. A Constant is an augmenter's value; a literal takes its type from the other side.
  using Side = std::variant<Named, const Literal*, Constant>;

  // bind_filter.cc
  Result<Predicate> connective(const Connective& form);
  Result<Predicate> flag(const PathName& path, const Expression& whole);
  Result<Predicate> literal_flag(const Literal& literal, const Expression& whole) const;
  Result<Predicate> condition(const Call& call, const Expression& whole);
  Result<Predicate> expand(const catalog::Augmenter& condition, const Expression& whole);

  // bind_states.cc
  Result<Predicate> in_states(const std::string& word, const Expression& whole);
  Predicate one_of(const catalog::Property& property, const std::vector<Value>& values);

  // bind_compare.cc
  Result<Predicate> comparison(const Comparison& form);
  Result<Side> side(const Expression& expression);
  Result<Predicate> with_path(const Named& left, CompareOp op, const Named& right, const Comparison& form) const;
  Result<Predicate> with_literal(const Named& left, CompareOp op, const Literal& right, const Comparison& form,
                                 const Expression& place);
  Result<Predicate> with_null(const Named& left, CompareOp op, const Comparison& form) const;
  Result<Predicate> with_number(const Named& left, CompareOp op, const Literal& right, const Expression& place);
  Result<Predicate> with_call(const Named& left, CompareOp op, Constant right, const Comparison& form,
                              const Expression& place);
  Result<Predicate> literals(const Literal& left, CompareOp op, const Literal& right, const Comparison& form) const;
  Result<Predicate> text_method(const Method& form);
  Result<void> check_order(const Named& left, CompareOp op, const Comparison& form) const;
  Error unquoted(const Side& left, const Expression& place, Error error) const;
  Error mismatch(const Named& left, const Expression& place, std::string suggestion = {}) const;
  Predicate with_constant(const Named& left, CompareOp op, Constant right);

  // bind_one_of.cc
  Result<Predicate> one_of(const Membership& form);
  Result<Predicate> equal(const Named& member, const Expression& value, const Membership& form);

  // bind_lists.cc
  Result<Predicate> list_test(const ListMethod& form, const Expression& whole);
  Result<Predicate> counted(const Comparison& form);
  Result<Predicate> rows(const ListMethod& form);
  Result<const catalog::SubResource*> find_list(const Segment& name) const;
  Result<Predicate> below(const catalog::Entity& entity, const Expression& predicate, Predicate& rows);

  // bind_call.cc
  Result<const catalog::Augmenter*> augmenter(const Call& call, const Expression& whole);
  Result<Constant> value_of(const Call& call, const Expression& whole);
  Result<std::vector<Value>> arguments(const catalog::Augmenter& function, const Call& call,
                                       const Expression& whole) const;
  Result<Value> argument(const catalog::Augmenter::Parameter& parameter, const Call::Argument& given) const;
  Result<Constant> fold(const catalog::Augmenter& function, Constant call, std::size_t at) const;

  std::string_view text_of(const Expression& expression) const {
    return source_.text().substr(expression.at, expression.end - expression.at);
  }
  // Where an error of a call points to: the place in the client's own text, inside conditions too.
  std::size_t position_of(const Expression& expression) const {
    return outer_position_.value_or(source_.column(expression.at));
  }

  Draft& draft_;
  const Source& source_;
  Use use_;
  std::optional<std::size_t> outer_position_;         // set inside a condition
  std::vector<const catalog::Augmenter*> expanding_;  // conditions around this one
};

}  // namespace callisto::query
