// CivetWeb says nothing when a connection cannot be accepted for want of descriptors or memory, and tries again at
// once. Here such a failure is logged and counted, and the next try waits a moment. Any thread.
#pragma once

#include <cstdint>

namespace callisto::http {

void accepting_failed(int reason) noexcept;  // of accept(2), which stays in errno
std::uint64_t connections_not_accepted();    // since the start of the process

}  // namespace callisto::http
