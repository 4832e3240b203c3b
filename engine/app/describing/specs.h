// The specs of the scripts, run against the sample desk in memory (`callisto test`, `callisto reload --dry-run`). The
// thread that calls.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/base/random.h"
#include "engine/records/model.h"
#include "engine/testing/run.h"

#include <memory>
#include <string>
#include <vector>

namespace callisto::app {

// `path`: a file or folder; empty: the specs of all scripts folders.
Result<std::vector<std::string>> spec_files(const Settings& settings, const std::string& path = {});

// `lines`: null, or where lines that scripts run are counted.
Result<testing::Report> run_specs(const Settings& settings, std::shared_ptr<const records::Model> model,
                                  const testing::RunOptions& options, Random& random,
                                  script::LinesRun* lines = nullptr);

}  // namespace callisto::app
