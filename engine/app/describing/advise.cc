// callisto advise: which `index` lines of entity files would make a desk's queries faster, and what each costs;
// measured on a copy.
#include "engine/app/commands.h"
#include "engine/app/describing/asked_question.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"
#include "engine/app/opening/with_desk.h"
#include "engine/base/percent.h"
#include "engine/base/progress.h"
#include "engine/base/temporary_folder.h"
#include "engine/storage/upkeep.h"
#include "engine/testing/test_server.h"

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
constexpr int rewritten = 500;    // records, to learn what an index costs a write
constexpr std::string_view scheme = "sqlite:";

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

// A server of the copy, in this process, for somebody who sees everything.
class Copy {
 public:
  static Result<std::unique_ptr<Copy>> open(const Settings& settings, std::shared_ptr<records::Model> model,
                                            const Clock& clock, Random& random) {
    auto made = std::unique_ptr<Copy>(new Copy(clock.now()));
    CALLISTO_TRY(made->database_, storage::Database::open({.url = settings.database_url()}));
    CALLISTO_CHECK(bring_schema_to(*made->database_, *model, clock));
    CALLISTO_CHECK(
        made->database_->write([](storage::Connection& connection) { return connection.run_script("ANALYZE"); }));
    CALLISTO_TRY(made->connection_, made->database_->connect_reader());
    testing::TestServerParts parts = desk_parts(settings, std::move(model));
    parts.read_only = true;
    CALLISTO_TRY(made->server_, testing::TestServer::open(parts, *made->connection_, made->clock_, random));
    auth::Session everybody;
    everybody.type = auth::SessionType::Analyst;
    everybody.rights = {"Administration", "Integration", "*:Read"};
    CALLISTO_TRY(const auto row, made->connection_->query(Sql("SELECT min(\"Ref\") FROM person"), {}));
    CALLISTO_TRY(const bool found, row->step());
    everybody.person = found ? row->integer(0) : 0;  // whose rights do not count: those above do
    made->session_ = made->server_->add_session(std::move(everybody));
    return made;
  }

  Result<json::Node> ask(const std::string& target) {
    CALLISTO_TRY(const auto answer, server_->request(session_, "GET", target, {}, {}));
    if (answer.status != 200) return bad_format(answer.body);
    return json::parse(answer.body, {64, 1'000'000});
  }

  Result<double> milliseconds(const std::string& target) {
    const auto begun = std::chrono::steady_clock::now();
    CALLISTO_TRY(const auto answer, server_->request(session_, "GET", target, {}, {}));
    if (answer.status != 200) return bad_format(answer.body);
    return Milliseconds(std::chrono::steady_clock::now() - begun).count();
  }

  storage::Database& database() { return *database_; }

 private:
  explicit Copy(DateTime now) : clock_(now) {}

  testing::SteeredClock clock_;
  std::unique_ptr<storage::Database> database_;
  std::unique_ptr<storage::Connection> connection_;
  std::unique_ptr<testing::TestServer> server_;
  std::size_t session_ = 0;
};

// The question with values of some records that there are, each of which it therefore finds.
std::vector<std::string> filters_of(Copy& copy, const AskedQuestion& question) {
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
std::optional<double> time_of(Copy& copy, const AskedQuestion& question, const std::vector<std::string>& filters) {
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
    CALLISTO_TRY(const TemporaryFolder folder, TemporaryFolder::make("advise", settings_.data));
    CALLISTO_CHECK(make_copy(folder.path()));
    CALLISTO_CHECK(find_proposals());
    for (std::size_t i = 0; i < proposals_.size(); ++i) {
      if (i >= options_.most) break;
      tell("trying " + proposals_[i].line + " (" + std::to_string(i + 1) + " of " +
           std::to_string(std::min(proposals_.size(), options_.most)) + ")");
      CALLISTO_CHECK(measure(proposals_[i], folder.path()));
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

  Result<void> make_copy(const std::string& folder) {
    const std::string url = settings_.database_url();
    if (!url.starts_with(scheme))
      return bad_format("advise measures only on SQLite: make a copy by `callisto copy --from " + std::string("URL") +
                        " --to sqlite:copy.db`, and give --database sqlite:copy.db --from DATA/" + asked_file);
    tell("copying the database");
    CALLISTO_CHECK(storage::back_up(url, folder + "/desk.db", [](std::uint64_t, std::uint64_t) {}));
    settings_.database = std::string(scheme) + folder + "/desk.db";
    return {};
  }

  Result<void> find_proposals() {
    const auto model = load_model(settings_, clock_, random_);
    if (!model) return bad_format("the entities and scripts cannot be loaded");
    CALLISTO_TRY(const auto copy, Copy::open(settings_, model, clock_, random_));
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
  Result<void> measure(Proposal& proposal, const std::string& folder) {
    const std::string entities = folder + "/" + std::to_string(++tried_);
    fs::create_directories(entities);
    std::ofstream(entities + "/" + proposal.entity + "+advice" + std::to_string(tried_) + ".lua")
        << "return add_to \"" << proposal.entity << "\" { indexes = { " << proposal.line << " } }\n";
    Settings with = settings_;
    with.entities.push_back(entities);
    const auto model = load_model(with, clock_, random_);
    if (!model) return {};  // it says the same as another, or cannot be
    const auto bytes = fs::file_size(database_path());
    CALLISTO_TRY(const double write_before, write_time_before(proposal.entity, *model));
    const auto begun = std::chrono::steady_clock::now();
    CALLISTO_TRY(const auto copy, Copy::open(with, model, clock_, random_));
    proposal.build_s = Milliseconds(std::chrono::steady_clock::now() - begun).count() / 1000;
    for (const Measured& each : proposal.questions) {
      const auto after = time_of(*copy, each.question, each.filters);
      if (!after) return {};
      proposal.before += each.before;
      proposal.after += *after;
    }
    proposal.bytes = static_cast<std::int64_t>(fs::file_size(database_path())) - static_cast<std::int64_t>(bytes);
    CALLISTO_TRY(const double write_after, time_to_rewrite(copy->database(), proposal.entity, *model));
    proposal.write_us = std::max(0.0, write_after - write_before);
    proposal.is_made = proposal.after < worth_it * proposal.before;
    if (proposal.is_made) settings_.entities.push_back(entities);
    return {};
  }

  std::string database_path() const { return settings_.database_url().substr(scheme.size()); }

  // Microseconds to take a record out of its table and its indexes and put it back; undone.
  static Result<double> time_to_rewrite(storage::Database& database, const std::string& entity,
                                        const records::Model& model) {
    double best = 0;
    for (int turn = 0; turn < 3; ++turn) {
      double took = 0;
      const auto done = database.write([&](storage::Connection& connection) -> Result<void> {
        CALLISTO_TRY(took, rewrite(connection, *model.catalog().find(entity)));
        return bad_format("undone");
      });
      if (!done && done.error().message != "undone") return done.error();
      best = turn == 0 ? took : std::min(best, took);
    }
    return best;
  }

  Result<double> write_time_before(const std::string& entity, const records::Model& model) const {
    CALLISTO_TRY(const auto database, storage::Database::open({.url = settings_.database_url()}));
    return time_to_rewrite(*database, entity, model);
  }

  static Result<double> rewrite(storage::Connection& connection, const catalog::Entity& entity) {
    const SqlIdentifier& table = entity.root().table;
    Sql keep("CREATE TEMP TABLE rewritten AS SELECT * FROM ");
    keep << table << " ORDER BY rowid DESC LIMIT ?1";
    CALLISTO_CHECK(connection.execute(keep, {Value(std::int64_t{rewritten})}));
    Sql take("DELETE FROM ");
    take << table << " WHERE rowid IN (SELECT rowid FROM " << table << " ORDER BY rowid DESC LIMIT ?1)";
    Sql put("INSERT INTO ");
    put << table << " SELECT * FROM temp.rewritten";
    const auto begun = std::chrono::steady_clock::now();
    CALLISTO_TRY(const std::int64_t rows, connection.execute(take, {Value(std::int64_t{rewritten})}));
    CALLISTO_CHECK(connection.execute(put, {}));
    return 1000 * Milliseconds(std::chrono::steady_clock::now() - begun).count() /
           static_cast<double>(std::max<std::int64_t>(1, rows));
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
