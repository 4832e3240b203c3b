// A disk for SQLite that is as unkind as real ones may be: what was not flushed can be lost at a power cut, in any
// order and torn inside a sector, and any call can fail. While it lives it is SQLite's default file system. Connections
// work on real files (so that locks and shared memory are the real ones); beside them it keeps, of each file, what a
// disk would hold for sure and what was written since the last flush. One at a time; any thread calls, but connections
// are opened and closed by one.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace callisto::test {

enum class DiskFault {
  None,
  Io,          // EIO of whatever is called
  ShortWrite,  // half of it is written, then EIO
  Flush,       // EIO of a flush: what it should have flushed may be lost, and no later flush brings it back
  Lie,         // none: a flush is said to be done and is not
  Full,        // ENOSPC of writes, half of the first being written
};

class SimulatedDisk {
 public:
  explicit SimulatedDisk(std::uint64_t seed);
  ~SimulatedDisk();  // after all connections
  SimulatedDisk(const SimulatedDisk&) = delete;
  SimulatedDisk& operator=(const SimulatedDisk&) = delete;

  // Of the calls from now on that the fault can meet, those from `first` (the first of all is 0) on fail, `count` of
  // them.
  void fail(DiskFault fault, std::uint64_t first, std::uint64_t count);
  std::uint64_t failed() const;          // calls, since then
  std::uint64_t failed_flushes() const;  // of them
  // The power goes in the middle of the `call`-th call from now on; none works after it.
  void cut_at(std::uint64_t call);
  void cut_now();
  bool is_cut() const;
  // The power comes back: the files are what the disk kept, the -shm is gone. No connection may be open.
  void power_on();
  std::uint64_t calls() const;  // in all: reads, writes, flushes, truncations, openings and removals

 private:
  struct Change {
    std::int64_t offset = 0;
    std::string bytes;
    bool truncates = false;  // to `offset`
  };
  struct Inode {
    std::string flushed;
    std::vector<Change> pending;
  };
  using InodePointer = std::shared_ptr<Inode>;
  struct File;
  enum class Call { Read, Write, Flush, Truncate, Open, Remove };

  static SimulatedDisk& of(sqlite3_vfs* vfs) { return *static_cast<SimulatedDisk*>(vfs->pAppData); }
  static int open(sqlite3_vfs*, const char* name, sqlite3_file*, int flags, int* out_flags);
  static int remove(sqlite3_vfs*, const char* name, int flush_folder);
  static int close(sqlite3_file*);
  static int read(sqlite3_file*, void* bytes, int size, sqlite3_int64 offset);
  static int write(sqlite3_file*, const void* bytes, int size, sqlite3_int64 offset);
  static int truncate(sqlite3_file*, sqlite3_int64 size);
  static int flush(sqlite3_file*, int flags);
  static const sqlite3_io_methods& methods();

  InodePointer inode_of(const std::string& name);
  int before(Call call);  // what it must answer instead of being done; under the mutex
  bool fault_meets(Call call) const;
  void apply(std::string& content, const Change& change, std::size_t sector, double keeps);
  void write_fragment(std::string& content, const Change& change, std::size_t from, std::size_t to, bool surely);
  std::string kept_of(const Inode& inode);
  bool coin(double probability) { return std::bernoulli_distribution(probability)(random_); }

  sqlite3_vfs* real_;
  sqlite3_vfs vfs_;
  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  std::map<std::string, InodePointer> names_, flushed_names_;  // the folder as it is, and as the disk has it
  std::uint64_t calls_ = 0;
  std::uint64_t calls_until_cut_ = UINT64_MAX;
  bool cut_ = false;
  DiskFault fault_ = DiskFault::None;
  std::uint64_t met_ = 0, first_ = 0, count_ = 0, failed_ = 0, failed_flushes_ = 0;
};

}  // namespace callisto::test
