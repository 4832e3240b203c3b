// `callisto import`: reads the map, then the file, binds one to the other, and only then opens the database.
#include "engine/app/commands.h"
#include "engine/app/opening/load.h"
#include "engine/base/whole_file.h"
#include "engine/importing/run.h"
#include "engine/importing/text.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace callisto::app {

namespace {

using namespace importing;

// What an import works with; each step makes the next one possible.
class Import {
 public:
  Import(const Settings& settings, const ImportOptions& options)
      : settings_(settings),
        options_(options),
        rejected_path_(options.rejected.empty() ? options.file + ".rejected" : options.rejected) {}

  int run() {
    if (is_rejected_path(options_.file) || is_rejected_path(options_.map)) {
      std::fprintf(stderr, "callisto: --rejected must name another file than the one to import and the map\n");
      return 2;
    }
    // The file is put in the place of an older one: nothing else may lose its name so.
    if (is_taken(rejected_path_) &&
        !std::filesystem::is_regular_file(std::filesystem::symlink_status(rejected_path_))) {
      std::fprintf(stderr, "callisto: %s is no file: name one with --rejected\n", rejected_path_.c_str());
      return 2;
    }
    model_ = load_model(settings_, clock_, random_);
    if (!model_ || !load_map() || !read_table() || !bind()) return 1;
    const auto database = open_database(settings_, *model_, clock_);
    if (!database) {
      std::fprintf(stderr, "callisto: nothing was imported; a server that has the desk open must be stopped first\n");
      return 1;
    }
    auto status = import_into(*database);
    if (status) return *status;
    report_failure(status.error());
    return 1;
  }

 private:
  bool is_rejected_path(const std::string& path) const {
    std::error_code failed;
    return std::filesystem::equivalent(path, rejected_path_, failed);
  }

  bool load_map() {
    auto text = read_file(options_.map);
    if (!text) return refuse(text.error());
    map_text_ = *std::move(text);
    auto loaded = script::ImportMap::load({options_.map, map_text_}, script_budget(settings_), clock_);
    problems_ = std::move(loaded.problems);
    map_ = std::move(loaded.map);
    return map_ || refuse_map();
  }

  bool read_table() {
    const script::MapDefinition& map = map_->definition();
    Format format = format_of(options_.file);
    if (map.format.text == "csv") format = Format::Csv;
    else if (map.format.text == "jsonl") format = Format::JsonLines;
    else if (!map.format.text.empty())
      problems_.push_back({map.format.origin, "format must be \"csv\" or \"jsonl\"", {}});
    const std::string& separator = map.separator.text;
    const bool is_mark = separator.size() == 1 && std::ispunct(static_cast<unsigned char>(separator[0])) != 0;
    if (!separator.empty() && separator != "\t" && (!is_mark || separator == "\""))
      problems_.push_back({map.separator.origin, "separator must be one character, such as \";\" or \"\\t\"", {}});
    auto text = read_file(options_.file);
    if (!text) return refuse(text.error()) || refuse_map();
    journal_.emplace(map_text_, *text, Journal::Names{options_.file, options_.map});
    auto table = Table::read(*std::move(text), {format, map.null.text, map.group_by.text,
                                                separator.empty() ? ',' : separator[0], named_columns(map)});
    if (!table) {
      std::fprintf(stderr, "%s: %s\n", options_.file.c_str(), table.error().message.c_str());
      return refuse_map();
    }
    table_.emplace(*std::move(table));
    return true;
  }

  bool bind() {
    const bool has_header = table_->format() == Format::Csv;
    auto bound = bind_plan(map_->definition(), model_->catalog(), table_->columns(), has_header);
    problems_.insert(problems_.end(), bound.problems.begin(), bound.problems.end());
    plan_ = std::move(bound.plan);
    return problems_.empty() || refuse_map();
  }

  Result<int> import_into(storage::Database& database) {
    CALLISTO_TRY(const auto reader, database.connect_reader());
    CALLISTO_TRY(Done done, journal_->read(*reader));
    const std::size_t total = table_->groups().size();
    const bool was_complete = total > 0 && done.groups == total;
    if (was_complete) std::printf("already complete, nothing to do: ");
    else if (done.groups > 0)
      std::printf("continuing where an earlier run stopped, after %zu of %zu groups\n", done.groups, total);
    std::fflush(stdout);
    {
      Report report(options_.file);
      if (!was_complete)
        for (const std::size_t row : table_->left_alone())
          report.add(table_->rows()[row].line, table_->problems().at(row));
      CALLISTO_CHECK(
          Run(*table_, *plan_, *map_, *journal_, report, {database, model_->store, clock_, random_}).go_on(done));
    }
    done.rejected.insert(table_->left_alone().begin(), table_->left_alone().end());
    return finish(done, was_complete);
  }

  Result<int> finish(const Done& done, bool was_complete) {
    print_summary(done);
    if (done.rejected.empty()) {
      if (is_taken(rejected_path_) && !was_complete)
        std::printf("%s is from an earlier import; this one rejected no row\n", rejected_path_.c_str());
      return 0;
    }
    const std::string rejected = rejected_text(*table_, done.rejected);
    // An import that was complete has had its rejected file; it may be mended by now.
    if (was_complete && is_taken(rejected_path_)) {
      const auto there = read_file(rejected_path_);
      if (!there || *there != rejected) return leave_rejected();
    } else {
      CALLISTO_CHECK(write_rejected(rejected_path_, rejected));
    }
    std::printf("the rejected rows are in %s: fix them and import that file\n", rejected_path_.c_str());
    return 1;
  }

  int leave_rejected() const {
    std::printf(
        "%s is left as it is: it is not, or no longer, what this import rejected; --rejected NAME keeps those rows in "
        "another file\n",
        rejected_path_.c_str());
    return 1;
  }

  void print_summary(const Done& done) const {
    std::vector<const catalog::Entity*> entities{plan_->record.entity};
    for (const Block& block : plan_->rows) entities.push_back(block.entity);
    for (const Lookup& lookup : plan_->lookups) entities.push_back(lookup.block.entity);
    std::string summary;
    for (auto entity = entities.begin(); entity != entities.end(); ++entity) {
      if (std::find(entities.begin(), entity, *entity) != entity) continue;
      const auto made = done.counts.find((*entity)->name);
      const std::int64_t count = made == done.counts.end() ? 0 : made->second;
      summary += (summary.empty() ? "" : ", ") + std::to_string(count) + " " + (*entity)->name +
                 (count == 1 ? " record" : " records");
    }
    const std::size_t rejected = done.rejected.size();
    std::printf("%s imported, %zu row%s rejected\n", summary.c_str(), rejected, rejected == 1 ? "" : "s");
  }

  // What the database says is of use to whoever runs the command, the statement behind it is not.
  static void report_failure(const Error& error) {
    if (error.log_detail.empty()) return print_error(error);
    std::fprintf(stderr,
                 "callisto: the import stopped because the database failed: %s\n"
                 "What was done so far is kept; run the same command again to continue.\n",
                 error.log_detail.substr(0, error.log_detail.find(" in: ")).c_str());
  }

  static bool refuse(const Error& error) {
    print_error(error);
    return false;
  }

  // What is known by now to be wrong with the map.
  bool refuse_map() {
    std::stable_sort(problems_.begin(), problems_.end(),
                     [](const auto& a, const auto& b) { return a.origin.line < b.origin.line; });
    for (const catalog::Problem& problem : problems_) std::fprintf(stderr, "%s\n", to_string(problem).c_str());
    const std::size_t count = problems_.size();
    if (count > 0) std::fprintf(stderr, "%zu problem%s, nothing was imported\n", count, count == 1 ? "" : "s");
    return false;
  }

  const Settings& settings_;
  const ImportOptions& options_;
  std::string rejected_path_;
  SystemClock clock_;
  SystemRandom random_;
  std::shared_ptr<records::Model> model_;
  std::string map_text_;
  std::unique_ptr<script::ImportMap> map_;
  std::vector<catalog::Problem> problems_;  // of the map
  std::optional<Journal> journal_;
  std::optional<Table> table_;
  std::optional<Plan> plan_;
};

}  // namespace

int import(const Settings& settings, const ImportOptions& options) { return Import(settings, options).run(); }

}  // namespace callisto::app
