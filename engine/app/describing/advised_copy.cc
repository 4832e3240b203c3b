#include "engine/app/describing/advised_copy.h"

#include "engine/app/opening/data_folder.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"
#include "engine/base/percent.h"
#include "engine/base/progress.h"
#include "engine/storage/upkeep.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace callisto::app {
namespace {

namespace fs = std::filesystem;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::string_view sqlite = "sqlite:";
constexpr std::chrono::hours patience{24};
constexpr std::size_t rewritten = 500;  // records, to learn what an index costs a write

// A folder that one command has; what an earlier one left there is gone.
class Workplace {
 public:
  static Result<Workplace> take(const Settings& settings) {
    CALLISTO_CHECK(make_data_folder(settings));
    std::string path = settings.data + "/advise";
    std::error_code failed;
    fs::create_directory(path, failed);
    fs::permissions(path, fs::perms::owner_all, failed);
    if (failed) return internal("the folder " + path + " cannot be made: " + failed.message());
    CALLISTO_TRY(auto lock, FileLock::take(path + "/lock", "callisto advise is at work on this desk already"));
    Workplace place(std::move(path), std::move(lock));
    place.clear();
    return place;
  }
  Workplace(Workplace&& other) noexcept : folder(std::exchange(other.folder, {})), lock_(std::move(other.lock_)) {}
  Workplace& operator=(Workplace&&) = delete;
  ~Workplace() {
    if (folder.empty()) return;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  std::string folder;

 private:
  Workplace(std::string path, FileLock lock) : folder(std::move(path)), lock_(std::move(lock)) {}

  void clear() const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().filename() != "lock") fs::remove_all(entry.path(), ignored);
  }

  FileLock lock_;
};

class CopiedFile final : public AdvisedCopy {
 public:
  explicit CopiedFile(Workplace place)
      : AdvisedCopy(place.folder), place_(std::move(place)), path_(place_.folder + "/desk.db") {}

  Result<void> fill(const std::string& source) const {
    std::optional<Progress> progress;
    return storage::back_up(source, path_, [&](std::uint64_t done, std::uint64_t all) {
      if (!progress) progress.emplace("copying the database", all);
      progress->advance_to(done);
    });
  }

  std::string url() const override { return std::string(sqlite) + path_; }

  Result<std::uint64_t> bytes() const override {
    std::error_code failed;
    const auto size = fs::file_size(path_, failed);
    if (failed) return internal("the copy " + path_ + " cannot be read: " + failed.message());
    return size;
  }

  Result<void> renew_statistics(storage::Database& opened) const override {
    return opened.write([](storage::Connection& connection) { return connection.run_script("ANALYZE"); });
  }

 private:
  Workplace place_;
  std::string path_;
};

Result<std::string> text_of(storage::Connection& connection, const Sql& question) {
  CALLISTO_TRY(const auto row, connection.query(question, {}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::string(row->text(0)) : std::string();
}

// A url whose connections find what they name in the schema of the copy first.
std::string in_schema(const std::string& url, std::string_view path) {
  std::string option = "-csearch_path=callisto_advise,";
  for (const char c : path) option += c == ' ' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  std::string in_copy = url + (url.find('?') == url.npos ? '?' : '&') + "options=";
  append_encoded(in_copy, option);
  return in_copy;
}

struct Job {
  std::string sql;
  std::uint64_t bytes = 0;
};

Result<std::vector<Job>> jobs(storage::Connection& connection, const Sql& question) {
  CALLISTO_TRY(const auto rows, connection.query(question, {}));
  std::vector<Job> all;
  for (;;) {
    CALLISTO_TRY(const bool found, rows->step());
    if (!found) return all;
    all.push_back({std::string(rows->text(0)), static_cast<std::uint64_t>(rows->integer(1))});
  }
}

const Sql copy_tables(
    "SELECT format('CREATE TABLE callisto_advise.%1$I (LIKE %2$I.%1$I INCLUDING ALL EXCLUDING INDEXES); "
    "INSERT INTO callisto_advise.%1$I SELECT * FROM %2$I.%1$I', relname, current_schema()), pg_table_size(oid) "
    "FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema()) ORDER BY relname");
const Sql copy_indexes(
    "SELECT CASE WHEN c.oid IS NULL THEN "
    "replace(pg_get_indexdef(i.indexrelid), format(' ON %I.', current_schema()), ' ON callisto_advise.') "
    "ELSE format('ALTER TABLE callisto_advise.%I ADD CONSTRAINT %I %s', t.relname, c.conname, "
    "pg_get_constraintdef(c.oid)) END, pg_relation_size(i.indexrelid) FROM pg_index i "
    "JOIN pg_class t ON t.oid = i.indrelid LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN "
    "('p', 'u') "
    "WHERE t.relkind = 'r' AND t.relnamespace = to_regnamespace(current_schema()) ORDER BY t.relname");

// Outside of transactions: one of a writer would keep those of the desk from what it has read.
Result<std::unique_ptr<storage::Connection>> connect_to_change(storage::Database& database) {
  CALLISTO_TRY(auto connection, database.connect_reader());
  CALLISTO_CHECK(connection->run_script("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE"));
  return connection;
}

class CopiedSchema final : public AdvisedCopy {
 public:
  explicit CopiedSchema(Workplace place) : AdvisedCopy(place.folder), place_(std::move(place)) {}
  ~CopiedSchema() override {
    if (is_mine_) (void)source_connection_->run_script("DROP SCHEMA callisto_advise CASCADE");
  }

  Result<void> fill(const std::string& source) {
    CALLISTO_TRY(source_, storage::Database::open({.url = source, .read_only = true, .read_deadline = patience}));
    CALLISTO_TRY(source_connection_, connect_to_change(*source_));
    CALLISTO_CHECK(make_schema());
    CALLISTO_TRY(const std::string path, text_of(*source_connection_, Sql("SHOW search_path")));
    url_ = in_schema(source, path);
    CALLISTO_TRY(auto all, jobs(*source_connection_, copy_tables));
    CALLISTO_TRY(auto indexes, jobs(*source_connection_, copy_indexes));
    all.insert(all.end(), std::make_move_iterator(indexes.begin()), std::make_move_iterator(indexes.end()));
    return run(all);
  }

  std::string url() const override { return url_; }

  Result<std::uint64_t> bytes() const override {
    static const Sql sum(
        "SELECT COALESCE(sum(pg_relation_size(oid)), 0)::bigint FROM pg_class "
        "WHERE relkind IN ('r', 'i') AND relnamespace = to_regnamespace('callisto_advise')");
    CALLISTO_TRY(const auto row, source_connection_->query(sum, {}));
    CALLISTO_TRY(const bool found, row->step());
    return found ? static_cast<std::uint64_t>(row->integer(0)) : 0;
  }

  // What is visible to everybody is noted as well: an index answers by itself only then.
  Result<void> renew_statistics(storage::Database&) const override {
    static const Sql all_tables(
        "SELECT 'VACUUM ANALYZE ' || string_agg(format('callisto_advise.%I', relname), ', ') FROM pg_class "
        "WHERE relkind = 'r' AND relnamespace = to_regnamespace('callisto_advise')");
    CALLISTO_TRY(const std::string vacuum, text_of(*source_connection_, all_tables));
    return source_connection_->run_script(vacuum);
  }

 private:
  // Nobody else has one, of whatever machine, as long as the connection lives.
  Result<void> make_schema() {
    static const Sql lock("SELECT pg_try_advisory_lock(hashtext('callisto_advise'))::text");
    CALLISTO_TRY(const std::string taken, text_of(*source_connection_, lock));
    if (taken != "true") return bad_format("callisto advise is at work on this database already");
    CALLISTO_CHECK(
        source_connection_->run_script("DROP SCHEMA IF EXISTS callisto_advise CASCADE; CREATE SCHEMA callisto_advise"));
    is_mine_ = true;
    return {};
  }

  Result<void> run(const std::vector<Job>& all) const {
    CALLISTO_TRY(const auto copy, storage::Database::open({.url = url_, .read_deadline = patience}));
    CALLISTO_TRY(const auto connection, connect_to_change(*copy));
    std::uint64_t done = 0, bytes = 0;
    for (const Job& each : all) bytes += each.bytes;
    Progress progress("copying the database", bytes);
    for (const Job& each : all) {
      CALLISTO_CHECK(connection->run_script(each.sql));
      progress.advance_to(done += each.bytes);
    }
    return {};
  }

  Workplace place_;
  std::string url_;
  std::unique_ptr<storage::Database> source_;
  std::unique_ptr<storage::Connection> source_connection_;
  bool is_mine_ = false;
};

Result<double> rewrite(storage::Connection& connection, const catalog::Entity& entity) {
  const SqlIdentifier& table = entity.root().table;
  Sql keys, last;
  for (const catalog::Property* part : entity.root().key) {
    if (!keys.empty()) keys << ", ", last << ", ";
    keys << part->column;
    last << part->column << " DESC";
  }
  Sql newest("SELECT ");
  newest << keys << " FROM " << table << " ORDER BY " << last << " LIMIT ";
  newest.integer(rewritten);
  Sql keep("CREATE TEMP TABLE rewritten AS SELECT * FROM "), take("DELETE FROM "), put("INSERT INTO ");
  keep << table << " WHERE (" << keys << ") IN (" << newest << ")";
  take << table << " WHERE (" << keys << ") IN (SELECT " << keys << " FROM rewritten)";
  put << table << " SELECT * FROM rewritten";
  CALLISTO_CHECK(connection.execute(keep, {}));
  const auto begun = std::chrono::steady_clock::now();
  CALLISTO_TRY(const std::int64_t rows, connection.execute(take, {}));
  CALLISTO_CHECK(connection.execute(put, {}));
  return 1000 * Milliseconds(std::chrono::steady_clock::now() - begun).count() /
         static_cast<double>(std::max<std::int64_t>(1, rows));
}

}  // namespace

Result<std::unique_ptr<AdvisedCopy>> AdvisedCopy::make(const Settings& settings) {
  const std::string source = settings.database_url();
  CALLISTO_TRY(Workplace place, Workplace::take(settings));
  if (source.starts_with(sqlite)) {
    auto file = std::make_unique<CopiedFile>(std::move(place));
    CALLISTO_CHECK(file->fill(source));
    return std::unique_ptr<AdvisedCopy>(std::move(file));
  }
  auto schema = std::make_unique<CopiedSchema>(std::move(place));
  CALLISTO_CHECK(schema->fill(source));
  return std::unique_ptr<AdvisedCopy>(std::move(schema));
}

Result<std::unique_ptr<AdvisedServer>> AdvisedServer::open(const Settings& settings, const AdvisedCopy& copy,
                                                           std::shared_ptr<records::Model> model, const Clock& clock,
                                                           Random& random) {
  auto made = std::unique_ptr<AdvisedServer>(new AdvisedServer(clock.now()));
  CALLISTO_TRY(made->database_, storage::Database::open({.url = copy.url()}));
  CALLISTO_CHECK(bring_schema_to(*made->database_, *model, clock));
  CALLISTO_CHECK(copy.renew_statistics(*made->database_));
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

Result<json::Node> AdvisedServer::ask(const std::string& target) {
  CALLISTO_TRY(const auto answer, server_->request(session_, "GET", target, {}, {}));
  if (answer.status != 200) return bad_format(answer.body);
  return json::parse(answer.body, {64, 1'000'000});
}

Result<double> AdvisedServer::milliseconds(const std::string& target) {
  const auto begun = std::chrono::steady_clock::now();
  CALLISTO_TRY(const auto answer, server_->request(session_, "GET", target, {}, {}));
  if (answer.status != 200) return bad_format(answer.body);
  return Milliseconds(std::chrono::steady_clock::now() - begun).count();
}

Result<double> microseconds_to_rewrite(storage::Database& database, const catalog::Entity& entity) {
  double best = 0;
  for (int turn = 0; turn < 3; ++turn) {
    double took = 0;
    const auto done = database.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(took, rewrite(connection, entity));
      return bad_format("undone");
    });
    if (!done && done.error().message != "undone") return done.error();
    best = turn == 0 ? took : std::min(best, took);
  }
  return best;
}

}  // namespace callisto::app
