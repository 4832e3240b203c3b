// The program's log: one line per event, to standard error. Levels and format (text or json) come from the settings.
// Never pass a token, password or secret. Any thread. spdlog stays inside log.cc.
#pragma once

#include <string_view>

namespace callisto::log {

enum class Level { Debug, Info, Warning, Error };

void configure(std::string_view level, bool json);  // "debug", "info", "warning", "error", "off"; once, at start-up
bool enabled(Level level);
void write(Level level, std::string_view message);

inline void debug(std::string_view message) {
  if (enabled(Level::Debug)) write(Level::Debug, message);
}
inline void info(std::string_view message) { write(Level::Info, message); }
inline void warning(std::string_view message) { write(Level::Warning, message); }
inline void error(std::string_view message) { write(Level::Error, message); }

}  // namespace callisto::log
