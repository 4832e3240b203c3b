#include "engine/app/describing/mutation.h"
#include "engine/app/describing/specs.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"
#include "engine/base/log.h"
#include "engine/base/log_writer.h"
#include "engine/base/temporary_folder.h"
#include "engine/script/mutants.h"
#include "engine/testing/report.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace callisto::app {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Rule {
  std::size_t folder;  // number among the folders of scripts
  fs::path file;       // below it
  std::string text;
};

struct Task {
  const Rule* rule;
  script::Mutant mutant;
  bool survives = false;
};

bool is_rule(const fs::path& below) {
  const std::string name = below.filename();
  const bool is_spec = std::find(below.begin(), below.end(), fs::path("spec")) != below.end();
  return below.extension() == ".lua" && !is_spec && !name.ends_with(".d.lua");
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path whole = fs::weakly_canonical(folder);
  const fs::path other = fs::weakly_canonical(file);
  return std::mismatch(whole.begin(), whole.end(), other.begin(), other.end()).first == whole.end();
}

// Of one folder, in the order of their names.
void read_rules(std::size_t number, const fs::path& folder, const std::string& only, std::vector<Rule>& rules) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const fs::path below = fs::relative(file, folder);
    if (is_rule(below) && (only.empty() || lies_in(file, only))) rules.push_back({number, below, text_of(file)});
  }
}

// A file of the same name in a later folder takes the place of this one; hooks alone run beside each other.
bool is_replaced(const Rule& rule, const std::vector<std::string>& folders) {
  if (rule.file.filename() == "hooks.lua") return false;
  return std::any_of(folders.begin() + static_cast<std::ptrdiff_t>(rule.folder) + 1, folders.end(),
                     [&rule](const std::string& folder) { return fs::exists(folder / rule.file); });
}

// A copy of the folders of scripts, in which one file at a time is a mutant. One thread's.
class Workspace {
 public:
  static Result<Workspace> make(const std::vector<std::string>& folders) {
    CALLISTO_TRY(TemporaryFolder folder, TemporaryFolder::make("callisto-mutants"));
    Workspace made(std::move(folder));
    for (std::size_t i = 0; i < folders.size(); ++i) {
      made.copies_.push_back(made.folder_.path() + "/" + std::to_string(i));
      std::error_code failed;
      fs::copy(folders[i], made.copies_.back(), fs::copy_options::recursive, failed);
      if (failed) return internal(folders[i] + " cannot be copied to " + made.copies_.back() + ": " + failed.message());
    }
    return made;
  }

  const std::vector<std::string>& folders() const { return copies_; }
  bool write(const Rule& rule, const std::string& text) const {
    std::ofstream out(fs::path(copies_[rule.folder]) / rule.file, std::ios::binary | std::ios::trunc);
    out << text << std::flush;
    return out.good();
  }

 private:
  explicit Workspace(TemporaryFolder folder) : folder_(std::move(folder)) {}

  TemporaryFolder folder_;
  std::vector<std::string> copies_;
};

// The specs of the rule's own entity first: they are the likeliest to notice.
std::vector<std::string> own_first(std::vector<std::string> specs, const Rule& rule) {
  const std::string own = "/" + rule.file.begin()->string() + "/spec/";
  std::stable_partition(specs.begin(), specs.end(),
                        [&own](const std::string& file) { return file.find(own) != std::string::npos; });
  return specs;
}

class Judge {
 public:
  Judge(Settings settings, const TestOptions& given, std::vector<std::string> specs, std::function<bool()> should_stop)
      : settings_(std::move(settings)),
        words_(given.words),
        specs_(std::move(specs)),
        should_stop_(std::move(should_stop)),
        folders_(find_folders(settings_.scripts)) {
    for (std::size_t i = 0; i < folders_.size(); ++i) read_rules(i, folders_[i], given.rules, rules_);
    std::erase_if(rules_, [this](const Rule& rule) { return is_replaced(rule, folders_); });
    for (const Rule& rule : rules_)
      for (script::Mutant& mutant : script::mutants_of(rule.text)) tasks_.push_back({&rule, std::move(mutant)});
  }

  Result<Mutation> run() {
    if (tasks_.empty())
      return validation_failed("there is no rule to change. --rules takes a file or folder of scripts.", {});
    std::vector<Workspace> workspaces;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
      CALLISTO_TRY(auto made, Workspace::make(folders_));
      workspaces.push_back(std::move(made));
    }
    log::configure("off", false);  // mutants fail, and each would say so
    std::vector<std::thread> threads;
    for (const Workspace& workspace : workspaces) threads.emplace_back([this, &workspace] { work(workspace); });
    for (std::thread& thread : threads) thread.join();
    if (isatty(2) == 1) log::print("\n");
    return outcome();
  }

 private:
  void work(const Workspace& workspace) {
    Settings settings = in_memory(settings_);
    settings.scripts = workspace.folders();
    for (std::size_t i; !should_stop_() && (i = next_++) < tasks_.size();) {
      Task& task = tasks_[i];
      if (!workspace.write(*task.rule, script::mutated(task.rule->text, task.mutant))) return;  // a full disk
      const bool noticed = is_noticed(settings, *task.rule);
      if (!workspace.write(*task.rule, task.rule->text)) return;
      if (!noticed && should_stop_()) return;  // not all specs have run
      task.survives = !noticed;
      note(task.survives);
    }
  }

  // By `check`, which refuses to load it, or by a spec.
  bool is_noticed(const Settings& settings, const Rule& rule) const {
    SystemRandom random;
    auto read = read_model(settings, SystemClock(), random);
    if (!read || !read->model) return true;
    bool failed = false;
    testing::RunOptions options;
    options.files = own_first(specs_, rule);
    options.words = words_;
    options.start = sample_start;
    options.done = [&failed](const testing::Outcome& outcome) { failed = failed || outcome.failure; };
    options.should_stop = [this, &failed] { return failed || should_stop_(); };
    const auto report = run_specs(settings, std::move(read->model), options, random);
    return failed || !report;
  }

  void note(bool survives) {
    const std::lock_guard lock(mutex_);
    ++judged_;
    surviving_ += survives ? 1 : 0;
    if (isatty(2) == 1)
      log::print("\r" + std::to_string(judged_) + " of " + std::to_string(tasks_.size()) + " mutants judged, " +
                 std::to_string(surviving_) + " survive");
  }

  Mutation outcome() const {
    Mutation told{tasks_.size(), judged_, {}};
    for (const Task& task : tasks_) {
      if (!task.survives) continue;
      const std::string& text = task.rule->text;
      const std::size_t start = text.rfind('\n', task.mutant.begin) + 1;  // npos + 1 is 0
      const std::string line = text.substr(start, text.find('\n', start) - start);
      told.survivors.push_back({folders_[task.rule->folder] + "/" + task.rule->file.string(), task.mutant.line,
                                task.mutant.words, line.substr(std::min(line.find_first_not_of(' '), line.size()))});
    }
    return told;
  }

  const Settings settings_;
  const std::vector<std::string> words_;
  const std::vector<std::string> specs_;
  const std::function<bool()> should_stop_;
  const std::vector<std::string> folders_;
  std::vector<Rule> rules_;
  std::vector<Task> tasks_;  // each belongs to the thread that took its number
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // of what follows, while threads run
  std::size_t judged_ = 0, surviving_ = 0;
};

}  // namespace

Result<Mutation> mutate(const Settings& settings, const TestOptions& given, std::vector<std::string> specs,
                        std::function<bool()> should_stop) {
  return Judge(settings, given, std::move(specs), std::move(should_stop)).run();
}

std::string to_text(const Mutation& mutation) {
  std::string text;
  for (const Mutation::Survivor& each : mutation.survivors)
    text += each.file + ":" + std::to_string(each.line) + ": no spec notices when " + each.words + "\n    " +
            each.source + "\n";
  const std::size_t surviving = mutation.survivors.size(), noticed = mutation.judged - surviving;
  char share[16];
  std::snprintf(share, sizeof share, "%.1f %%",
                100.0 * static_cast<double>(noticed) / static_cast<double>(std::max<std::size_t>(1, mutation.judged)));
  return text + std::to_string(mutation.judged) + " mutants, " + std::to_string(noticed) + " noticed (" + share +
         "), " + std::to_string(surviving) + " survive\n";
}

}  // namespace callisto::app
