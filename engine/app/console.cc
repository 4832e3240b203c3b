// callisto console: asks a desk in Lua. Lines from a terminal or a pipe; what they yield goes to standard output.
#include "engine/app/commands.h"
#include "engine/app/line_reader.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"
#include "engine/base/text.h"
#include "engine/script/console_state.h"
#include "engine/testing/natives.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace callisto::app {

namespace {

constexpr script::Budget piece_budget{10'000, 256};

Error refused_here() {
  return forbidden("this desk can only be read; callisto console --scratch has one that can be written");
}

// What would write, or move the clock, is refused; requests of the API that read are none of these.
void take_away_writing(script::Natives& natives) {
  for (const char* name : {"insert", "create", "act", "set_clock", "run_due"})
    natives[name] = [](const std::vector<script::Data>&) -> Result<script::Data> { return refused_here(); };
  natives["request"] = [ask = natives["request"]](const std::vector<script::Data>& given) -> Result<script::Data> {
    if (given.size() < 2 || given[1].text() != "GET") return refused_here();
    return ask.call(given);
  };
}

class Console {
 public:
  Console(script::ConsoleState& state, testing::SteeredClock* running, LineReader& lines)
      : state_(state), running_(running), lines_(lines) {}

  // 1 where something failed that nobody could see at once.
  int run() {
    if (lines_.is_terminal())
      std::puts("Lua in a sandbox, with 'desk'. exit or Ctrl-D ends; callisto console --help has examples.");
    std::string line;
    while (lines_.read(piece_.empty() ? "> " : ">> ", line)) {
      if (piece_.empty() && text::trim(line) == "exit") break;
      if (piece_.empty() && text::trim(line).empty()) continue;
      evaluate(line);
    }
    if (!piece_.empty()) fail("the input ended before the last piece did");
    return failed_ && !lines_.is_terminal() ? 1 : 0;
  }

 private:
  void evaluate(const std::string& line) {
    piece_ += (piece_.empty() ? "" : "\n") + line;
    if (running_) running_->set(SystemClock().now());
    const script::ConsoleAnswer answer = state_.evaluate(piece_);
    if (answer.kind == script::ConsoleAnswer::Kind::Incomplete) return;
    piece_.clear();
    if (answer.kind == script::ConsoleAnswer::Kind::Failed) fail(answer.text);
    else if (!answer.text.empty()) std::printf("%s\n", answer.text.c_str());
  }

  void fail(const std::string& what) {
    failed_ = true;
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", what.c_str());
  }

  script::ConsoleState& state_;
  testing::SteeredClock* running_;  // null: the desk's clock stands
  LineReader& lines_;
  std::string piece_;  // lines that are no whole piece yet
  bool failed_ = false;
};

// As other consoles have theirs; nothing where there is no home.
std::string history_file() {
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.callisto_history" : std::string();
}

// What can be typed: entities, their properties and actions, the words of desk.
std::set<std::string> words_of(const catalog::Catalog& catalog, const script::Natives& natives) {
  std::set<std::string> words{"desk", "exit"};
  for (const auto& native : natives) words.insert(native.first);
  for (const auto& entity : catalog.entities()) {
    words.insert(entity->name);
    for (const catalog::Property* property : entity->properties) words.insert(property->name);
    for (const catalog::Action* action : entity->actions) {
      std::string word = action->name;
      std::replace(word.begin(), word.end(), '-', '_');
      words.insert(std::move(word));
    }
  }
  return words;
}

std::vector<std::string> those_that_begin(const std::set<std::string>& words, std::string_view beginning) {
  std::vector<std::string> found;
  for (auto at = words.lower_bound(std::string(beginning)); at != words.end() && at->starts_with(beginning); ++at)
    found.push_back(*at);
  return found;
}

Result<int> converse(const testing::TestServerParts& parts, storage::Connection& connection,
                     testing::SteeredClock& clock, Random& random, const std::string& login) {
  CALLISTO_TRY(const auto desk, testing::TestServer::open(parts, connection, clock, random));
  script::Natives natives = testing::natives_of(*desk);
  if (parts.read_only) take_away_writing(natives);
  natives["print"] = [](const std::vector<script::Data>& given) -> Result<script::Data> {
    if (!given.empty()) std::printf("%s\n", given[0].text().c_str());
    return script::Data();
  };
  CALLISTO_TRY(const auto state, script::ConsoleState::create(script::libraries_of(*parts.model->program), natives,
                                                              login, piece_budget, clock));
  LineReader lines(history_file(), [words = words_of(parts.model->catalog(), natives)](std::string_view word) {
    return those_that_begin(words, word);
  });
  return Console(*state, parts.read_only ? &clock : nullptr, lines).run();
}

Result<int> converse_in_memory(const testing::TestServerParts& parts, Random& random, const std::string& login) {
  testing::SteeredClock clock(sample_start);
  CALLISTO_TRY(const auto database, open_sample_desk(*parts.model, clock, random));
  int status = 0;
  CALLISTO_CHECK(database->write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(status, converse(parts, connection, clock, random, login));
    return {};
  }));
  return status;
}

Result<int> converse_beside(const Settings& settings, const testing::TestServerParts& parts, Random& random,
                            const std::string& login) {
  testing::SteeredClock clock(SystemClock().now());
  CALLISTO_TRY(const auto database, storage::Database::open({.url = settings.database_url(), .read_only = true}));
  CALLISTO_TRY(const auto connection, database->connect_reader());
  return converse(parts, *connection, clock, random, login);
}

}  // namespace

int console(const Settings& settings, const ConsoleOptions& options) {
  SystemRandom random;
  auto model = load_model(options.scratch ? in_memory(settings) : settings, SystemClock(), random);
  if (!model) return 1;
  testing::TestServerParts parts = desk_parts(settings, std::move(model));
  parts.read_only = !options.scratch;
  const auto status = options.scratch ? converse_in_memory(parts, random, options.login)
                                      : converse_beside(settings, parts, random, options.login);
  if (status) return *status;
  print_error(status.error());
  return 1;
}

}  // namespace callisto::app
