#include "engine/testing/report.h"

#include "engine/base/text.h"

#include <cstdio>
#include <map>

namespace callisto::testing {

namespace {

std::string seconds_of(double seconds, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, seconds);
  return text;
}

std::string place_of(const script::Place& place) {
  return place.line > 0 ? place.file + ":" + std::to_string(place.line) : place.file;
}

// Lines after the first stand below it.
std::string indented(const std::string& text) {
  std::string result;
  for (const char each : text.substr(0, text.find_last_not_of('\n') + 1)) {
    result += each;
    if (each == '\n') result += "            ";
  }
  return result;
}

std::string details_of(const script::SpecFailure& failure) {
  std::string text = "  " + place_of(failure.place) + "\n";
  if (!failure.message.empty()) text += "  " + indented(failure.message) + "\n";
  if (!failure.expected.empty()) text += "  expected: " + indented(failure.expected) + "\n";
  if (!failure.actual.empty()) text += "  actual:   " + indented(failure.actual) + "\n";
  return text;
}

// XML 1.0 has no way to spell most control characters; what is no UTF-8 has no meaning in it.
std::string escaped(std::string_view given) {
  std::string result;
  while (!given.empty()) {
    const std::size_t valid = text::valid_prefix(given);
    for (const char each : given.substr(0, valid)) {
      if (each == '&') result += "&amp;";
      else if (each == '<') result += "&lt;";
      else if (each == '>') result += "&gt;";
      else if (each == '"') result += "&quot;";
      else if (each == '\n') result += "&#10;";
      else if (each == '\t') result += "&#9;";
      else if (static_cast<unsigned char>(each) < 0x20) result += "?";
      else result += each;
    }
    if (valid < given.size()) result += '?';
    given.remove_prefix(std::min(given.size(), valid + 1));
  }
  // U+FFFE and U+FFFF are UTF-8, but no characters of XML.
  for (const char* none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (std::size_t at; (at = result.find(none)) != std::string::npos;) result.replace(at, 3, "?");
  return result;
}

std::string case_of(const Outcome& outcome) {
  std::string xml = "    <testcase classname=\"" + escaped(outcome.spec.place.file) + "\" name=\"" +
                    escaped(outcome.spec.sentence) + "\" file=\"" + escaped(outcome.spec.place.file) + "\" line=\"" +
                    std::to_string(outcome.spec.place.line) + "\" time=\"" + seconds_of(outcome.seconds, "%.4f") + "\"";
  if (!outcome.failure) return xml + "/>\n";
  const script::SpecFailure& failure = *outcome.failure;
  const std::string message =
      failure.expected.empty() ? failure.message : failure.expected + "; actual: " + failure.actual;
  return xml + ">\n      <failure message=\"" + escaped(message) + "\">" + escaped(details_of(failure)) +
         "</failure>\n    </testcase>\n";
}

std::string suite_of(const std::string& file, const std::vector<const Outcome*>& outcomes) {
  std::string cases;
  std::size_t failed = 0;
  double seconds = 0;
  for (const Outcome* outcome : outcomes) {
    cases += case_of(*outcome);
    failed += outcome->failure ? 1 : 0;
    seconds += outcome->seconds;
  }
  return "  <testsuite name=\"" + escaped(file) + "\" tests=\"" + std::to_string(outcomes.size()) + "\" failures=\"" +
         std::to_string(failed) + "\" errors=\"0\" skipped=\"0\" time=\"" + seconds_of(seconds, "%.4f") + "\">\n" +
         cases + "  </testsuite>\n";
}

}  // namespace

std::string to_text(const Report& report, const RunOptions& options) {
  std::string text;
  for (const Outcome& outcome : report.outcomes)
    if (outcome.failure) text += "FAILED " + outcome.spec.sentence + "\n" + details_of(*outcome.failure) + "\n";
  for (const std::string& file : report.without_spec) text += file + ": there is no 'it' in this file\n";
  if (report.outcomes.empty() && !options.words.empty())
    text += "the filter leaves none of " + std::to_string(report.filtered) + " specs\n";
  else if (report.outcomes.empty() && options.files.empty())
    text += "there are no specs: write some to scripts/ENTITY/spec/NAME_spec.lua\n";
  if (report.is_stopped) text += "stopped before all specs had run\n";
  if (options.seed) text += "random order, --seed " + std::to_string(*options.seed) + "\n";
  return text + std::to_string(report.outcomes.size() - report.failed()) + " passed, " +
         std::to_string(report.failed()) + " failed (" + seconds_of(report.seconds, "%.1f") + " s)\n";
}

std::string to_junit(const Report& report) {
  std::map<std::string, std::vector<const Outcome*>> files;
  for (const Outcome& outcome : report.outcomes) files[outcome.spec.place.file].push_back(&outcome);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"" +
                    std::to_string(report.outcomes.size()) + "\" failures=\"" + std::to_string(report.failed()) +
                    "\" time=\"" + seconds_of(report.seconds, "%.4f") + "\">\n";
  for (const auto& [file, outcomes] : files) xml += suite_of(file, outcomes);
  return xml + "</testsuites>\n";
}

}  // namespace callisto::testing
