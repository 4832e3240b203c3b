// How many threads and file descriptors the system grants this process, and which limit says so. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

namespace callisto::process_limits {

// The soft limit of descriptors up to the hard one, 65,536 at most.
void raise_descriptors();
std::size_t most_descriptors();
std::size_t open_descriptors();  // those open now

// How many threads beyond those that run there could be now, up to `wanted`: found by making them all.
std::size_t threads_to_have(std::size_t wanted, std::size_t stack_bytes);

// Bytes of memory that this process may use: the machine's, or less where its container or ulimit says so.
std::uint64_t memory_to_have();

// The limits that are set, in words for the operator, such as "`ulimit -u` is 100; pids.max of the container is 200";
// "no limit of this process" where none is.
std::string of_threads();  // of the memory too, which their stacks take
std::string of_memory();

// What an exception says; for want of memory or threads, of which the system's own words name no cause, with the
// limits.
std::string words_of(const std::exception& error);

}  // namespace callisto::process_limits
