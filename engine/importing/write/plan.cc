#include "engine/importing/write/plan.h"

#include "engine/base/text.h"
#include "engine/catalog/problems.h"

#include <algorithm>
#include <utility>

namespace callisto::importing {

namespace {

using catalog::Entity;
using catalog::Property;
using Kind = script::MapValue::Kind;

constexpr std::size_t no_column = static_cast<std::size_t>(-1);

std::vector<std::string_view> property_names(const Entity& entity) {
  std::vector<std::string_view> names;
  for (const Property* property : entity.properties)
    if (!property->query_alias) names.emplace_back(property->name);
  return names;
}

class PlanBinder {
 public:
  PlanBinder(const script::MapDefinition& map, const catalog::Catalog& catalog, const std::vector<std::string>& columns,
             bool all_columns)
      : map_(map), catalog_(catalog), all_columns_(all_columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) columns_.emplace(columns[i], i);
  }

  BoundPlan bind() {
    check_options();
    Plan plan{dates_, {}, {}, {}, {}};
    for (const script::MapBlock& block : map_.lookups) plan.lookups.push_back(bind_lookup(block, plan.pools));
    record_ = final_entity(map_.record);
    plan.record = bind_block(map_.record, record_, Place::Record);
    for (const script::MapBlock& block : map_.rows)
      plan.rows.push_back(bind_block(block, final_entity(block), Place::Rows));
    if (problems_.empty()) return {std::move(plan), {}};
    return {std::nullopt, problems_.take()};
  }

 private:
  enum class Place { Record, Rows, Lookup };

  void check_options() {
    if (auto right = DateReader::check_form(map_.dates.text); !right)
      problems_.add(map_.dates.origin, right.error().message);
    Result<TimeZone> zone = map_.zone.text.empty() ? TimeZone() : TimeZone::named(map_.zone.text);
    if (!zone) problems_.add(map_.zone.origin, "zone " + zone.error().message);
    if (problems_.empty()) dates_ = DateReader(map_.dates.text, *std::move(zone));
    if (!map_.group_by.text.empty()) find_column(map_.group_by.text, "group_by", map_.group_by.origin);
  }

  const Entity* final_entity(const script::MapBlock& block) {
    const Entity* entity = catalog_.find(block.entity);
    if (!entity) {
      problems_.add(block.origin, "unknown entity " + text::quoted(block.entity),
                    catalog::did_you_mean(block.entity, catalog_.entity_names()));
    } else if (entity->abstract) {
      problems_.add(block.origin, entity->name + " has no records of its own, only its children have");
      return nullptr;
    }
    return entity;
  }

  // Where the entity is not known, nothing more can be said of its properties.
  Block bind_block(const script::MapBlock& block, const Entity* entity, Place place) {
    Block bound{entity, {}};
    if (!entity) return bound;
    for (const script::MapField& field : block.fields) {
      const Property* property = find_property(*entity, field);
      if (property && gives(bound, *property))
        problems_.add(field.origin, field.property + " is given twice: it is a second name of " + property->name);
      else if (property) bound.fields.push_back(bind_field(field, *property, place));
    }
    check_needed(block, *entity, bound);
    return bound;
  }

  const Property* find_property(const Entity& entity, const script::MapField& field) {
    const Property* property = entity.find_property(field.property);
    if (!property || property->query_alias) {
      problems_.unknown(field.origin, "property", field.property, entity.name, property_names(entity));
      return nullptr;
    }
    if (property == entity.type_column) {
      problems_.add(field.origin, property->name + " is always the entity's own name");
      return nullptr;
    }
    return property->mirror_of ? property->mirror_of : property;
  }

  static bool gives(const Block& block, const Property& property) {
    return std::any_of(block.fields.begin(), block.fields.end(),
                       [&](const Field& field) { return field.property == &property; });
  }

  // A key of one number can be made, a key of several parts cannot.
  void check_needed(const script::MapBlock& block, const Entity& entity, const Block& bound) {
    for (const Property* property : entity.properties) {
      if (property == entity.type_column) continue;  // the engine's
      const bool is_part = entity.key.size() > 1 && property->is_key;
      if ((is_part || (property->required && !property->default_value)) && !gives(bound, *property))
        problems_.add(block.origin, entity.name + " needs " + property->name +
                                        (is_part ? ", which is part of its key" : ", which is mandatory"));
    }
  }

  Field bind_field(const script::MapField& from, const Property& property, Place place) {
    const script::MapValue& value = from.value;
    Field field{&property, value.kind, {}, value.separator, {}, {}, value.number};
    for (const std::string& column : value.columns)
      field.columns.push_back(find_column(column, from.property, from.origin));
    if (value.kind == Kind::Always) field.constant = constant(value.constant, from, property);
    for (const auto& [text, answer] : value.answers) field.answers.emplace(text, constant(answer, from, property));
    if (value.kind == Kind::Lookup) check_target(from, property, lookup_entities_[value.number]);
    if (value.kind == Kind::Parent) check_target(from, property, record_);
    if (value.kind == Kind::Parent && place != Place::Rows)
      problems_.add(from.origin, "'parent' may only be used in rows");
    if (value.kind == Kind::Position && place == Place::Lookup)
      problems_.add(from.origin, "'position' may not be used in find_or_create, whose records belong to many rows");
    return field;
  }

  Value constant(const Value& value, const script::MapField& from, const Property& property) {
    auto converted = convert(property, value, dates_);
    if (converted) return *std::move(converted);
    problems_.add(from.origin, from.property + ": " + converted.error().message);
    return Null{};
  }

  std::size_t find_column(const std::string& name, const std::string& what, const catalog::Origin& origin) {
    if (const auto found = columns_.find(name); found != columns_.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& [column, number] : columns_) names.emplace_back(column);
    if (all_columns_)
      problems_.add(origin, what + ": the file has no column " + text::quoted(name),
                    catalog::did_you_mean(name, names));
    return no_column;
  }

  // A property may take the key of a record of `entity`.
  void check_target(const script::MapField& from, const Property& property, const Entity* entity) {
    if (!entity) return;
    if (property.type != catalog::DataType::Lookup && !catalog::is_whole(property.type))
      problems_.add(from.origin, from.property + " is no lookup and cannot hold the key of a record");
    else if (entity->key.size() != 1)
      problems_.add(from.origin, "records of " + entity->name + " cannot be looked up: their key has several parts");
    else if (property.target && !entity->is_or_extends(*property.target))
      problems_.add(from.origin,
                    from.property + " holds records of " + property.target->name + ", not of " + entity->name);
  }

  Lookup bind_lookup(const script::MapBlock& block, std::vector<Pool>& pools) {
    const Entity* entity = final_entity(block);
    Lookup lookup{bind_block(block, entity, Place::Lookup), {}, 0};
    lookup_entities_.push_back(entity);
    Pool pool{entity, {}};
    for (const std::string& name : block.by) {
      const Property* property = entity ? entity->find_property(name) : nullptr;
      if (property && property->mirror_of) property = property->mirror_of;
      for (std::size_t i = 0; i < lookup.block.fields.size(); ++i)
        if (lookup.block.fields[i].property == property) lookup.by.push_back(i);
      pool.by.push_back(property);
    }
    const auto same = [&](const Pool& other) { return other.entity == pool.entity && other.by == pool.by; };
    const auto known = std::find_if(pools.begin(), pools.end(), same);
    lookup.pool = static_cast<std::size_t>(known - pools.begin());
    if (known == pools.end()) pools.push_back(std::move(pool));
    return lookup;
  }

  const script::MapDefinition& map_;
  const catalog::Catalog& catalog_;
  bool all_columns_;
  std::map<std::string, std::size_t, std::less<>> columns_;
  DateReader dates_;
  const Entity* record_ = nullptr;
  std::vector<const Entity*> lookup_entities_;
  catalog::Problems problems_;
};

}  // namespace

std::set<std::string, std::less<>> named_columns(const script::MapDefinition& map) {
  std::set<std::string, std::less<>> named;
  const auto add = [&](const script::MapBlock& block) {
    for (const script::MapField& field : block.fields)
      named.insert(field.value.columns.begin(), field.value.columns.end());
  };
  add(map.record);
  for (const script::MapBlock& block : map.rows) add(block);
  for (const script::MapBlock& block : map.lookups) add(block);
  if (!map.group_by.text.empty()) named.insert(map.group_by.text);
  return named;
}

BoundPlan bind_plan(const script::MapDefinition& map, const catalog::Catalog& catalog,
                    const std::vector<std::string>& columns, bool all_columns) {
  return PlanBinder(map, catalog, columns, all_columns).bind();
}

}  // namespace callisto::importing
