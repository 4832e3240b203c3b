// The entities and properties in which webhooks and their queue are kept. Any thread.
#pragma once

#include "engine/catalog/relied_on.h"

#include <vector>

namespace callisto::webhooks {

const std::vector<catalog::ReliedOn>& relied_on();

}  // namespace callisto::webhooks
