// callisto reload: tells the server of the data folder to read entities and scripts anew, or shows what that would
// change.
#include "engine/app/commands.h"
#include "engine/app/describing/catalog_changes.h"
#include "engine/app/describing/description.h"
#include "engine/app/describing/effects.h"
#include "engine/app/describing/specs.h"
#include "engine/app/opening/data_folder.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"
#include "engine/app/serving/reload.h"
#include "engine/app/serving/webhook_words.h"
#include "engine/base/whole_file.h"
#include "engine/testing/report.h"

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <thread>

namespace callisto::app {

namespace {

constexpr std::chrono::seconds patience{30};
constexpr std::chrono::milliseconds pause{20};

int fail(const std::string& message) {
  std::fprintf(stderr, "callisto: %s\n", message.c_str());
  return 1;
}

// The outcome of a reload that began at `since` or later.
std::optional<json::Node> outcome_since(const Settings& settings, DateTime since) {
  const auto outcome = json::parse(content_of(settings.data + std::string(outcome_file)));
  if (!outcome) return std::nullopt;
  const auto started = parse_iso8601(json::string_of(*outcome, "Started"));
  return started && started->ms >= since.ms ? std::optional(*outcome) : std::nullopt;
}

int print(const json::Node& outcome) {
  const json::Node* done = outcome.find("Done");
  if (done && done->boolean()) {
    std::printf("reloaded\n");
    return 0;
  }
  if (const json::Node* problems = outcome.find("Problems"))
    for (const json::Node& problem : problems->items()) std::fprintf(stderr, "%s\n", problem.text().c_str());
  return fail("the server refused and still runs the previous entities and scripts");
}

// The server reads it when it is told, and takes it away.
Result<void> ask_for_force(const Settings& settings) {
  CALLISTO_TRY(WholeFile file, WholeFile::make(settings.data + std::string(force_file), 0600));
  return file.replace();
}

std::string name_of(const std::string& process) {
  std::string name = content_of("/proc/" + process + "/comm");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

// Whether that number means the server here: seen from outside of a container, another process has it, or none.
bool is_in_sight(pid_t process) { return process != getpid() && name_of(std::to_string(process)) == name_of("self"); }

int tell_server(const Settings& settings, bool force) {
  const auto found = server_of_data_folder(settings);
  if (!found) return fail(found.error().log_detail + ". Run this as the user that runs the server.");
  const std::optional<pid_t>& process = *found;
  if (!process)
    return fail("no server runs on " + settings.data +
                ". Start one with 'callisto serve', or name its data folder with --data.");
  if (!is_in_sight(*process))
    return fail("a server has " + settings.data + " as process " + std::to_string(*process) +
                ", which cannot be seen here: it runs in a container, or on another machine. Run this there, for "
                "example docker exec CONTAINER callisto reload.");
  const auto asked = force ? ask_for_force(settings) : Result<void>();
  if (!asked) return fail(asked.error().message);
  const SystemClock clock;
  const DateTime sent = clock.now();
  if (kill(*process, SIGHUP) != 0)
    return fail("process " + std::to_string(*process) + " cannot be told: " + std::strerror(errno) +
                ". Run this as the user that runs the server.");
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < until) {
    if (const auto outcome = outcome_since(settings, sent)) return print(*outcome);
    const auto now = server_of_data_folder(settings);
    if (!now || *now != process) return fail("the server ended meanwhile; its log says why");
    std::this_thread::sleep_for(pause);
  }
  return fail("the server did not answer within 30 s; its log says why");
}

bool pass_specs(const Settings& settings, const std::shared_ptr<const records::Model>& model, Random& random) {
  auto files = spec_files(settings);
  if (!files) return print_error(files.error()), false;
  testing::RunOptions options;
  options.start = sample_start;
  options.files = *std::move(files);
  const auto report = run_specs(settings, model, options, random);
  if (!report) return print_error(report.error()), false;
  std::printf("%s", testing::to_text(*report, options).c_str());
  return report->failed() == 0;
}

// Those that the database has, as far as they are well with what is served now.
bool keeps_webhooks(const Settings& settings, const records::Model& model) {
  const auto broken = broken_webhooks(settings, model);
  if (!broken) return print_error(broken.error()), false;
  for (const std::string& line : tell_broken(*broken, {})) std::fprintf(stderr, "%s\n", line.c_str());
  return broken->empty();
}

bool fits_the_database(const Settings& settings, const records::Model& model) {
  const auto plan = plan_schema(settings, model);
  if (!plan) return print_error(plan.error()), false;
  for (const std::string& problem : plan->problems) std::fprintf(stderr, "refused: %s\n", problem.c_str());
  return plan->problems.empty();
}

// What it does to the data: this stops no reload, since nothing is lost.
bool print_effects(const Settings& settings, const records::Model& model, Random& random) {
  const auto effects = effects_on_data(settings, model, SystemClock(), random);
  if (!effects) return print_error(effects.error()), false;
  for (const std::string& line : effects->out_of_sight) std::printf("%s\n", line.c_str());
  for (const Effects::Due& due : effects->due) std::printf("%s\n", due.line.c_str());
  return true;
}

int print_changes(const Settings& settings, const records::Model& model) {
  const std::string path = settings.data + std::string(description_file);
  const std::string text = content_of(path);
  if (text.empty())
    return fail("there is nothing to compare with: a server writes " + path +
                " when it starts. Name its data folder with --data.");
  const auto before = read_description(text), after = read_description(description_json(*model.program));
  if (!before || !after) return fail(path + " cannot be read. A server writes it anew when it starts.");
  const auto changes = catalog_changes(*before, *after);
  for (const std::string& change : changes) std::printf("%s\n", change.c_str());
  if (changes.empty()) std::printf("no change of the metadata or of any function\n");
  return 0;
}

}  // namespace

int reload(const Settings& settings, const ReloadOptions& options) {
  SystemRandom random;
  const auto model = load_model(in_memory(settings), SystemClock(), random);
  if (!model) return 1;
  if (!options.dry_run) return tell_server(settings, options.force);
  const bool passed = pass_specs(settings, model, random);
  bool fits = fits_the_database(settings, *model);
  const bool keeps = !fits || keeps_webhooks(settings, *model) || options.force;
  fits = fits && print_effects(settings, *model, random);
  return print_changes(settings, *model) == 0 && passed && fits && keeps ? 0 : 1;
}

}  // namespace callisto::app
