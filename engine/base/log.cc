#include "engine/base/log.h"

#include "engine/base/text.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <atomic>
#include <memory>
#include <string>

namespace callisto::log {

namespace {

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
constexpr const char* kJsonPattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":"%v"})";

std::atomic<bool> json_lines = false;

void set_pattern(spdlog::logger& logger, const char* pattern) {
  logger.set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc, "\n"));
}

spdlog::logger& logger() {
  static spdlog::logger& instance = []() -> spdlog::logger& {
    // Never destroyed: threads that end late, and destructors of other statics, may still write.
    auto* made = new spdlog::logger("callisto", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    set_pattern(*made, kTextPattern);
    made->set_level(spdlog::level::info);
    return *made;
  }();
  return instance;
}

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::Debug:
      return spdlog::level::debug;
    case Level::Info:
      return spdlog::level::info;
    case Level::Warning:
      return spdlog::level::warn;
    case Level::Error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

void append_escape(std::string& out, unsigned char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  switch (byte) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  out += "\\u00";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 0x0F];
}

// One event stays one line and cannot drive a terminal (ASVS 16.4.1): control characters, C1 too, become escapes, and
// so does every byte above ASCII where the message is not UTF-8.
std::string escaped(std::string_view message, bool json) {
  std::string out;
  out.reserve(message.size() + 8);
  const bool utf8 = text::is_utf8(message);
  for (std::size_t i = 0; i < message.size(); ++i) {
    const auto byte = static_cast<unsigned char>(message[i]);
    const auto next = i + 1 < message.size() ? static_cast<unsigned char>(message[i + 1]) : 0;
    if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !utf8)) {
      append_escape(out, byte);
    } else if (byte == 0xC2 && next < 0xA0) {
      append_escape(out, static_cast<unsigned char>(next));
      ++i;
    } else {
      if (json && (byte == '"' || byte == '\\')) out += '\\';
      out += message[i];
    }
  }
  return out;
}

}  // namespace

void configure(std::string_view level, bool json) {
  logger().set_level(level == "debug"     ? spdlog::level::debug
                     : level == "warning" ? spdlog::level::warn
                     : level == "error"   ? spdlog::level::err
                     : level == "off"     ? spdlog::level::off
                                          : spdlog::level::info);
  json_lines = json;
  set_pattern(logger(), json ? kJsonPattern : kTextPattern);
}

bool enabled(Level level) { return logger().should_log(spdlog_level(level)); }

void write(Level level, std::string_view message) {
  if (!enabled(level)) return;
  const std::string line = escaped(message, json_lines);
  logger().log(spdlog_level(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace callisto::log
