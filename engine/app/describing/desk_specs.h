// The specs of what is on disk, run on the sample desk in memory beside the server (API rule 3.15): which fail, and
// what of the rules no spec reaches. It loads everything anew and touches no data. One thread.
#pragma once

#include "engine/app/describing/coverage.h"
#include "engine/app/opening/settings.h"
#include "engine/json/write.h"
#include "engine/testing/run.h"

#include <functional>

namespace callisto::app {

struct DeskSpecs {
  testing::Report report;
  Coverage::Files reached;
};

// `should_stop` is asked between specs. Error 400: what is on disk does not load.
Result<DeskSpecs> specs_on_disk(const Settings& settings, const Clock& clock, Random& random,
                                std::function<bool()> should_stop);

// Members of the object that is open.
void write_specs(json::Writer& writer, const DeskSpecs& specs);

}  // namespace callisto::app
