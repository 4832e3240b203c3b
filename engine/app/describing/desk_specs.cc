#include "engine/app/describing/desk_specs.h"

#include "engine/app/describing/specs.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"

#include <utility>

namespace callisto::app {

namespace {

void write_place(json::Writer& writer, const script::Place& place) {
  writer.key("file").string(place.file);
  if (place.line > 0) writer.key("line").integer(place.line);
}

void write_failure(json::Writer& writer, const testing::Outcome& outcome) {
  const script::SpecFailure& failure = *outcome.failure;
  writer.begin_object().key("spec").string(outcome.spec.sentence);
  write_place(writer, failure.place.file.empty() ? outcome.spec.place : failure.place);
  writer.key("message").string(failure.message);
  if (!failure.expected.empty()) writer.key("expected").string(failure.expected);
  if (!failure.actual.empty()) writer.key("actual").string(failure.actual);
  writer.end_object();
}

void write_coverage(json::Writer& writer, const Coverage::Files& files) {
  writer.begin_object().key("sum").string(sum_of(files)).key("missing").begin_array();
  for (const auto& [file, points] : files) {
    const std::vector<std::string> missing = Coverage::missing(points);
    if (missing.empty()) continue;
    writer.begin_object().key("file").string(file).key("lines").begin_array();
    for (const std::string& line : missing) writer.string(line);
    writer.end_array().end_object();
  }
  writer.end_array().end_object();
}

}  // namespace

Result<DeskSpecs> specs_on_disk(const Settings& settings, const Clock& clock, Random& random,
                                std::function<bool()> should_stop) {
  CALLISTO_TRY(auto read, read_model(in_memory(settings), clock, random));
  if (!read.model) return bad_format("What is on disk does not load; $changes tells why. So no spec can run.");
  const std::shared_ptr<records::Model> model = std::move(read.model);
  Coverage coverage;
  model->observer = &coverage;
  testing::RunOptions options;
  CALLISTO_TRY(options.files, spec_files(settings));
  options.start = sample_start;
  options.should_stop = std::move(should_stop);
  CALLISTO_TRY(auto report, run_specs(settings, model, options, random, &coverage.lines_run));
  return DeskSpecs{std::move(report), coverage.files(*model)};
}

void write_specs(json::Writer& writer, const DeskSpecs& specs) {
  const testing::Report& report = specs.report;
  const std::size_t failed = report.failed();
  writer.key("passed").integer(static_cast<std::int64_t>(report.outcomes.size() - failed));
  writer.key("failed").integer(static_cast<std::int64_t>(failed));
  writer.key("stopped").boolean(report.is_stopped).key("seconds").real(report.seconds);
  writer.key("failures").begin_array();
  for (const testing::Outcome& outcome : report.outcomes)
    if (outcome.failure) write_failure(writer, outcome);
  writer.end_array();
  writer.key("coverage");
  write_coverage(writer, specs.reached);
}

}  // namespace callisto::app
