// Random typed predicates over the sources of a plan, and their text in the $filter language. One thread.
#pragma once

#include "tests/differential/world.h"
#include "tests/support/plan_builder.h"

#include <functional>
#include <string>
#include <vector>

namespace callisto::test {

class Generator {
 public:
  // `speakable`: only what $filter can say, with the types that the binder gives its literals.
  Generator(Random& random, PlanBuilder& builder, bool speakable)
      : random_(random), builder_(builder), speakable_(speakable) {}

  query::Predicate predicate(int depth);
  query::Path path(const std::function<bool(const catalog::Property&)>& wanted, std::size_t hops);
  query::Path any_path(std::size_t hops);

 private:
  query::Predicate atom();
  int lists_ = 2;  // of lists in lists
  query::Predicate with_constant(const query::Path& left);
  query::Predicate rows_of(const catalog::SubResource& list);
  query::Predicate one_of(const query::Path& left);
  query::Predicate with_column(const query::Path& left);
  query::ConstantRef constant_for(const catalog::Property& property);
  query::CompareOp op(const catalog::Property& property);
  bool allowed(const catalog::Property& property) const;

  Random& random_;
  PlanBuilder& builder_;
  bool speakable_;
};

std::string spoken(const query::Predicate& predicate, const query::Plan& plan);

}  // namespace callisto::test
