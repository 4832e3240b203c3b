// What entities and scripts would do to existing data: values and rows that no definition shows any more, and actions
// that would be due at once. Only reads, also beside a running server, and before the database is migrated to them. One
// thread.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/records/model.h"

#include <string>
#include <vector>

namespace callisto::app {

struct Effects {
  std::vector<std::string> out_of_sight;  // a line each, with the mend
  struct Due {
    std::string line;
    std::size_t records = 0;  // 1 where they cannot be counted
  };
  std::vector<Due> due;  // each action with `due`
};
// None where there is no database yet.
Result<Effects> effects_on_data(const Settings& settings, const records::Model& model, const Clock& clock,
                                Random& random);

}  // namespace callisto::app
