#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/type_index.h"

#include <algorithm>

namespace callisto::catalog {
namespace {

constexpr std::string_view descending = " desc";
constexpr std::string_view is_set = " != null";

}  // namespace

void Builder::add_indexes(Draft& draft) {
  if (!draft.entity->parent)
    for (const auto& definition : definitions_.common_indexes) add_index(draft, definition);
  for (const auto& definition : draft.definition.indexes) add_index(draft, definition);
}

// What is wrong with one of every entity is told once: Problems keeps what was said twice of one place apart.
void Builder::add_index(Draft& draft, const EntityDefinition::IndexDefinition& definition) {
  Index index;
  index.origin = definition.origin;
  bool is_fine = !definition.properties.empty();
  for (const std::string& word : definition.properties) is_fine = read_part(draft, definition, word, index) && is_fine;
  for (const std::string& name : definition.covers) {
    index.covers.push_back(indexable(draft, definition, name));
    is_fine = index.covers.back() && is_fine;
  }
  is_fine = read_where(draft, definition, index) && is_fine;
  if (!is_fine) return;
  check_doubles(*draft.entity, index);
  const bool is_of_type = is_of_type_alone(*draft.entity, index);  // it leads to no rows of others
  const auto mark = [&](const Index::Part& part, bool first) {
    if (is_of_type && draft.entity->parent->find_property(part.property->name)) return;
    for (Pending& each : pending_) {
      if (each.property != part.property) continue;
      each.property->in_index = true;
      each.property->leads_index = each.property->leads_index || first;
    }
  };
  for (const Index::Part& part : index.parts) mark(part, &part == &index.parts.front());
  draft.entity->indexes.push_back(std::move(index));
}

bool Builder::read_part(const Draft& draft, const EntityDefinition::IndexDefinition& definition,
                        const std::string& word, Index& index) {
  Index::Part part;
  part.descending = word.ends_with(descending);
  const std::string name = part.descending ? word.substr(0, word.size() - descending.size()) : word;
  part.property = indexable(draft, definition, name);
  if (!part.property) return false;
  const bool is_double = std::any_of(index.parts.begin(), index.parts.end(),
                                     [&](const Index::Part& known) { return known.property == part.property; });
  if (is_double)
    problems_.add(place(definition.origin, definition.lines, "properties/" + word),
                  "the index names " + text::quoted(name) + " twice");
  index.parts.push_back(part);
  return !is_double;
}

const Property* Builder::indexable(const Draft& draft, const EntityDefinition::IndexDefinition& definition,
                                   const std::string& name) {
  const Property* property = draft.entity->find_property(name);
  Origin at = place(definition.origin, definition.lines, "properties/" + name);
  if (!property) {
    if (!draft.incomplete)
      problems_.unknown(at, "property", name, "an index of '" + draft.entity->name + "'",
                        property_names(*draft.entity));
    return nullptr;
  }
  if (property->mirror_of) return property->mirror_of;
  if (property->type != DataType::Binary && !property->sealed && !property->column.text().empty()) return property;
  problems_.add(at, "an index cannot hold '" + name + "', which is " +
                        (property->sealed ? std::string("sealed") : catalog::name(property->type)));
  return nullptr;
}

// "ClosedDate != null && Reason != null". Another condition would have to be proved of a search whose values are
// parameters, which no database can.
bool Builder::read_where(const Draft& draft, const EntityDefinition::IndexDefinition& definition, Index& index) {
  if (definition.where.empty()) return true;
  for (std::string_view rest = definition.where; !rest.empty();) {
    const std::size_t end = std::min(rest.find("&&"), rest.size());
    std::string term(text::trim(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 2, rest.size()));
    if (!term.ends_with(is_set)) {
      problems_.add(place(definition.origin, definition.lines, "where"),
                    "'where' of an index says which properties are set, such as \"ClosedDate != null\", not " +
                        text::quoted(definition.where));
      return false;
    }
    term.resize(term.size() - is_set.size());
    const Property* property = indexable(draft, definition, std::string(text::trim(term)));
    if (!property) return false;
    index.set.push_back(property);
  }
  return true;
}

// The same order of the same rows, or one that another begins with: of no use to anybody.
void Builder::check_doubles(const Entity& entity, const Index& index) {
  for (const Index& known : entity.indexes) {
    const Index& shorter = known.parts.size() < index.parts.size() ? known : index;
    const Index& longer = &shorter == &index ? known : index;
    if (shorter.set != longer.set || !shorter.covers.empty() ||
        !std::equal(shorter.parts.begin(), shorter.parts.end(), longer.parts.begin()))
      continue;
    problems_.add(index.origin,
                  "an index of '" + entity.name + "' does what that at " + known.origin.file + ":" +
                      std::to_string(known.origin.line) + " does",
                  "leave the shorter one out");
  }
}

}  // namespace callisto::catalog
