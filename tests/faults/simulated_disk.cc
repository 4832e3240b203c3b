#include "tests/faults/simulated_disk.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>

namespace callisto::test {

// SQLite's object of an open file; the real one's stands behind it in the same memory.
struct SimulatedDisk::File {
  sqlite3_file base;
  SimulatedDisk* disk;
  InodePointer inode;
  bool flushes_folder;  // the first flush of a new journal or log flushes the folder too (SQLite's unixSync)
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
};

namespace {

std::string content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

SimulatedDisk::SimulatedDisk(std::uint64_t seed) : real_(sqlite3_vfs_find(nullptr)), vfs_(*real_), random_(seed) {
  vfs_.zName = "simulated";
  vfs_.pNext = nullptr;
  vfs_.pAppData = this;
  vfs_.szOsFile += static_cast<int>(sizeof(File));
  vfs_.xOpen = open;
  vfs_.xDelete = remove;
  if (sqlite3_vfs_register(&vfs_, 1) != SQLITE_OK) throw std::runtime_error("SQLite takes no further file system");
}

SimulatedDisk::~SimulatedDisk() {
  sqlite3_vfs_unregister(&vfs_);
  sqlite3_vfs_register(real_, 1);
}

void SimulatedDisk::fail(DiskFault fault, std::uint64_t first, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  fault_ = fault;
  first_ = first;
  count_ = count;
  met_ = failed_ = failed_flushes_ = 0;
}

std::uint64_t SimulatedDisk::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

std::uint64_t SimulatedDisk::failed_flushes() const {
  const std::lock_guard lock(mutex_);
  return failed_flushes_;
}

void SimulatedDisk::cut_at(std::uint64_t call) {
  const std::lock_guard lock(mutex_);
  calls_until_cut_ = call;
}

void SimulatedDisk::cut_now() {
  const std::lock_guard lock(mutex_);
  cut_ = true;
}

bool SimulatedDisk::is_cut() const {
  const std::lock_guard lock(mutex_);
  return cut_;
}

std::uint64_t SimulatedDisk::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

// A file that was there before this disk knew it is on the disk.
SimulatedDisk::InodePointer SimulatedDisk::inode_of(const std::string& name) {
  InodePointer& inode = names_[name];
  if (inode) return inode;
  inode = std::make_shared<Inode>();
  if (std::filesystem::exists(name)) {
    inode->flushed = content_of(name);
    flushed_names_[name] = inode;
  }
  return inode;
}

bool SimulatedDisk::fault_meets(Call call) const {
  switch (fault_) {
    case DiskFault::None:
      return false;
    case DiskFault::Io:
      return true;
    case DiskFault::Lie:
    case DiskFault::Flush:
      return call == Call::Flush;
    case DiskFault::ShortWrite:
    case DiskFault::Full:
      return call == Call::Write;
  }
  return false;
}

int SimulatedDisk::before(Call call) {
  constexpr int answers[] = {SQLITE_IOERR_READ,     SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC,
                             SQLITE_IOERR_TRUNCATE, SQLITE_CANTOPEN,    SQLITE_IOERR_DELETE};
  const int answer = answers[static_cast<int>(call)];
  if (cut_) return answer;
  ++calls_;
  if (calls_until_cut_ != UINT64_MAX && calls_until_cut_-- == 0) {
    calls_until_cut_ = UINT64_MAX;
    cut_ = true;
    return answer;
  }
  if (!fault_meets(call)) return SQLITE_OK;
  const std::uint64_t number = met_++;
  if (number < first_ || number - first_ >= count_) return SQLITE_OK;
  ++failed_;
  if (fault_ == DiskFault::Lie) return SQLITE_OK;
  if (call == Call::Flush) ++failed_flushes_;
  return fault_ == DiskFault::Full ? SQLITE_FULL : answer;
}

int SimulatedDisk::open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  SimulatedDisk& disk = of(vfs);
  auto* const self = new (file) File();
  const std::lock_guard lock(disk.mutex_);
  if (const int answer = disk.before(Call::Open); answer != SQLITE_OK) return answer;
  if (name) self->inode = disk.inode_of(name);  // before it is made
  const int code = disk.real_->xOpen(disk.real_, name, self->real(), flags, out_flags);
  if (code != SQLITE_OK) {
    if (name && !std::filesystem::exists(name)) disk.names_.erase(name);
    self->~File();
    return code;
  }
  self->disk = &disk;
  self->flushes_folder = (flags & SQLITE_OPEN_CREATE) && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL));
  self->base.pMethods = &methods();
  return SQLITE_OK;
}

int SimulatedDisk::remove(sqlite3_vfs* vfs, const char* name, int flush_folder) {
  SimulatedDisk& disk = of(vfs);
  const std::lock_guard lock(disk.mutex_);
  if (const int answer = disk.before(Call::Remove); answer != SQLITE_OK) return answer;
  const int code = disk.real_->xDelete(disk.real_, name, 0);
  disk.names_.erase(name);
  if (flush_folder) disk.flushed_names_ = disk.names_;
  return code;
}

int SimulatedDisk::close(sqlite3_file* file) {
  File& self = File::of(file);
  const int code = self.real()->pMethods->xClose(self.real());
  self.~File();
  return code;
}

int SimulatedDisk::read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  File& self = File::of(file);
  {
    const std::lock_guard lock(self.disk->mutex_);
    if (const int answer = self.disk->before(Call::Read); answer != SQLITE_OK) return answer;
  }
  return self.real()->pMethods->xRead(self.real(), bytes, size, offset);
}

// The write that a cut or a fault meets may have come as far as the disk, or half of it.
int SimulatedDisk::write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  File& self = File::of(file);
  SimulatedDisk& disk = *self.disk;
  const std::lock_guard lock(disk.mutex_);
  const bool was_cut = disk.cut_;
  const int answer = disk.before(Call::Write);
  if (was_cut) return answer;
  if (answer != SQLITE_OK && !disk.cut_) size /= 2;
  if (self.inode)
    self.inode->pending.push_back({offset, {static_cast<const char*>(bytes), static_cast<std::size_t>(size)}, false});
  const int code = self.real()->pMethods->xWrite(self.real(), bytes, size, offset);
  return answer != SQLITE_OK ? answer : code;
}

int SimulatedDisk::truncate(sqlite3_file* file, sqlite3_int64 size) {
  File& self = File::of(file);
  const std::lock_guard lock(self.disk->mutex_);
  if (const int answer = self.disk->before(Call::Truncate); answer != SQLITE_OK) return answer;
  if (self.inode) self.inode->pending.push_back({size, {}, true});
  return self.real()->pMethods->xTruncate(self.real(), size);
}

// Not handed on: what counts here is what this disk knows, and the real flush only takes time.
int SimulatedDisk::flush(sqlite3_file* file, int) {
  File& self = File::of(file);
  SimulatedDisk& disk = *self.disk;
  const std::lock_guard lock(disk.mutex_);
  const bool was_cut = disk.cut_;
  const int answer = disk.before(Call::Flush);
  if (!self.inode || was_cut || disk.cut_) return answer;  // a cut in a flush: power_on() tells what came through
  if (disk.fault_ == DiskFault::Lie) return SQLITE_OK;
  Inode& inode = *self.inode;
  if (answer != SQLITE_OK) {  // Linux forgets the pages that it could not write: a later flush succeeds without them
    inode.flushed = disk.kept_of(inode);
  } else {
    for (const Change& change : inode.pending) disk.apply(inode.flushed, change, SIZE_MAX, 1);
    if (self.flushes_folder) disk.flushed_names_ = disk.names_;
    self.flushes_folder = false;
  }
  inode.pending.clear();
  return answer;
}

void SimulatedDisk::write_fragment(std::string& content, const Change& change, std::size_t from, std::size_t to,
                                   bool surely) {
  const auto offset = static_cast<std::size_t>(change.offset);
  if (content.size() < offset + to) {
    const std::size_t old = content.size();
    content.resize(offset + to);
    // What no write reached is zeros on some file systems, and what lay there before on others.
    if (!surely && old < offset + from && coin(0.5))
      std::generate(content.begin() + static_cast<std::ptrdiff_t>(old), content.end(),
                    [this] { return static_cast<char>(random_()); });
  }
  std::copy(change.bytes.begin() + static_cast<std::ptrdiff_t>(from),
            change.bytes.begin() + static_cast<std::ptrdiff_t>(to),
            content.begin() + static_cast<std::ptrdiff_t>(offset + from));
}

// Each sector of the change for itself: kept, lost, or torn.
void SimulatedDisk::apply(std::string& content, const Change& change, std::size_t sector, double keeps) {
  if (change.truncates) {
    if (keeps >= 1 || coin(keeps)) content.resize(static_cast<std::size_t>(change.offset));
    return;
  }
  const std::size_t size = change.bytes.size();
  if (keeps >= 1) return write_fragment(content, change, 0, size, true);
  for (std::size_t at = 0; at < size;) {
    const std::size_t within = (static_cast<std::size_t>(change.offset) + at) % sector;
    const std::size_t end = std::min(size, at + sector - within);
    if (coin(keeps)) {
      const std::size_t middle = at + random_() % (end - at);
      if (coin(0.9)) write_fragment(content, change, at, end, false);
      else if (coin(0.5)) write_fragment(content, change, at, middle, false);
      else write_fragment(content, change, middle, end, false);
    }
    at = end;
  }
}

std::string SimulatedDisk::kept_of(const Inode& inode) {
  constexpr double chances[] = {0, 0.1, 0.5, 0.9, 1};
  const double keeps = chances[random_() % std::size(chances)];
  const std::size_t sector = coin(0.5) ? 512 : 4096;
  std::string content = inode.flushed;
  for (const Change& change : inode.pending) apply(content, change, sector, keeps);
  return content;
}

void SimulatedDisk::power_on() {
  const std::lock_guard lock(mutex_);
  std::map<std::string, InodePointer> found = flushed_names_;
  for (const auto& [name, inode] : names_)
    if (coin(0.5)) found[name] = inode;
  for (const auto& [name, inode] : flushed_names_)
    if (!names_.contains(name) && coin(0.5)) found.erase(name);
  for (const auto& [name, inode] : names_) std::filesystem::remove(name);
  for (const auto& [name, inode] : found) {
    const std::string content = kept_of(*inode);
    std::ofstream(name, std::ios::binary) << content;
    *inode = {content, {}};
    std::filesystem::remove(name + "-shm");
  }
  names_ = flushed_names_ = std::move(found);
  cut_ = false;
  calls_until_cut_ = UINT64_MAX;
}

const sqlite3_io_methods& SimulatedDisk::methods() {
  static const sqlite3_io_methods all = [] {
    sqlite3_io_methods table{};
    table.iVersion = 2;  // with shared memory, without memory maps
    table.xClose = close;
    table.xRead = read;
    table.xWrite = write;
    table.xTruncate = truncate;
    table.xSync = flush;
    table.xFileSize = [](sqlite3_file* file, sqlite3_int64* size) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xFileSize(real, size);
    };
    table.xLock = [](sqlite3_file* file, int level) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xLock(real, level);
    };
    table.xUnlock = [](sqlite3_file* file, int level) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xUnlock(real, level);
    };
    table.xCheckReservedLock = [](sqlite3_file* file, int* answer) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xCheckReservedLock(real, answer);
    };
    table.xFileControl = [](sqlite3_file* file, int operation, void* argument) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xFileControl(real, operation, argument);
    };
    table.xSectorSize = [](sqlite3_file* file) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xSectorSize(real);
    };
    table.xDeviceCharacteristics = [](sqlite3_file* file) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xDeviceCharacteristics(real);
    };
    table.xShmMap = [](sqlite3_file* file, int page, int size, int extends, void volatile** memory) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xShmMap(real, page, size, extends, memory);
    };
    table.xShmLock = [](sqlite3_file* file, int offset, int count, int flags) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xShmLock(real, offset, count, flags);
    };
    table.xShmBarrier = [](sqlite3_file* file) {
      sqlite3_file* const real = File::of(file).real();
      real->pMethods->xShmBarrier(real);
    };
    table.xShmUnmap = [](sqlite3_file* file, int removes) {
      sqlite3_file* const real = File::of(file).real();
      return real->pMethods->xShmUnmap(real, removes);
    };
    return table;
  }();
  return all;
}

}  // namespace callisto::test
