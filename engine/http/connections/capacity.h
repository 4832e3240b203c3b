// How many connections a server may have if the system grants fewer threads or descriptors than it wants.
#pragma once

#include "engine/base/result.h"

#include <cstddef>

namespace callisto::http {

struct Capacity {
  int threads = 0;  // each serves a connection
  int queue = 0;    // connections that were accepted and wait for one
};

inline constexpr int least_threads = 8;

// By the descriptors of the process: half of the free ones, and twice what is open already, are kept for others.
Capacity capacity_of(int wanted_threads, std::size_t most_descriptors, std::size_t open_descriptors);

// Of this process now: `wanted_threads`, or as many as it can have, which is told in the log with the limit; an error,
// for the operator, where these are fewer than 8 (and fewer than wanted). It makes so many threads for a moment.
Result<Capacity> capacity_of_process(int wanted_threads);

}  // namespace callisto::http
