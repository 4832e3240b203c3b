#include "engine/app/describing/specs.h"

#include "engine/app/opening/sample_desk.h"
#include "engine/testing/spec_files.h"

namespace callisto::app {

Result<std::vector<std::string>> spec_files(const Settings& settings, const std::string& path) {
  return path.empty() ? testing::specs_of_folders(find_folders(settings.scripts)) : testing::specs_at(path);
}

Result<testing::Report> run_specs(const Settings& settings, std::shared_ptr<const records::Model> model,
                                  const testing::RunOptions& options, Random& random, script::LinesRun* lines) {
  const testing::SteeredClock clock(options.start);
  CALLISTO_TRY(const auto database, open_sample_desk(*model, clock, random));
  testing::TestServerParts parts = desk_parts(settings, std::move(model));
  parts.lines_run = lines;
  return testing::run(*database, parts, options, random);
}

}  // namespace callisto::app
