#include "engine/base/log.h"

#include "tests/unit/base/stderr_capture.h"

#include <catch2/catch.hpp>

namespace callisto::log {

namespace {

constexpr std::size_t time_length = sizeof "2026-03-15T07:05:00.000Z" - 1;

std::string line_of(bool json, std::string_view message) {
  const StderrCapture capture;
  configure("info", json);
  warning(message);
  return capture.text();
}

std::string text_after_time(std::string_view message) { return line_of(false, message).substr(time_length); }

std::string json_message(std::string_view message) {
  const std::string line = line_of(true, message);
  const std::string before = R"("level":"warning","message":)";
  return line.substr(line.find(before) + before.size());
}

}  // namespace

TEST_CASE("A log line is time, level and message") {
  const std::string line = line_of(false, "Disk is full.");
  CHECK(line[4] == '-');
  CHECK(line[10] == 'T');
  CHECK(line[time_length - 1] == 'Z');
  CHECK(line.substr(time_length) == " warning Disk is full.\n");
  CHECK(line_of(true, "x").rfind("{\"time\":\"2", 0) == 0);
}

TEST_CASE("No message can forge a line or drive a terminal") {
  CHECK(text_after_time("a\r\nb\tc") == " warning a\\r\\nb\\tc\n");
  CHECK(text_after_time("\x1b[31m") == " warning \\u001b[31m\n");
  CHECK(text_after_time("\xC2\x9B"
                        "31m \xC2\xA0 é") == " warning \\u009b31m \xC2\xA0 é\n");
  CHECK(text_after_time(std::string_view("a\0b\x7F", 4)) == " warning a\\u0000b\\u007f\n");
  CHECK(text_after_time("é\xFF") == " warning \\u00c3\\u00a9\\u00ff\n");
  CHECK(text_after_time("100 %v {}") == " warning 100 %v {}\n");
}

TEST_CASE("A JSON line stays JSON") {
  CHECK(json_message("say \"hi\" \\ \n é") == "\"say \\\"hi\\\" \\\\ \\n é\"}\n");
  CHECK(json_message("\xFF") == "\"\\u00ff\"}\n");
}

TEST_CASE("Levels below the configured one are silent") {
  const StderrCapture capture;
  configure("error", false);
  CHECK_FALSE(enabled(Level::Warning));
  CHECK(enabled(Level::Error));
  warning("quiet");
  configure("off", false);
  error("quiet");
  CHECK(capture.text().empty());
  configure("debug", false);
  debug("loud");
  CHECK(capture.text().find("debug loud") != std::string::npos);
  configure("info", false);
}

}  // namespace callisto::log
