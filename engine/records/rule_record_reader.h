// RuleRecordReader: makes a record for the rules from a row that was read by its key for an answer, if that row has
// everything the rules of its type depend on. Made once for a plan; immutable, any thread.
#pragma once

#include "engine/records/model.h"
#include "engine/records/record.h"
#include "engine/records/search.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace callisto::records {

class RuleRecordReader {
 public:
  RuleRecordReader(const Model& model, const query::Plan& plan);
  // Nothing where the row lacks something: Store::load_for_rules reads it.
  std::optional<Record> of(const Row& row, const catalog::Entity& type) const;

 private:
  std::map<const catalog::Entity*, std::vector<std::pair<const catalog::Property*, std::size_t>>> columns_;
};

}  // namespace callisto::records
