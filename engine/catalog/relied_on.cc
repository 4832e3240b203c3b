#include "engine/catalog/relied_on.h"

#include "engine/base/text.h"
#include "engine/catalog/problems.h"

#include <algorithm>
#include <string>

namespace callisto::catalog {

namespace {

// One kind of whole number is as good as another, as is one of text; a flag kept as two texts is not one of 0 and 1.
bool serves(const Property& property, DataType type) {
  if (property.stored.is_text()) return false;
  if (is_whole(type)) return is_whole(property.type);
  return is_text(type) ? is_text(property.type) : property.type == type;
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

void check(const Entity& entity, const ReliedOn& relied, std::string_view place, Problems& problems) {
  const std::string purpose = ", and " + std::string(relied.purpose) + " needs it";
  for (const std::string_view wanted : relied.properties) {
    const Property* property = entity.find_property(wanted);
    const std::string declared = "`" + text::ascii_lower(name(relied.type)) + " \"" + std::string(wanted) + "\"`";
    if (!property)
      problems.add(entity.origin, quoted(entity.name) + " has no property " + quoted(wanted) + purpose,
                   "put " + declared + " back" + std::string(place));
    else if (!serves(*property, relied.type))
      problems.add(property->origin,
                   quoted(wanted) + " is no plain " + name(relied.type) + purpose + " in " + quoted(entity.name),
                   "declare it as " + declared + ", without 'stored'");
  }
}

// What storage::NewRows writes into each row.
void check_common(const Entity& entity, std::string_view purpose, Problems& problems) {
  const ReliedOn common[] = {{entity.name, purpose, DataType::Text, {system::id}},
                             {entity.name, purpose, DataType::DateTime, {system::created_date, system::updated_date}},
                             {entity.name, purpose, DataType::Boolean, {system::is_deleted}},
                             {entity.name, purpose, DataType::Integer, {system::key, system::version}}};
  for (const ReliedOn& relied : common) check(entity, relied, ", into common.lua", problems);
}

}  // namespace

std::vector<Problem> missing(const Catalog& catalog, const std::vector<ReliedOn>& list) {
  Problems problems;
  const auto is_there = [&](const ReliedOn& relied) { return catalog.find(relied.entity) != nullptr; };
  if (std::none_of(list.begin(), list.end(), is_there)) return {};
  std::string_view last;
  for (const ReliedOn& relied : list) {
    const Entity* entity = catalog.find(relied.entity);
    if (entity && relied.entity != last) check_common(*entity, relied.purpose, problems);
    last = relied.entity;
    if (entity) check(*entity, relied, {}, problems);
    else
      problems.add({"entities"},
                   "there is no entity " + quoted(relied.entity) + ", and " + std::string(relied.purpose) + " needs it",
                   "put its file back: entities/" + std::string(relied.entity) + ".lua");
  }
  return problems.take();
}

}  // namespace callisto::catalog
