#include "engine/records/row_record.h"

#include "engine/records/values.h"

#include <algorithm>

namespace callisto::records {

RowRecord::RowRecord(const Model& model, const query::Plan& plan) {
  for (const catalog::Entity* type : plan.entity->final_types()) {
    std::vector<std::pair<const catalog::Property*, std::size_t>> columns;
    auto properties = model.store.watched(*type);
    std::sort(properties.begin(), properties.end(), catalog::by_address);
    for (const catalog::Property* property : properties) {
      const auto found = std::find_if(plan.columns.begin(), plan.columns.end(), [&](const query::Path& path) {
        return path.source == 0 && path.hops.empty() && path.property == property;
      });
      if (found != plan.columns.end()) columns.emplace_back(property, found - plan.columns.begin());
    }
    if (columns.size() == properties.size()) columns_.emplace(type, std::move(columns));
  }
}

std::optional<Record> RowRecord::of(const Row& row, const catalog::Entity& type) const {
  const auto columns = columns_.find(&type);
  if (columns == columns_.end()) return std::nullopt;
  Values values;
  values.reserve(columns->second.size());
  for (const auto& [property, column] : columns->second) values.emplace(property, read_value(row, column, *property));
  return Record(type, std::move(values));
}

}  // namespace callisto::records
