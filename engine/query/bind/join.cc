#include "engine/base/text.h"
#include "engine/query/bind/binder.h"
#include "engine/query/bind_types.h"
#include "engine/query/parse/parse.h"

#include <algorithm>
#include <string>
#include <utility>

namespace callisto::query {

namespace {

using catalog::Entity;

Result<void> check_alias(const Draft& draft, const Segment& alias, const Source& source) {
  const bool reserved = alias.name == "true" || alias.name == "false" || alias.name == "null" || alias.name[0] == '_';
  if (reserved) return source.refused(alias.at, alias.name, text::quoted(alias.name) + " is a reserved word");
  if (draft.names.join_of(alias.name))
    return source.refused(alias.at, alias.name, "the alias " + text::quoted(alias.name) + " is taken");
  if (const auto* property = draft.plan.entity->find_property(alias.name); property && draft.names.may_name(*property))
    return source.refused(
        alias.at, alias.name,
        text::quoted(alias.name) + " is a property of " + draft.plan.entity->name + " and cannot be an alias");
  return {};
}

Result<const Entity*> find_target(const Draft& draft, const Segment& target, const Source& source) {
  if (const Entity* entity = draft.plan.catalog->find(target.name)) return entity;
  return source.refused(target.at, target.name, "there is no entity " + text::quoted(target.name),
                        text::nearest(target.name, draft.plan.catalog->entity_names()), {"an entity"});
}

Result<Constant> typed_literal(const catalog::Property& property, const Literal& literal, const JoinClause& clause,
                               const Source& source) {
  Constant constant;
  constant.type = property.type;
  constant.position = source.column(clause.source_at);
  const Family wanted = family(property.type);
  const bool number = literal.kind == Literal::Kind::Number;
  if (number && (wanted == Family::Number || wanted == Family::Lookup)) {
    if (auto typed = typed_number(literal.text, property.type, property.scale); typed && typed->exact) {
      if (property.type == catalog::DataType::Decimal) constant.scale = property.scale;
      constant.value = std::move(typed->value);
      return constant;
    }
    return source.refused(clause.source_at, literal.text,
                          text::quoted(property.name) + " cannot hold " + text::quoted(literal.text));
  }
  if (literal.kind == Literal::Kind::Text && wanted == Family::Text) constant.value = literal.text;
  else if (literal.kind == Literal::Kind::Boolean && wanted == Family::Boolean) constant.value = literal.boolean;
  else
    return source.refused(clause.source_at, {},
                          text::quoted(property.name) + " is " + catalog::name(property.type) +
                              "; name a property of that type, or give " +
                              (wanted == Family::DateTime ? "no literal" : literal_of(wanted)));
  return constant;
}

Result<JoinOn> bind_clause(Draft& draft, const Entity& target, const JoinClause& clause, const Source& source) {
  JoinOn on;
  const Segment& name = clause.target_property;
  CALLISTO_TRY(const catalog::Property* property, draft.names.find(target, name, source, Use::Join));
  on.target_property = stored(*property);
  if (property->type == catalog::DataType::Binary)
    return source.refused(name.at, name.name, text::quoted(name.name) + " is Binary and cannot be joined");
  if (const auto* literal = std::get_if<Literal>(&clause.source)) {
    CALLISTO_TRY(Constant constant, typed_literal(*property, *literal, clause, source));
    on.source = add_constant(draft.plan, std::move(constant), *property);
    return on;
  }
  CALLISTO_TRY(Named named, draft.names.resolve(std::get<PathName>(clause.source), source, Use::Join));
  if (!comparable({Path{0, {}, on.target_property}, property}, named))
    return source.refused(clause.source_at, named.property->name,
                          text::quoted(name.name) + " is " + catalog::name(property->type) + " and " +
                              text::quoted(named.property->name) + " is " + catalog::name(named.property->type) +
                              "; these cannot be compared");
  on.source = std::move(named.path);
  return on;
}

}  // namespace

// API rule 2.9: the right side names the searched entity, an earlier alias or a literal; the alias exists from here
// on.
Result<void> bind_join(Draft& draft, const Source& source, bool inner) {
  CALLISTO_TRY(const std::vector<JoinItem> items, parse_joins(source, draft.limits));
  for (const JoinItem& item : items) {
    CALLISTO_CHECK(check_alias(draft, item.alias, source));
    Join join{std::string(item.alias.name), nullptr, inner, {}};
    CALLISTO_TRY(join.target, find_target(draft, item.target, source));
    join.on.reserve(item.clauses.size());
    for (const JoinClause& clause : item.clauses) {
      CALLISTO_TRY(JoinOn on, bind_clause(draft, *join.target, clause, source));
      join.on.push_back(std::move(on));
    }
    draft.plan.joins.push_back(std::move(join));
    CALLISTO_CHECK(draft.names.check_relations(item.alias.at, item.alias.name, source));
  }
  return {};
}

}  // namespace callisto::query
