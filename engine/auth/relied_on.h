// The entities and properties that signing in, sessions and rights are kept in. Any thread.
#pragma once

#include "engine/catalog/relied_on.h"

#include <vector>

namespace callisto::auth {

const std::vector<catalog::ReliedOn>& relied_on();

}  // namespace callisto::auth
