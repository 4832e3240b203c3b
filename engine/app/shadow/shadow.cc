// callisto shadow: what other rules would have answered. Each recorded request is asked twice of one copy of the desk,
// at the time at which it came: by the candidate's rules, which is undone, and by those of today, which stays. So each
// answer that differs differs by the rules, and never by what an earlier request left behind.
#include "engine/app/commands.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"
#include "engine/app/shadow/differences.h"
#include "engine/app/shadow/recording.h"
#include "engine/auth/role.h"
#include "engine/base/progress.h"
#include "engine/base/temporary_folder.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

namespace callisto::app {

namespace {

namespace fs = std::filesystem;

constexpr int ok = 200, not_modified = 304;

// The same bytes for both sides of a request.
class Dice final : public Random {
 public:
  void begin(std::uint64_t seed) { engine_.seed(seed); }
  std::string bytes(std::size_t count) override {
    std::string drawn(count, '\0');
    for (char& each : drawn) each = static_cast<char>(engine_() & 0xff);
    return drawn;
  }

 private:
  std::mt19937_64 engine_;
};

// One set of rules, in this process, over the copy.
class Rules {
 public:
  static Result<std::unique_ptr<Rules>> open(const Settings& settings, std::shared_ptr<records::Model> model,
                                             storage::Connection& connection) {
    auto made = std::unique_ptr<Rules>(new Rules(connection));
    made->model_ = model;
    testing::TestServerParts parts = desk_parts(settings, std::move(model));
    const std::string key_file = settings.data + "/secret.key";
    std::error_code ignored;
    if (fs::exists(key_file, ignored)) {
      CALLISTO_TRY(const Sealer sealer, Sealer::from_file(key_file, made->dice_));
      parts.api.page_key = sealer.key_for("next page");
    }
    CALLISTO_TRY(made->server_, testing::TestServer::open(parts, connection, made->clock_, made->dice_));
    return made;
  }

  const catalog::Catalog& catalog() const { return model_->catalog(); }

  // `number`: of its line, the same for both sides.
  Result<Reply> ask(std::size_t number, const RecordedRequest& request, bool is_kept) {
    CALLISTO_CHECK(server_->begin());
    auto reply = answer(number, request);
    CALLISTO_CHECK(is_kept && reply ? server_->keep() : server_->roll_back());
    return reply;
  }

 private:
  explicit Rules(storage::Connection& connection) : connection_(connection), clock_(DateTime{}) {}

  Result<Reply> answer(std::size_t number, const RecordedRequest& request) {
    clock_.set(request.at);
    dice_.begin(number);
    auth::Session session;
    session.type = auth::session_type(request.session_type).value_or(auth::SessionType::User);
    session.person = request.person;
    session.client_id = request.client;
    CALLISTO_CHECK(auth::read_session_access(connection_, session));
    testing::Headers headers(request.headers.begin(), request.headers.end());
    const std::size_t signed_in = server_->add_session(std::move(session));
    CALLISTO_TRY(auto answer, server_->request(signed_in, std::string(request.method), request.target(),
                                               std::move(headers), std::string(request.body)));
    return Reply{std::move(answer), server_->raised()};
  }

  storage::Connection& connection_;
  std::shared_ptr<const records::Model> model_;
  testing::SteeredClock clock_;
  Dice dice_;
  std::unique_ptr<testing::TestServer> server_;
};

class Shadow {
 public:
  Shadow(const Settings& settings, const ShadowOptions& options)
      : settings_(settings),
        options_(options),
        folder_(options.recording.empty() ? settings.data + recording::folder : options.recording) {}

  Result<bool> run() {  // whether any answer differs
    std::ifstream lines(folder_ + recording::requests, std::ios::binary);
    if (!lines) return bad_format("there is no recording in " + folder_ + ": `callisto record` makes one");
    CALLISTO_TRY(const TemporaryFolder folder, TemporaryFolder::make("shadow", folder_));
    CALLISTO_CHECK(copy_desk(folder.path() + recording::desk));
    Settings candidate = settings_;
    if (!options_.scripts.empty()) candidate.scripts = options_.scripts;
    if (!options_.entities.empty()) candidate.entities = options_.entities;
    const auto rules = load_model(settings_, clock_, random_), others = load_model(candidate, clock_, random_);
    if (!rules || !others) return bad_format("the entities and scripts cannot be loaded");
    CALLISTO_TRY(const auto database, storage::Database::open({.url = settings_.database_url()}));
    for (const auto& model : {rules, others}) CALLISTO_CHECK(bring_schema_to(*database, *model, clock_));
    CALLISTO_CHECK(replay(lines, *database, {rules, settings_}, {others, candidate}));
    print();
    return differ_ > 0;
  }

 private:
  Result<void> copy_desk(const std::string& target) {
    std::error_code failed;
    fs::copy_file(folder_ + recording::desk, target, failed);
    if (failed) return bad_format(folder_ + recording::desk + " cannot be copied: " + failed.message());
    settings_.database = "sqlite:" + target;
    return {};
  }

  struct Loaded {
    std::shared_ptr<records::Model> model;
    const Settings& settings;
  };

  // In one transaction, which is never committed.
  Result<void> replay(std::istream& lines, storage::Database& database, const Loaded& rules, const Loaded& others) {
    Result<void> done;
    const auto undone = database.write([&](storage::Connection& connection) -> Result<void> {
      done = [&]() -> Result<void> {
        CALLISTO_TRY(const auto today, Rules::open(rules.settings, rules.model, connection));
        CALLISTO_TRY(const auto candidate, Rules::open(others.settings, others.model, connection));
        return ask_all(lines, connection, *today, *candidate);
      }();
      return bad_format("undone");
    });
    return done;
  }

  Result<void> ask_all(std::istream& lines, storage::Connection& connection, Rules& today, Rules& candidate) {
    Progress progress("asking again", fs::file_size(folder_ + recording::requests));
    std::string line;
    std::uint64_t read = 0;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
      progress.advance_to(read += line.size() + 1);
      const auto node = json::parse(line);
      const auto request = node ? read_line(*node) : Result<RecordedRequest>(node.error());
      if (!request) {
        ++left_out_["the line cannot be read"];
      } else if (!request->left_out.empty()) {
        ++left_out_[std::string(request->left_out)];
      } else {
        CALLISTO_CHECK(keep_keys_in_step(connection, today.catalog(), *request));
        CALLISTO_CHECK(ask_both(number, *request, today, candidate));
      }
    }
    return {};
  }

  // A record gets the key that it got: what came between the copy and the recording, or was left out, took some.
  static Result<void> keep_keys_in_step(storage::Connection& connection, const catalog::Catalog& catalog,
                                        const RecordedRequest& request) {
    if (!request.made || request.method != "POST") return {};
    const catalog::Entity* const entity = catalog.find(request.path.substr(0, request.path.find('/')));
    if (!entity) return {};
    return connection.keep_ids_above(entity->table.text(), *request.made - 1);
  }

  Result<void> ask_both(std::size_t number, const RecordedRequest& request, Rules& today, Rules& candidate) {
    CALLISTO_TRY(const Reply after, candidate.ask(number, request, false));
    CALLISTO_TRY(const Reply before, today.ask(number, request, true));
    ++asked_;
    const std::string example = told(number, request);
    const int recorded = request.status == not_modified ? ok : request.status;  // its condition is not asked again
    if (before.answer.status != recorded && ++unlike_recorded_ == 1)
      first_unlike_ = example + ": " + std::to_string(request.status) + ", now " + std::to_string(before.answer.status);
    const auto found = differences(before, after);
    if (found.empty()) return {};
    ++differ_;
    if (options_.all) std::printf("%s\n%s", example.c_str(), text_of(found).c_str());
    else kinds_.add(std::string(request.method) + " " + std::string(request.route), example, found);
    return {};
  }

  static std::string told(std::size_t number, const RecordedRequest& request) {
    const std::string who =
        request.person ? "person " + std::to_string(*request.person) : "client " + std::string(request.client);
    return "line " + std::to_string(number) + ": " + std::string(request.method) + " " + request.target() + ", by " +
           who + ", " + std::string(request.session_type);
  }

  void print() const {
    std::printf("%s%zu of %zu answers differ.\n", kinds_.text().c_str(), differ_, asked_);
    for (const auto& [why, count] : left_out_) std::printf("%zu requests were left out: %s.\n", count, why.c_str());
    if (unlike_recorded_ > 0)
      std::printf("%zu had another status by today's rules than when they were recorded, such as %s.\n",
                  unlike_recorded_, first_unlike_.c_str());
  }

  Settings settings_;
  const ShadowOptions& options_;
  const std::string folder_;
  const SystemClock clock_;
  SystemRandom random_;
  std::map<std::string, std::size_t> left_out_;  // by the reason
  Kinds kinds_;
  std::string first_unlike_;
  std::size_t asked_ = 0, differ_ = 0, unlike_recorded_ = 0;
};

}  // namespace

int shadow(const Settings& settings, const ShadowOptions& options) {
  const auto differs = Shadow(settings, options).run();
  if (differs) return *differs ? 1 : 0;
  print_error(differs.error());
  return 2;
}

}  // namespace callisto::app
