// The licences that are taken, and how many there are. Any thread that owns the reader.
#pragma once

#include "engine/auth/reader.h"

#include <cstdint>

namespace callisto::app {

struct Licences {
  std::int64_t in_use = 0, capacity = 0;  // capacity 0: unlimited
};

Result<Licences> licences_of(auth::Reader& reader);

}  // namespace callisto::app
