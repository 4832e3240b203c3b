#include "engine/storage/sqlite/database.h"

#include "engine/base/file_lock.h"
#include "engine/base/temporary_folder.h"
#include "engine/storage/sqlite/check.h"
#include "engine/storage/sqlite/connection.h"
#include "engine/storage/sqlite/log.h"
#include "engine/storage/sqlite/writer.h"

#include <filesystem>
#include <optional>
#include <system_error>

namespace callisto::storage {
namespace {

namespace fs = std::filesystem;

class SqliteDatabase final : public Database {
 public:
  SqliteDatabase(std::string path, const DatabaseOptions& options) : path_(std::move(path)), options_(options) {}

  Result<void> start_writer(std::optional<TemporaryFolder> folder) {
    const bool durable = !folder;
    if (folder) folder_.emplace(std::move(*folder));
    CALLISTO_TRY(lock_, FileLock::take(path_ + ".lock", "another server is using this database"));
    const bool is_left_over = has_log(path_);  // who stops as he should removes it
    if (is_left_over) CALLISTO_CHECK(write_log_again(path_));
    CALLISTO_TRY(auto connection, SqliteConnection::open_writer(path_, durable));
    if (is_left_over) CALLISTO_CHECK(check_after_crash(*connection, path_));
    writer_ = std::make_unique<SqliteWriter>(std::move(connection));
    return {};
  }

  Result<std::unique_ptr<Connection>> connect_reader() override {
    CALLISTO_TRY(auto reader, SqliteConnection::open_reader(path_, options_.cache_kib, options_.read_deadline));
    if (writer_) reader->take_part(writer_->traffic());
    return std::unique_ptr<Connection>(std::move(reader));
  }

  std::optional<Commits> commits() const override {
    if (!writer_) return std::nullopt;
    return Commits{writer_->traffic().commits.load(std::memory_order_acquire)};
  }
  WriterLoad writer_load() const override { return writer_ ? writer_->load() : WriterLoad(); }

  Result<void> write(const WriteFunction& function) override {
    if (!writer_) return internal("this database is open for reading only");
    return writer_->write(function);
  }

 private:
  std::string path_;
  DatabaseOptions options_;
  std::optional<TemporaryFolder> folder_;
  FileLock lock_;
  std::unique_ptr<SqliteWriter> writer_;  // last: ends before the lock is given back
};

// One name for one file, whatever links and dots lead to it, so that its lock is found.
Result<std::string> canonical(const std::string& path) {
  std::error_code failure;
  fs::path result = fs::weakly_canonical(fs::absolute(path, failure), failure);
  if (failure) return internal("cannot resolve the path of the database " + path + ": " + failure.message());
  return result.string();
}

}  // namespace

Result<std::unique_ptr<Database>> open_sqlite(const std::string& path, const DatabaseOptions& options) {
  std::optional<TemporaryFolder> folder;
  std::string file;
  if (path == ":memory:") {
    if (options.read_only) return internal("a memory database cannot be opened for reading only");
    CALLISTO_TRY(TemporaryFolder made, TemporaryFolder::make("callisto"));
    file = made.path() + "/memory.db";
    folder.emplace(std::move(made));
  } else {
    CALLISTO_TRY(file, canonical(path));
  }
  auto database = std::make_unique<SqliteDatabase>(std::move(file), options);
  if (options.read_only) {
    CALLISTO_CHECK(database->connect_reader());  // tells at once whether it can be read
  } else {
    CALLISTO_CHECK(database->start_writer(std::move(folder)));
  }
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace callisto::storage
