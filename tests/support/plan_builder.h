// Plans written by hand, for tests of what comes after binding: paths by their dotted names, predicates as nested
// calls.
#pragma once

#include "engine/base/text.h"
#include "engine/query/plan.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::test {

inline query::Path path(const catalog::Entity& entity, std::string_view dotted, std::size_t source = 0) {
  query::Path result;
  result.source = source;
  const catalog::Entity* at = &entity;
  const auto names = text::split(dotted, '.');
  for (std::size_t i = 0; i < names.size(); ++i) {
    const catalog::Property* property = at->find_property(names[i]);
    if (!property) throw std::logic_error("no property " + std::string(names[i]) + " in " + at->name);
    if (i + 1 == names.size()) result.property = property;
    else result.hops.push_back(property);
    at = property->target;
  }
  return result;
}

inline query::Predicate atom(query::Predicate::Kind kind, query::Operand left, query::Operand right = {}) {
  query::Predicate result;
  result.kind = kind;
  result.left = std::move(left);
  result.right = std::move(right);
  return result;
}

inline query::Predicate compare(query::Operand left, query::CompareOp op, query::Operand right) {
  auto result = atom(query::Predicate::Kind::Compare, std::move(left), std::move(right));
  result.op = op;
  return result;
}

inline query::Predicate matches(query::Operand left, query::TextOp op, query::ConstantRef needle) {
  auto result = atom(query::Predicate::Kind::Text, std::move(left), needle);
  result.text_op = op;
  return result;
}

inline query::Predicate is_null(query::Operand left) { return atom(query::Predicate::Kind::IsNull, std::move(left)); }
inline query::Predicate flag(query::Operand left) { return atom(query::Predicate::Kind::Flag, std::move(left)); }

inline query::Predicate list(query::Predicate::Kind kind, std::vector<query::Predicate> children) {
  query::Predicate result;
  result.kind = kind;
  result.children = std::move(children);
  return result;
}

inline query::Predicate all(std::vector<query::Predicate> children) {
  return list(query::Predicate::Kind::And, std::move(children));
}
inline query::Predicate any(std::vector<query::Predicate> children) {
  return list(query::Predicate::Kind::Or, std::move(children));
}
inline query::Predicate opposite(query::Predicate of) { return list(query::Predicate::Kind::Not, {std::move(of)}); }

// A plan over one entity that selects and orders by its key until told otherwise.
class PlanBuilder {
 public:
  PlanBuilder(std::shared_ptr<const catalog::Catalog> catalog, std::string_view entity) {
    plan.entity = catalog->find(entity);
    plan.catalog = std::move(catalog);
    for (const catalog::Property* part : plan.entity->key) {
      plan.key_columns.push_back(plan.columns.size());
      plan.columns.push_back({0, {}, part});
      plan.order.push_back({{0, {}, part}, false});
    }
  }

  query::Path path(std::string_view dotted) const { return test::path(*plan.entity, dotted); }
  query::Path joined(std::size_t join, std::string_view dotted) const {
    return test::path(*plan.joins[join - 1].target, dotted, join);
  }

  query::ConstantRef constant(Value value, catalog::DataType type, int scale = 0) {
    query::Constant entry;
    entry.value = std::move(value);
    entry.type = type;
    entry.scale = scale;
    plan.constants.push_back(std::move(entry));
    return {plan.constants.size() - 1};
  }
  query::ConstantRef whole(std::int64_t value) { return constant(value, catalog::DataType::Integer); }
  query::ConstantRef words(std::string value) { return constant(std::move(value), catalog::DataType::Text); }

  query::Plan plan;
};

inline std::vector<Value> constants(const query::Plan& plan) {
  std::vector<Value> values;
  for (const query::Constant& constant : plan.constants) values.push_back(constant.value);
  return values;
}

}  // namespace callisto::test
