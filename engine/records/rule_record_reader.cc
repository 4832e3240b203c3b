#include "engine/records/rule_record_reader.h"

#include "engine/records/values.h"

#include <algorithm>

namespace callisto::records {

namespace {

constexpr std::size_t no_column = static_cast<std::size_t>(-1);  // a record that is found by its key is not deleted

bool is_known(const catalog::Property& property) { return property.name == catalog::system::is_deleted; }

}  // namespace

RuleRecordReader::RuleRecordReader(const Model& model, const query::Plan& plan) {
  for (const catalog::Entity* type : plan.entity->final_types()) {
    std::vector<std::pair<const catalog::Property*, std::size_t>> columns;
    auto properties = model.store.watched(*type);
    std::sort(properties.begin(), properties.end(), catalog::by_address);
    for (const catalog::Property* property : properties) {
      const auto found = std::find_if(plan.columns.begin(), plan.columns.end(), [&](const query::Path& path) {
        return path.source == 0 && path.hops.empty() && !path.guarded && path.property == property;
      });
      if (found != plan.columns.end()) columns.emplace_back(property, found - plan.columns.begin());
      else if (is_known(*property)) columns.emplace_back(property, no_column);
    }
    if (columns.size() == properties.size()) columns_.emplace(type, std::move(columns));
  }
}

std::optional<Record> RuleRecordReader::of(const Row& row, const catalog::Entity& type) const {
  const auto columns = columns_.find(&type);
  if (columns == columns_.end()) return std::nullopt;
  Values values;
  values.reserve(columns->second.size());
  for (const auto& [property, column] : columns->second)
    values.emplace(property, column == no_column ? Value(false) : read_value(row, column, *property));
  return Record(type, std::move(values));
}

}  // namespace callisto::records
