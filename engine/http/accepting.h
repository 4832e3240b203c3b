// Replaces the C library's accept for CivetWeb, which says nothing when descriptors run out and tries again at once.
// Here such a failure is logged and counted, and the next try waits a moment. Any thread.
#pragma once

#include <cstdint>

namespace callisto::http {

void watch_accepting();                    // does nothing; a program that calls it is linked with that accept
std::uint64_t connections_not_accepted();  // since the start of the process

}  // namespace callisto::http
