// $select, $orderby, $leftJoin and $innerJoin together: the input is their texts, one a line.
#include "tests/support/test_catalog.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callisto;
  static test::Desk desk;
  static constexpr std::array<const char*, 4> names{"$leftJoin", "$select", "$orderby", "$innerJoin"};
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<std::pair<std::string, std::string>> pairs;
  std::string line;
  for (const char* name : names)
    if (std::getline(in, line) && !line.empty()) pairs.emplace_back(name, line);
  auto options = query::parse_options(pairs);
  if (!options) return 0;
  for (const char* entity : {"incident", "call-history", "person"}) {
    auto plan = desk.search(entity, *options);
    if (!plan && (plan.error().status != 400 || !plan.error().diagnostic)) std::abort();
    if (!plan) continue;
    for (const auto& column : (*plan)->columns)
      if (!column.property || column.source > (*plan)->joins.size()) std::abort();
    if ((*plan)->order.empty()) std::abort();
  }
  return 0;
}
