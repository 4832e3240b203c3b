// What Prometheus' client libraries tell of their own process, under the names that dashboards expect
// (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics). From /proc; what cannot be read is
// left out. Any thread.
#pragma once

#include "engine/base/metrics.h"

namespace callisto {

void append_process(MetricsText& text);

}  // namespace callisto
