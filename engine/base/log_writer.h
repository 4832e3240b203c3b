// How the log of log.h leaves the process. A command writes its lines itself. In a server a thread writes them, and the
// server never waits for a slow reader: 1 MiB of lines may wait; lines that find no room are dropped, and the log says
// how many as soon as there is room again. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace callisto::log {

inline constexpr std::chrono::milliseconds patience{
    200};  // of flush() of access_log.h, with a reader that stands still

bool start_writer();                 // from now on; false: there is no thread to be had
void print(std::string_view lines);  // as they are, the same way
std::uint64_t dropped();             // lines, since the start of the process

}  // namespace callisto::log
