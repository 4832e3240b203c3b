// A query that a server was asked, as api::AskedQueries keeps it, with a record's values put in for those that were
// left out. Pure; any thread.
#pragma once

#include "engine/json/read.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::app {

struct AskedQuestion {
  std::string entity, kind, filter, order;
  std::uint64_t asked = 0;
  double milliseconds = 0;  // in all
  bool joins = false;

  std::string text() const;  // for people: call: State == ? by LoggedDate desc
  // The properties whose values the filter leaves out: "Priority.Name".
  std::vector<std::string> paths() const;
  // The filter with the record's values in their places; nothing where one of them is null, or is asked of a list.
  std::optional<std::string> filter_with(const json::Node& record) const;
};

std::vector<AskedQuestion> read_asked(std::string_view lines);  // those that took the most time in all first

}  // namespace callisto::app
