#include "engine/testing/run.h"

#include "engine/base/text.h"
#include "engine/testing/natives.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <random>

namespace callisto::testing {

namespace {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Choice {
  script::SpecState* state;
  std::size_t number;
};

class Run {
 public:
  Run(TestServer& desk, const script::Program& program, const RunOptions& options)
      : desk_(desk),
        program_(program),
        options_(options),
        libraries_(script::libraries_of(program)),
        natives_(natives_of(desk)) {
    for (const std::string& word : options.words) words_.push_back(text::fold(word));
  }

  Result<Report> all() {
    const Stopwatch watch;
    for (const std::string& file : options_.files) load(file);
    if (options_.seed) shuffle(*options_.seed);
    for (const Choice& choice : choices_) {
      report_.is_stopped = options_.should_stop();
      if (report_.is_stopped) break;
      CALLISTO_TRY(Outcome outcome, run(choice));
      keep(std::move(outcome));
    }
    report_.seconds = watch.seconds();
    return std::move(report_);
  }

 private:
  void load(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    if (!in.is_open() || in.bad())
      return keep({{file, {file, 0}}, script::SpecFailure{{file, 0}, "the file cannot be read", {}, {}}, 0});
    std::optional<script::SpecFailure> failure;
    states_.push_back(script::SpecState::load(script::spec_source(program_, file, text), libraries_, natives_,
                                              options_.budget, desk_.clock(), failure, program_.modules));
    const auto& specs = states_.back()->specs();
    if (failure) keep({{file, {file, failure->place.line}}, failure, 0});
    else if (specs.empty()) report_.without_spec.push_back(file);
    for (std::size_t i = 0; i < specs.size(); ++i)
      if (is_chosen(specs[i].sentence)) choices_.push_back({states_.back().get(), i});
      else ++report_.filtered;
  }

  bool is_chosen(const std::string& sentence) const {
    return std::all_of(words_.begin(), words_.end(),
                       [&](const std::string& word) { return text::contains_folded(sentence, word); });
  }

  // Of our own, since that of the library may differ from one to the next.
  void shuffle(std::uint64_t seed) {
    std::mt19937_64 numbers(seed);
    for (std::size_t left = choices_.size(); left > 1; --left)
      std::swap(choices_[left - 1], choices_[static_cast<std::size_t>(numbers() % left)]);
  }

  Result<Outcome> run(const Choice& choice) {
    const Stopwatch watch;
    Outcome outcome{choice.state->specs()[choice.number], {}, 0};
    CALLISTO_CHECK(desk_.begin());
    outcome.failure = choice.state->run(choice.number);
    CALLISTO_CHECK(desk_.roll_back());
    if (outcome.failure && outcome.failure->place.line == 0) outcome.failure->place = outcome.spec.place;
    outcome.seconds = watch.seconds();
    return outcome;
  }

  void keep(Outcome outcome) {
    options_.done(outcome);
    report_.outcomes.push_back(std::move(outcome));
  }

  TestServer& desk_;
  const script::Program& program_;
  const RunOptions& options_;
  const script::Libraries libraries_;
  const script::Natives natives_;
  std::vector<std::string> words_;
  std::vector<std::unique_ptr<script::SpecState>> states_;
  std::vector<Choice> choices_;
  Report report_;
};

}  // namespace

std::size_t Report::failed() const {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& each) { return each.failure.has_value(); }));
}

Result<Report> run(storage::Database& database, const TestServerParts& parts, const RunOptions& options,
                   Random& random) {
  Report report;
  SteeredClock clock(options.start);
  CALLISTO_CHECK(database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const auto desk, TestServer::open(parts, connection, clock, random));
    CALLISTO_TRY(report, Run(*desk, *parts.model->program, options).all());
    return {};
  }));
  return report;
}

}  // namespace callisto::testing
