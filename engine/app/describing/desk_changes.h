// What is on disk against what runs: problems with their places, what differs, and what that would do to existing data.
// It loads everything anew beside the server, and only reads. One thread.
#pragma once

#include "engine/app/describing/effects.h"
#include "engine/app/describing/findings.h"
#include "engine/app/opening/settings.h"

#include <optional>
#include <string>
#include <vector>

namespace callisto::app {

struct DeskChanges {
  std::vector<Finding> findings;
  bool loads = false;  // no error among them; else the rest is empty
  std::vector<std::string>
      refused;  // by the database, and webhooks that would deliver nothing: a reload does nothing then
  std::vector<std::string> changes;  // a line each
  std::optional<Effects> effects;
};

// `running`: the description of what is served (description.h).
Result<DeskChanges> changes_on_disk(const Settings& settings, const std::string& running, const Clock& clock,
                                    Random& random);

}  // namespace callisto::app
