// The program's own answers about webhooks: the actions preview and redeliver-failed, and what single webhooks and
// deliveries show beyond their properties.
#pragma once

#include "engine/api/api.h"
#include "engine/app/serving/generation.h"

namespace callisto::app {

// `desk` outlives what is added.
void add_webhook_answers(api::Options& options, const Runtime& runtime);

}  // namespace callisto::app
