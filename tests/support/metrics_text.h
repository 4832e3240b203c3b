// The text format of Prometheus, version 0.0.4, read strictly: for tests of what /metrics answers.
#pragma once

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace callisto::test {

struct MetricsSample {
  std::string name;
  std::map<std::string, std::string> labels;
  double value = 0;
};

struct ReadMetrics {
  std::map<std::string, std::string> types;  // by family
  std::vector<MetricsSample> samples;
  std::string problem;  // the first; empty: none

  // The only sample of that name with these labels among its own; -1 where there is none.
  double value(const std::string& name, const std::map<std::string, std::string>& labels = {}) const {
    double found = -1;
    for (const MetricsSample& sample : samples) {
      bool fits = sample.name == name;
      for (const auto& [label, text] : labels) {
        const auto own = sample.labels.find(label);
        fits = fits && own != sample.labels.end() && own->second == text;
      }
      if (fits) found = sample.value;
    }
    return found;
  }
};

class MetricsReader {
 public:
  static ReadMetrics read(const std::string& text) {
    MetricsReader reader;
    if (text.empty() || text.back() != '\n') reader.fail("the last line must end with a line feed", "");
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && reader.out_.problem.empty();) reader.read_line(line);
    return reader.out_;
  }

 private:
  void fail(const std::string& why, const std::string& line) {
    if (out_.problem.empty()) out_.problem = why + ": " + line;
  }

  static bool is_name(const std::string& text) {
    const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:";
    return !text.empty() && text.find_first_not_of(letters + "0123456789") == text.npos &&
           letters.find(text[0]) != letters.npos;
  }

  void read_line(const std::string& line) {
    if (line.starts_with("# TYPE ")) return read_type(line);
    if (line.starts_with("# HELP ")) return;
    if (line.empty() || line[0] == '#') return fail("neither HELP nor TYPE nor a sample", line);
    read_sample(line);
  }

  void read_type(const std::string& line) {
    std::istringstream words(line.substr(7));
    std::string name, type, more;
    words >> name >> type;
    static const std::set<std::string> known{"counter", "gauge", "histogram", "summary"};
    if (!is_name(name) || known.count(type) == 0 || words >> more) fail("a wrong TYPE", line);
    if (!out_.types.emplace(name, type).second) fail("a family twice", line);
    if (type == "counter" && !name.ends_with("_total")) fail("a counter must end with _total", line);
    family_ = name;
  }

  void read_sample(const std::string& line) {
    MetricsSample sample;
    std::size_t at = line.find_first_of("{ ");
    sample.name = line.substr(0, at);
    if (!is_name(sample.name)) return fail("a wrong name", line);
    if (at != line.npos && line[at] == '{') at = read_labels(line, at + 1, sample);
    if (at == line.npos || line[at] != ' ') return fail("no value", line);
    char* end = nullptr;
    sample.value = std::strtod(line.c_str() + at + 1, &end);
    if (*end != '\0' || end == line.c_str() + at + 1) return fail("a wrong value", line);
    check_family(sample, line);
    std::string key = sample.name;
    for (const auto& [label, text] : sample.labels) key += '\0' + label + '\0' + text;
    if (!seen_.insert(key).second) fail("a sample twice", line);
    out_.samples.push_back(sample);
  }

  std::size_t read_labels(const std::string& line, std::size_t at, MetricsSample& sample) {
    for (;;) {
      const std::size_t equals = line.find("=\"", at);
      if (equals == line.npos) return line.npos;
      const std::string label = line.substr(at, equals - at);
      std::string text;
      for (at = equals + 2; at < line.size() && line[at] != '"'; ++at) {
        if (line[at] == '\\') ++at;
        if (at < line.size()) text += line[at];
      }
      if (!is_name(label) || !sample.labels.emplace(label, text).second) return line.npos;
      if (++at >= line.size()) return line.npos;
      if (line[at] == '}') return at + 1;
      if (line[at++] != ',') return line.npos;
    }
  }

  // Samples stand behind the TYPE of their family; only a histogram or summary has others than of its own name.
  void check_family(const MetricsSample& sample, const std::string& line) {
    if (sample.name == family_ && out_.types[family_] != "histogram") return;
    const std::string suffix = sample.name.starts_with(family_) ? sample.name.substr(family_.size()) : "";
    const std::string type = out_.types[family_];
    const bool sums = suffix == "_sum" || suffix == "_count";
    if (type == "summary" && sums) return;
    if (type != "histogram" || (!sums && suffix != "_bucket")) return fail("a sample of no family", line);
    const std::string labels = line.substr(sample.name.size(), line.find("le=") - sample.name.size());
    if (suffix == "_bucket") {
      if (sample.labels.count("le") == 0) return fail("a bucket without le", line);
      if (labels == series_ && sample.value < last_) fail("buckets must be cumulative", line);
      series_ = labels;
      last_ = sample.value;
      if (sample.labels.at("le") == "+Inf") all_ = sample.value;
    } else if (suffix == "_count" && sample.value != all_) {
      fail("the count is not that of +Inf", line);
    }
  }

  ReadMetrics out_;
  std::string family_, series_;
  std::set<std::string> seen_;
  double last_ = 0, all_ = -1;
};

}  // namespace callisto::test
