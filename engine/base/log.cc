#include "engine/base/log.h"

#include "engine/base/access_log.h"
#include "engine/base/bounded_writer.h"
#include "engine/base/escape.h"
#include "engine/base/log_repeats.h"
#include "engine/base/log_writer.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace callisto::log {

namespace {

constexpr const char* text_pattern = "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
constexpr const char* json_pattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})";

constexpr const char* access = "access";
constexpr std::size_t most_held = 1024 * 1024;

std::atomic<bool> json_lines = false;
thread_local std::string_view current_request;

std::string dropped_note(std::uint64_t lines);

BoundedWriter& standard_error() {
  // Never destroyed: threads that end late, and destructors of other statics, may still write.
  static auto* instance = new BoundedWriter(STDERR_FILENO, most_held, dropped_note);
  return *instance;
}

// Lines of the access log wait for company, all others go out at once and take with them what waits.
class LineSink final : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    standard_error().add({line.data(), line.size()}, message.logger_name != access);
  }
  void flush_() override {}
};

void set_pattern(spdlog::logger& logger, const char* pattern) {
  logger.set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc, "\n"));
}

spdlog::logger& logger() {
  static spdlog::logger& instance = []() -> spdlog::logger& {
    auto* made = new spdlog::logger("callisto", std::make_shared<LineSink>());  // never destroyed either
    set_pattern(*made, text_pattern);
    made->set_level(spdlog::level::info);
    return *made;
  }();
  return instance;
}

// The same sink under another name.
spdlog::logger& access_logger() {
  static auto* instance = new spdlog::logger(access, logger().sinks().front());
  return *instance;
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

void append_number(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

void append_milliseconds(std::string& out, std::int64_t microseconds) {
  append_number(out, microseconds / 1000);
  const std::string rest = std::to_string(1000 + microseconds % 1000);
  out += '.';
  out.append(rest, 1);
}

void append_member(std::string& out, const char* name, std::string_view text) {
  out += ",\"";
  out += name;
  out += "\":\"";
  out += escaped(text, true);
  out += '"';
}

std::string message_text(std::string_view message) {
  std::string out = escaped(message, false);
  if (!current_request.empty()) out.append(" request=").append(current_request);
  return out;
}

std::string message_json(std::string_view message) {
  std::string out = "\"message\":\"" + escaped(message, true) + '"';
  if (!current_request.empty()) append_member(out, "request", current_request);
  return out;
}

// Made by the thread that writes, so by a formatter of its own.
std::string dropped_note(std::uint64_t lines) {
  const std::string said = std::to_string(lines) + (lines == 1 ? " line of the log was" : " lines of the log were") +
                           " dropped here: standard error was not read, or could not be written.";
  const std::string text = json_lines ? "\"message\":\"" + said + '"' : said;
  spdlog::pattern_formatter formatter(json_lines ? json_pattern : text_pattern, spdlog::pattern_time_type::utc, "\n");
  spdlog::memory_buf_t line;
  formatter.format({"callisto", spdlog::level::warn, spdlog::string_view_t(text.data(), text.size())}, line);
  return {line.data(), line.size()};
}

std::string access_text(const AccessLine& line) {
  std::string out;
  out.reserve(160);
  for (const std::string_view part : {line.method, std::string_view(" "), line.path}) out += escaped(part, false);
  if (!line.options.empty()) out += '?' + escaped(line.options, false);
  out += ' ';
  append_number(out, line.status);
  out += ' ';
  append_milliseconds(out, line.microseconds);
  out += "ms ";
  append_number(out, static_cast<std::int64_t>(line.bytes));
  out += "B person=";
  if (line.person) append_number(out, *line.person);
  else out += '-';
  out += " client=" + (line.client.empty() ? "-" : escaped(line.client, false)) +
         " address=" + (line.address.empty() ? "-" : escaped(line.address, false)) + " request=";
  out += line.request_id;
  if (!line.trace.empty()) out.append(" trace=").append(line.trace);
  return out;
}

std::string access_json(const AccessLine& line) {
  std::string out = "\"message\":\"request\"";
  out.reserve(256);
  append_member(out, "method", line.method);
  append_member(out, "path", line.path);
  append_member(out, "options", line.options);
  out += ",\"status\":";
  append_number(out, line.status);
  out += ",\"duration_ms\":";
  append_milliseconds(out, line.microseconds);
  out += ",\"bytes\":";
  append_number(out, static_cast<std::int64_t>(line.bytes));
  if (line.person) {
    out += ",\"person\":";
    append_number(out, *line.person);
  }
  if (!line.client.empty()) append_member(out, "client", line.client);
  if (!line.address.empty()) append_member(out, "address", line.address);
  append_member(out, "request", line.request_id);
  if (!line.trace.empty()) append_member(out, "trace", line.trace);
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
  set_pattern(logger(), json ? json_pattern : text_pattern);
}

bool enabled(Level level) { return logger().should_log(spdlog_level(level)); }

void write(Level level, std::string_view message) {
  if (!enabled(level)) return;
  static auto* repeats = new Repeats;  // never destroyed, as the logger
  const bool is_fault = level == Level::Error || level == Level::Warning;
  const auto more = is_fault ? repeats->admit(message, std::chrono::steady_clock::now()) : 0;
  if (!more) return;
  std::string text(message);
  if (*more > 0) text += " (and " + std::to_string(*more) + " times more since the last such line)";
  const std::string line = json_lines ? message_json(text) : message_text(text);
  logger().log(spdlog_level(level), spdlog::string_view_t(line.data(), line.size()));
}

void write(const AccessLine& line) {
  if (!enabled(Level::Info)) return;
  const std::string text = json_lines ? access_json(line) : access_text(line);
  access_logger().log(spdlog::level::info, spdlog::string_view_t(text.data(), text.size()));
}

bool start_writer() { return standard_error().start(); }
void print(std::string_view lines) { standard_error().add(lines, true); }
void flush() { standard_error().flush(patience); }
std::uint64_t dropped() { return standard_error().dropped(); }

InRequest::InRequest(std::string_view id) { current_request = id; }
InRequest::~InRequest() { current_request = {}; }

}  // namespace callisto::log
