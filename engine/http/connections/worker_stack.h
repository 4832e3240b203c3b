// Gives CivetWeb's threads a larger stack. CivetWeb fixes it at 100 KiB: less than a deep but legal query needs under
// the sanitizers, and barely enough without them. So the program replaces the C library's pthread_attr_setstacksize and
// never lets a stack be smaller than this (engine/decisions/0005). Only the pages that a thread touches cost memory.
#pragma once

#include <cstddef>

namespace callisto::http {

#ifdef __SANITIZE_ADDRESS__
inline constexpr std::size_t least_stack_bytes = std::size_t{4} * 1024 * 1024;  // its frames are several times larger
#else
inline constexpr std::size_t least_stack_bytes = std::size_t{1024} * 1024;
#endif

// Does nothing; a program that calls it is linked with the function above. Any thread.
void widen_worker_stacks();

}  // namespace callisto::http
