#include "engine/storage/sqlite/log.h"

#include "engine/storage/sqlite/connection.h"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

namespace callisto::storage {
namespace {

constexpr sqlite3_int64 bytes_at_once = 1 << 16;  // SQLite writes less than 128 KiB at once

// By way of SQLite's file system, which spells a file's name in a way of its own.
class LogFile {
 public:
  explicit LogFile(const std::string& path)
      : name_(sqlite3_create_filename(path.c_str(), "", (path + "-wal").c_str(), 0, nullptr)),
        vfs_(sqlite3_vfs_find(nullptr)),
        memory_(new std::uint64_t[static_cast<std::size_t>(vfs_->szOsFile) / sizeof(std::uint64_t) + 1]()),
        file_(reinterpret_cast<sqlite3_file*>(memory_.get())) {}
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() {
    if (file_->pMethods) file_->pMethods->xClose(file_);
    sqlite3_free_filename(name_);
  }

  int write_again() {
    int code = vfs_->xOpen(vfs_, sqlite3_filename_wal(name_), file_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL, nullptr);
    if (code != SQLITE_OK) return code;
    sqlite3_int64 size = 0;
    code = file_->pMethods->xFileSize(file_, &size);
    std::string bytes;
    for (sqlite3_int64 at = 0; code == SQLITE_OK && at < size; at += bytes_at_once) {
      const auto count = static_cast<int>(std::min(bytes_at_once, size - at));
      bytes.resize(static_cast<std::size_t>(count));
      code = file_->pMethods->xRead(file_, bytes.data(), count, at);
      if (code == SQLITE_OK) code = file_->pMethods->xWrite(file_, bytes.data(), count, at);
    }
    return code == SQLITE_OK ? file_->pMethods->xSync(file_, SQLITE_SYNC_NORMAL) : code;
  }

 private:
  sqlite3_filename name_;
  sqlite3_vfs* vfs_;
  std::unique_ptr<std::uint64_t[]> memory_;
  sqlite3_file* file_;
};

}  // namespace

bool has_log(const std::string& path) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path + "-wal", failure);
  return !failure && size > 0;
}

Result<void> write_log_again(const std::string& path) {
  configure_sqlite();
  if (const int code = LogFile(path).write_again(); code != SQLITE_OK)
    return internal("the log of the database, " + path + "-wal, cannot be written: " + sqlite3_errstr(code) +
                    ". Check the disk and its free space, then start again; do not remove the log.");
  return {};
}

}  // namespace callisto::storage
