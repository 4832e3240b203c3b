// callisto advise: which `index` lines of entity files would make a desk's queries faster, and what each costs;
// measured on a copy.
#include "engine/app/commands.h"
#include "engine/app/describing/advised_copy.h"
#include "engine/app/describing/asked_question.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/with_desk.h"
#include "engine/base/percent.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>

namespace callisto::app {
namespace {

namespace fs = std::filesystem;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr int samples = 5;        // records whose values a question is asked with
constexpr double worth_it = 0.8;  // of the time before

std::string url_of(const AskedQuestion& question, const std::string& filter, bool explained) {
  std::string query;
  if (!filter.empty()) append_field(query, "$filter", filter);
  if (question.kind == "count") append_field(query, "$count", "true");
  else if (!question.order.empty()) append_field(query, "$orderby", question.order);
  if (question.kind != "count") append_field(query, "$top", "30");
  if (question.kind == "deep page") append_field(query, "$skip", "5000");
  if (explained) append_field(query, "$explain", "true");
  return question.entity + "?" + query;
}

// The question with values of some records that there are, each of which it therefore finds.
std::vector<std::string> filters_of(AdvisedServer& copy, const AskedQuestion& question) {
  const auto paths = question.paths();
  if (paths.empty()) return {question.filter};
  std::string select;
  for (const std::string& path : paths) select += (select.empty() ? "" : ",") + path;
  std::string newest = question.entity + "?$select=Ref&$top=1&$orderby=Ref%20desc";
  const auto last = copy.ask(newest);
  const auto rows = last ? last->find("results") : nullptr;
  if (!rows || rows->items().empty()) return {};
  const long greatest = std::strtol(rows->items().front().find("Ref")->text().c_str(), nullptr, 10);
  std::mt19937_64 dice(7);  // the same ones each time
  std::vector<std::string> filters;
  for (int tries = 0; tries < 20 * samples && filters.size() < samples; ++tries) {
    std::string query;
    append_field(
        query, "$filter",
        "Ref <= " + std::to_string(1 + static_cast<long>(dice() % static_cast<std::uint64_t>(std::max(1L, greatest)))));
    append_field(query, "$orderby", "Ref desc");
    append_field(query, "$top", "1");
    append_field(query, "$select", select);
    const auto found = copy.ask(question.entity + "?" + query);
    if (!found || found->find("results")->items().empty()) continue;
    if (auto filter = question.filter_with(found->find("results")->items().front()))
      filters.push_back(*std::move(filter));
  }
  return filters;
}

// Of all samples, each asked three times: the median of the fastest.
std::optional<double> time_of(AdvisedServer& copy, const AskedQuestion& question,
                              const std::vector<std::string>& filters) {
  std::vector<double> times;
  for (const std::string& filter : filters) {
    double best = -1;
    for (int turn = 0; turn < 3; ++turn) {
      const auto took = copy.milliseconds(url_of(question, filter, false));
      if (!took) return std::nullopt;
      best = best < 0 ? *took : std::min(best, *took);
    }
    times.push_back(best);
  }
  if (times.empty()) return std::nullopt;
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Measured {
  AskedQuestion question;
  std::vector<std::string> filters;
  double before = 0;
};

struct Proposal {
  std::string entity, line;
  std::vector<Measured> questions;
  double asked_ms = 0;           // what they took the desk in all
  double after = 0, before = 0;  // ms that the questions take together, each once
  double build_s = 0, write_us = 0;
  std::int64_t bytes = 0;
  bool is_made = false;
};

class Advice {
 public:
  Advice(Settings settings, const AdviseOptions& options) : settings_(std::move(settings)), options_(options) {}

  Result<void> run() {
    CALLISTO_TRY(const std::string lines, read_questions());
    questions_ = read_asked(lines);
    const auto model = load_model(settings_, clock_, random_);
    if (!model) return cannot_load();
    CALLISTO_TRY(copy_, AdvisedCopy::make(settings_));
    CALLISTO_CHECK(find_proposals(model));
    for (std::size_t i = 0; i < proposals_.size(); ++i) {
      if (i >= options_.most) break;
      tell("trying " + proposals_[i].line + " (" + std::to_string(i + 1) + " of " +
           std::to_string(std::min(proposals_.size(), options_.most)) + ")");
      CALLISTO_CHECK(measure(proposals_[i]));
    }
    print();
    return {};
  }

 private:
  static void tell(const std::string& what) { std::fprintf(stderr, "callisto: %s\n", what.c_str()); }

  Result<std::string> read_questions() const {
    const std::string path = options_.from.empty() ? settings_.data + "/" + asked_file : options_.from;
    std::ifstream file(path);
    if (!file) return bad_format("there is no " + path + ": a running server writes its queries there every minute");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  static Error cannot_load() { return bad_format("the entities and scripts cannot be loaded"); }

  Result<void> find_proposals(const std::shared_ptr<records::Model>& model) {
    CALLISTO_TRY(const auto copy, AdvisedServer::open(settings_, *copy_, model, clock_, random_));
    for (const AskedQuestion& question : questions_) {
      if (looked_at_++ >= options_.questions || question.joins || question.kind == "groups") continue;
      auto filters = filters_of(*copy, question);
      if (filters.empty()) continue;
      const auto plan = copy->ask(url_of(question, filters.front(), true));
      const json::Node* index = plan ? plan->find("Index") : nullptr;
      if (!index) continue;
      const auto before = time_of(*copy, question, filters);
      if (before)
        add(index->find("Entity")->text(), index->find("Line")->text(), {question, std::move(filters), *before});
    }
    std::stable_sort(proposals_.begin(), proposals_.end(),
                     [](const Proposal& a, const Proposal& b) { return a.asked_ms > b.asked_ms; });
    return {};
  }

  void add(const std::string& entity, const std::string& line, Measured question) {
    auto found = std::find_if(proposals_.begin(), proposals_.end(),
                              [&](const Proposal& each) { return each.entity == entity && each.line == line; });
    if (found == proposals_.end())
      found = proposals_.insert(found, Proposal{entity, line, {}, 0, 0, 0, 0, 0, 0, false});
    found->asked_ms += question.question.milliseconds;
    found->questions.push_back(std::move(question));
  }

  // Each on top of those before it that were worth it.
  Result<void> measure(Proposal& proposal) {
    const std::string entities = copy_->folder() + "/" + std::to_string(++tried_);
    fs::create_directories(entities);
    std::ofstream(entities + "/" + proposal.entity + "+advice" + std::to_string(tried_) + ".lua")
        << "return add_to \"" << proposal.entity << "\" { indexes = { " << proposal.line << " } }\n";
    Settings with = settings_;
    with.entities.push_back(entities);
    const auto model = load_model(with, clock_, random_);
    if (!model) return {};  // it says the same as another, or cannot be
    const catalog::Entity& entity = *model->catalog().find(proposal.entity);
    CALLISTO_TRY(const auto bytes_before, copy_->bytes());
    CALLISTO_TRY(const double write_before, write_time_before(entity));
    const auto begun = std::chrono::steady_clock::now();
    CALLISTO_TRY(const auto copy, AdvisedServer::open(with, *copy_, model, clock_, random_));
    proposal.build_s = Milliseconds(std::chrono::steady_clock::now() - begun).count() / 1000;
    for (const Measured& each : proposal.questions) {
      const auto after = time_of(*copy, each.question, each.filters);
      if (!after) return {};
      proposal.before += each.before;
      proposal.after += *after;
    }
    CALLISTO_TRY(const auto bytes_after, copy_->bytes());
    proposal.bytes = static_cast<std::int64_t>(bytes_after) - static_cast<std::int64_t>(bytes_before);
    CALLISTO_TRY(const double write_after, microseconds_to_rewrite(copy->database(), entity));
    proposal.write_us = std::max(0.0, write_after - write_before);
    proposal.is_made = proposal.after < worth_it * proposal.before;
    if (proposal.is_made) settings_.entities.push_back(entities);
    return {};
  }

  Result<double> write_time_before(const catalog::Entity& entity) const {
    CALLISTO_TRY(const auto database, storage::Database::open({.url = copy_->url()}));
    return microseconds_to_rewrite(*database, entity);
  }

  void print() const {
    std::vector<std::vector<std::string>> rows;
    for (const Proposal& each : proposals_) {
      if (!each.is_made) continue;
      rows.push_back({each.entity, each.line, number(each.before), number(each.after), number(each.build_s),
                      std::to_string(each.bytes / 1024), number(each.write_us)});
    }
    if (rows.empty()) {
      std::printf("No index would help: of %zu queries, the %zu that took the most time were tried.\n",
                  questions_.size(), std::min(questions_.size(), options_.questions));
      return;
    }
    print_table(
        {"entity", "line for `indexes` of its file", "ms before", "ms with it", "s to make", "KiB", "us a write"},
        rows);
    for (const Proposal& each : proposals_)
      if (each.is_made)
        for (const Measured& asked : each.questions)
          std::printf("  %s\n    asked %llu times, %s s in all: %s\n", each.line.c_str(),
                      static_cast<unsigned long long>(asked.question.asked),
                      number(asked.question.milliseconds / 1000).c_str(), asked.question.text().c_str());
  }

  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.2f" : "%.0f", value);
    return text;
  }

  Settings settings_;
  const AdviseOptions options_;
  const SystemClock clock_;
  SystemRandom random_;
  std::unique_ptr<AdvisedCopy> copy_;
  std::vector<AskedQuestion> questions_;
  std::vector<Proposal> proposals_;
  std::size_t looked_at_ = 0;
  int tried_ = 0;
};

}  // namespace

int advise(const Settings& settings, const AdviseOptions& options) {
  if (const auto done = Advice(settings, options).run(); !done) {
    print_error(done.error());
    return 1;
  }
  return 0;
}

}  // namespace callisto::app
