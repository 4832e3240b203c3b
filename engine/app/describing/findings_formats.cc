// What programs read of `callisto check`: JSON, GitHub's workflow commands, SARIF.
#include "engine/app/describing/findings.h"
#include "engine/base/percent.h"
#include "engine/json/write.h"

#include <algorithm>

namespace callisto::app {

namespace {

const char* level_of(const Finding& finding) { return finding.severity == Severity::Error ? "error" : "warning"; }

std::string whole_message(const Finding& finding) {
  const std::string& mend = finding.problem.suggestion;
  return finding.problem.message + (mend.empty() ? "" : "; " + mend);
}

std::string to_json(const std::vector<Finding>& findings) {
  std::string all;
  json::Writer writer(all);
  writer.begin_array();
  for (const Finding& finding : findings) write_finding(writer, finding, false);
  writer.end_array();
  return all + "\n";
}

// What would end a command, or a property of it, is escaped.
std::string escaped(const std::string& text, bool in_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') out += "%25";
    else if (c == '\r') out += "%0D";
    else if (c == '\n') out += "%0A";
    else if (in_property && c == ':') out += "%3A";
    else if (in_property && c == ',') out += "%2C";
    else out += c;
  }
  return out;
}

std::string to_github(const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& finding : findings) {
    const auto& [file, line] = finding.problem.origin;
    all += std::string("::") + level_of(finding) + " ";
    if (!file.empty()) all += "file=" + escaped(file, true) + ",";
    if (line > 0) all += "line=" + std::to_string(line) + ",";
    if (finding.column > 0) all += "col=" + std::to_string(finding.column) + ",";
    all += "title=callisto check::" + escaped(whole_message(finding), false) + "\n";
  }
  return all;
}

void write_region(json::Writer& writer, const Finding& finding) {
  writer.key("region").begin_object().key("startLine").integer(finding.problem.origin.line);
  if (finding.column > 0) {
    const auto first = static_cast<std::int64_t>(finding.column);
    const auto length = static_cast<std::int64_t>(finding.length > 0 ? finding.length : 1);
    writer.key("startColumn").integer(first).key("endColumn").integer(first + length);
  }
  writer.end_object();
}

void write_location(json::Writer& writer, const Finding& finding) {
  const auto& [file, line] = finding.problem.origin;
  writer.key("locations").begin_array();
  if (!file.empty()) {
    std::string uri;
    for (std::size_t at = 0; at <= file.size();) {
      const std::size_t end = std::min(file.find('/', at), file.size());
      append_encoded(uri, file.substr(at, end - at));
      if (end < file.size()) uri += '/';
      at = end + 1;
    }
    writer.begin_object().key("physicalLocation").begin_object();
    writer.key("artifactLocation").begin_object().key("uri").string(uri).end_object();
    if (line > 0) write_region(writer, finding);
    writer.end_object().end_object();
  }
  writer.end_array();
}

std::string to_sarif(const std::vector<Finding>& findings) {
  std::string all;
  json::Writer writer(all);
  writer.begin_object().key("$schema").string("https://json.schemastore.org/sarif-2.1.0.json");
  writer.key("version").string("2.1.0").key("runs").begin_array().begin_object();
  writer.key("tool").begin_object().key("driver").begin_object().key("name").string("callisto check");
  writer.key("rules").begin_array();
  for (const char* rule : {"problem", "doubt"}) writer.begin_object().key("id").string(rule).end_object();
  writer.end_array().end_object().end_object();
  writer.key("columnKind").string("unicodeCodePoints");
  writer.key("results").begin_array();
  for (const Finding& finding : findings) {
    writer.begin_object().key("ruleId").string(finding.severity == Severity::Error ? "problem" : "doubt");
    writer.key("level").string(level_of(finding));
    writer.key("message").begin_object().key("text").string(whole_message(finding)).end_object();
    write_location(writer, finding);
    writer.end_object();
  }
  writer.end_array().end_object().end_array().end_object();
  return all + "\n";
}

}  // namespace

void write_finding(json::Writer& writer, const Finding& finding, bool with_excerpt) {
  const auto& [file, line] = finding.problem.origin;
  writer.begin_object().key("file").string(file).key("line").integer(line);
  if (finding.column > 0) writer.key("column").integer(static_cast<std::int64_t>(finding.column));
  if (with_excerpt && finding.column > 0) writer.key("length").integer(static_cast<std::int64_t>(finding.length));
  if (with_excerpt && !finding.excerpt.empty()) writer.key("excerpt").string(finding.excerpt);
  writer.key("severity").string(level_of(finding));
  writer.key("message").string(finding.problem.message);
  if (!finding.problem.suggestion.empty()) writer.key("suggestion").string(finding.problem.suggestion);
  writer.end_object();
}

std::string in_format(const std::string& format, const std::vector<Finding>& findings) {
  if (format == "github") return to_github(findings);
  return format == "sarif" ? to_sarif(findings) : to_json(findings);
}

}  // namespace callisto::app
