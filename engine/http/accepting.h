// CivetWeb tells nobody that it could not accept a connection for want of descriptors, and tries again at once. The
// program therefore stands before the C library's accept: such a failure is told in the log, counted, and waited for a
// moment. Any thread.
#pragma once

#include <cstdint>

namespace callisto::http {

void watch_accepting();                    // does nothing; a program that calls it is linked with that accept
std::uint64_t connections_not_accepted();  // since the start of the process

}  // namespace callisto::http
