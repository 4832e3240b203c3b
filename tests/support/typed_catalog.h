// A small catalog with every data type, lookups that lead to one another and to themselves, a hierarchy, one that mixes
// partitioned types with others, and a composite key: what the tests of queries run on.
#pragma once

#include "engine/catalog/builder.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace callisto::test {

inline catalog::PropertyDefinition property(std::string name, catalog::DataType type, std::string target = {}) {
  catalog::PropertyDefinition definition;
  definition.property.name = std::move(name);
  definition.property.type = type;
  definition.target_entity = std::move(target);
  return definition;
}

inline catalog::PropertyDefinition key(std::string name) {
  auto definition = property(std::move(name), catalog::DataType::Integer);
  definition.property.is_key = true;
  return definition;
}

inline catalog::PropertyDefinition flag_text(std::string name) {
  auto definition = property(std::move(name), catalog::DataType::Boolean);
  definition.property.stored = {"Y", "N"};
  return definition;
}

inline catalog::PropertyDefinition decimal(std::string name, int scale) {
  auto definition = property(std::move(name), catalog::DataType::Decimal);
  definition.property.scale = scale;
  return definition;
}

inline catalog::PropertyDefinition indexed(catalog::PropertyDefinition definition) {
  definition.property.indexed = true;
  return definition;
}

inline catalog::PropertyDefinition searchable(std::string name, catalog::DataType type) {
  auto definition = property(std::move(name), type);
  definition.property.searchable = true;
  return definition;
}

inline catalog::EntityDefinition entity(std::string name, std::vector<catalog::PropertyDefinition> properties) {
  catalog::EntityDefinition definition;
  definition.name = std::move(name);
  definition.properties = std::move(properties);
  return definition;
}

inline std::vector<catalog::EntityDefinition> typed_entities() {
  using catalog::DataType;
  auto region = entity("region", {property("Name", DataType::Text)});
  region.deletable = false;
  auto person = entity("person", {property("Name", DataType::Text), property("Manager", DataType::Lookup, "person"),
                                  property("City", DataType::Lookup, "city"), property("Born", DataType::DateTime),
                                  property("Rank", DataType::Short), flag_text("Active")});
  person.partitioned = true;
  auto item = entity(
      "item", {property("Name", DataType::Text), property("Owner", DataType::Lookup, "person"), decimal("Cost", 3)});
  auto part = entity("part", {});
  auto tool = entity("tool", {});
  part.extends = tool.extends = "item";
  tool.partitioned = true;
  auto document = entity(
      "document",
      {searchable("Title", DataType::Text), searchable("Body", DataType::RichText),
       property("Count", DataType::Integer), property("Size", DataType::Long), property("Rank", DataType::Short),
       property("Ratio", DataType::Float), property("Weight", DataType::Double), decimal("Price", 2), decimal("Tax", 4),
       property("Done", DataType::Boolean), flag_text("Checked"), indexed(property("Due", DataType::DateTime)),
       property("Content", DataType::Binary), property("Author", DataType::Lookup, "person"),
       property("Item", DataType::Lookup, "item"), property("Previous", DataType::Lookup, "document")});
  document.partitioned = true;
  auto report = entity("report", {property("Pages", DataType::Integer)});
  report.extends = "document";
  auto note = entity("note", {key("DocumentId"), key("Order"), searchable("Words", DataType::Text),
                              property("Writer", DataType::Lookup, "person"), property("Rank", DataType::Integer)});
  note.query_aliases = {{"Ref", "DocumentId"}};
  auto city = entity("city", {property("Name", DataType::Text), property("Region", DataType::Lookup, "region")});
  return {entity("partition", {property("Name", DataType::Text)}),
          region,
          city,
          person,
          item,
          part,
          tool,
          document,
          report,
          note};
}

// The same, with indexes of documents, each over these properties.
inline std::vector<catalog::EntityDefinition> with_document_indexes(
    const std::vector<std::vector<std::string>>& indexes) {
  auto entities = typed_entities();
  for (auto& entity : entities)
    if (entity.name == "document")
      for (const auto& properties : indexes) entity.indexes.push_back({properties, {}, {}, {}, {}});
  return entities;
}

// Documents whose rank is their state: 0 to begin with, and 1.
inline std::vector<catalog::StateSetDefinition> document_states() {
  catalog::StateSetDefinition states{"document", "Rank", {}, {}};
  for (const std::int64_t value : {0, 1})
    states.states.push_back({{"State" + std::to_string(value), "", value, {}, value == 0}, true, {}, {}});
  return {states};
}

inline std::shared_ptr<const catalog::Catalog> typed_catalog(
    std::vector<catalog::EntityDefinition> entities = typed_entities(),
    std::vector<catalog::StateSetDefinition> states = {}) {
  using catalog::DataType;
  catalog::Definitions definitions;
  auto deleted = property("IsDeleted", DataType::Boolean);
  auto version = property("RecordVersion", DataType::Integer);
  deleted.property.internal = version.property.internal = true;
  definitions.common = {key("Ref"), property("Id", DataType::Text),
                        property("Partition", DataType::Lookup, "partition"), deleted, version};
  definitions.entities = std::move(entities);
  definitions.states = std::move(states);
  catalog::Augmenter date;
  date.name = "DateTime";
  date.kind = catalog::AugmenterKind::Function;
  date.returns = DataType::DateTime;
  date.parameters = {{"text", DataType::Text}};
  date.constant = true;
  definitions.augmenters.push_back({"common", date, {}, {}, -1, {}});
  auto result = catalog::build(std::move(definitions));
  if (!result.catalog) throw std::logic_error(catalog::to_string(result.problems.front()));
  return result.catalog;
}

}  // namespace callisto::test
