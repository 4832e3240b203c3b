// The sample desk in memory, as specs and the console find it, and the parts of a testing::TestServer over any desk.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"
#include "engine/testing/test_server.h"

#include <memory>

namespace callisto::app {

inline constexpr DateTime sample_start{1'796'115'600'000};  // 2026-12-01T09:00Z, after all of the samples' dates

// For the statements of such a desk, whatever database the settings name.
Settings in_memory(Settings settings);
Result<std::unique_ptr<storage::Database>> open_sample_desk(const records::Model& model, const Clock& clock,
                                                            Random& random);
testing::TestServerParts desk_parts(const Settings& settings, std::shared_ptr<const records::Model> model);

}  // namespace callisto::app
