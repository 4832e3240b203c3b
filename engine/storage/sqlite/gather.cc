#include "engine/storage/sqlite/gather.h"

#include <sqlite3.h>

#include <cstddef>
#include <mutex>
#include <new>
#include <string>

namespace callisto::storage {
namespace {

constexpr std::size_t most_gathered = 120 * 1024;  // bytes: SQLite writes less than 128 KiB at once
constexpr char name[] = "gathering";

// SQLite's object of the log; the real one's stands behind it in the same memory.
struct LogFile {
  sqlite3_file base{};
  std::string gathered = {};
  sqlite3_int64 begin = 0;  // of what is gathered

  static LogFile& of(sqlite3_file* file) { return *reinterpret_cast<LogFile*>(file); }
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }

  int write_gathered() {
    if (gathered.empty()) return SQLITE_OK;
    const int code = real()->pMethods->xWrite(real(), gathered.data(), static_cast<int>(gathered.size()), begin);
    gathered.clear();  // after an error too: SQLite rolls back, and writes these frames again or others
    return code;
  }
};

// What is gathered goes first; then the same of the real file.
template <auto method, typename... Arguments>
int after_writing(sqlite3_file* file, Arguments... arguments) {
  LogFile& self = LogFile::of(file);
  if (const int code = self.write_gathered(); code != SQLITE_OK) return code;
  return (self.real()->pMethods->*method)(self.real(), arguments...);
}

template <auto method, typename... Arguments>
int directly(sqlite3_file* file, Arguments... arguments) {
  sqlite3_file* const real = LogFile::of(file).real();
  return (real->pMethods->*method)(real, arguments...);
}

int gather(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  LogFile& self = LogFile::of(file);
  const auto count = static_cast<std::size_t>(size);
  const bool follows = offset == self.begin + static_cast<sqlite3_int64>(self.gathered.size());
  if (!self.gathered.empty() && (!follows || self.gathered.size() + count > most_gathered))
    if (const int code = self.write_gathered(); code != SQLITE_OK) return code;
  if (self.gathered.empty()) self.begin = offset;
  try {
    self.gathered.append(static_cast<const char*>(bytes), count);
  } catch (const std::bad_alloc&) { return SQLITE_IOERR_NOMEM; }
  return SQLITE_OK;
}

int close(sqlite3_file* file) {
  LogFile& self = LogFile::of(file);
  const int written = self.write_gathered();
  const int code = self.real()->pMethods->xClose(self.real());
  self.~LogFile();
  return written == SQLITE_OK ? code : written;
}

const sqlite3_io_methods& log_methods() {
  using Methods = sqlite3_io_methods;
  static const Methods all = [] {
    Methods table{};
    table.iVersion = 1;  // a log has neither shared memory nor memory maps
    table.xClose = close;
    table.xRead = after_writing<&Methods::xRead>;
    table.xWrite = gather;
    table.xTruncate = after_writing<&Methods::xTruncate>;
    table.xSync = after_writing<&Methods::xSync>;
    table.xFileSize = after_writing<&Methods::xFileSize>;
    table.xLock = directly<&Methods::xLock>;
    table.xUnlock = directly<&Methods::xUnlock>;
    table.xCheckReservedLock = directly<&Methods::xCheckReservedLock>;
    table.xFileControl = directly<&Methods::xFileControl>;
    table.xSectorSize = directly<&Methods::xSectorSize>;
    table.xDeviceCharacteristics = directly<&Methods::xDeviceCharacteristics>;
    return table;
  }();
  return all;
}

sqlite3_vfs* real_of(sqlite3_vfs* vfs) { return static_cast<sqlite3_vfs*>(vfs->pAppData); }

int open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_vfs* const real = real_of(vfs);
  if ((flags & SQLITE_OPEN_WAL) == 0) return real->xOpen(real, path, file, flags, out_flags);
  auto* const self = new (file) LogFile();
  const int code = real->xOpen(real, path, self->real(), flags, out_flags);
  if (code == SQLITE_OK) self->base.pMethods = &log_methods();
  else self->~LogFile();
  return code;
}

}  // namespace

const char* gathering_file_system() {
  static std::mutex mutex;
  static sqlite3_vfs vfs;
  const std::lock_guard lock(mutex);
  sqlite3_vfs* const real = sqlite3_vfs_find(nullptr);
  if (vfs.pAppData == real) return name;
  sqlite3_vfs_unregister(&vfs);  // another default than before: SQLite's list goes through this object
  vfs = *real;
  vfs.szOsFile += static_cast<int>(sizeof(LogFile));
  vfs.pNext = nullptr;
  vfs.zName = name;
  vfs.pAppData = real;
  vfs.xOpen = open;
  vfs.xDelete = [](sqlite3_vfs* self, const char* path, int flush) {
    return real_of(self)->xDelete(real_of(self), path, flush);
  };
  vfs.xAccess = [](sqlite3_vfs* self, const char* path, int flags, int* answer) {
    return real_of(self)->xAccess(real_of(self), path, flags, answer);
  };
  vfs.xFullPathname = [](sqlite3_vfs* self, const char* path, int size, char* full) {
    return real_of(self)->xFullPathname(real_of(self), path, size, full);
  };
  sqlite3_vfs_register(&vfs, 0);
  return name;
}

}  // namespace callisto::storage
