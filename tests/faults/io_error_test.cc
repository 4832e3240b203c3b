// Each call of the disk fails once, in turn (one in four of them in the short run), in one scenario that has openings,
// commits and a checkpoint: no write is acknowledged after a flush that failed, nothing acknowledged is lost, reading
// goes on, and where the disk recovers, so does writing.
#include "tests/faults/knobs.h"
#include "tests/faults/ledger.h"
#include "tests/faults/simulated_disk.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>

namespace {

using namespace callisto;
using namespace callisto::test;

namespace fs = std::filesystem;

struct Kind {
  const char* name;
  DiskFault fault;
  std::uint64_t calls;    // that fail, one after the other
  std::uintmax_t frames;  // in the log at the start: at a thousand the writer makes a checkpoint. Each is read first
};

constexpr std::uintmax_t frame_bytes = 4096 + 24;

constexpr Kind kinds[] = {
    {"EIO", DiskFault::Io, 1, 30},
    {"EIO for a while", DiskFault::Io, 20, 30},
    {"a short write", DiskFault::ShortWrite, 1, 30},
    {"a flush that fails", DiskFault::Flush, 1, 960},
    {"no room for one write", DiskFault::Full, 1, 30},
    {"no room for a while", DiskFault::Full, 50, 30},
};

// A database that was cut off when its log had so many frames.
class Prepared {
 public:
  explicit Prepared(std::uintmax_t frames) : ledger_(folder_ / "desk.db") {
    SimulatedDisk disk(1);
    REQUIRE(ledger_.open());
    while (fs::file_size(folder_ / "desk.db-wal") < frames * frame_bytes) {
      const auto next = static_cast<std::int64_t>(ledger_.acknowledged() % Ledger::item_count) + 1;
      REQUIRE(ledger_.write({next}) == 1);
    }
    disk.cut_now();
    ledger_.close();
  }
  Ledger copy_to(const std::string& path) const {
    for (const char* end : {"", "-wal"})
      fs::copy_file(folder_ / (std::string("desk.db") + end), path + end, fs::copy_options::overwrite_existing);
    fs::remove(path + "-shm");
    return {path, ledger_};
  }

 private:
  TemporaryFolder folder_;
  Ledger ledger_;
};

void check_errors(const std::vector<Error>& errors) {
  for (const Error& error : errors) {
    CHECK((error.status == 500 || error.status == 503));
    CHECK_FALSE(error.log_detail.empty());
  }
}

// Openings that the fault meets end with a reason; the next may work.
void open_at_last(Ledger& ledger) {
  for (int attempt = 0;; ++attempt) {
    const auto opened = ledger.open();
    if (opened) return;
    CHECK_FALSE(opened.error().log_detail.empty());
    REQUIRE(attempt < 60);
    ledger.close();
  }
}

// Opens and writes with the fault, some writes in groups. After a flush that failed none may be acknowledged by the
// same opening: whether one did.
bool open_and_write(Ledger& ledger, const SimulatedDisk& disk) {
  open_at_last(ledger);
  const std::uint64_t before = disk.failed_flushes();
  for (std::int64_t i = 0; i < 8; ++i) {
    const bool stopped = disk.failed_flushes() > before;
    std::vector<std::int64_t> group{i % Ledger::item_count + 1};
    if (i % 6 == 1) group.insert(group.end(), {23, 24});
    std::vector<Error> errors;
    const std::size_t done = ledger.write(group, &errors);
    CHECK(done + errors.size() == group.size());
    if (stopped) CHECK(done == 0);
    check_errors(errors);
  }
  return disk.failed_flushes() > before;
}

// The scenario with the fault from its `first`-th call on; false: it has no such call.
bool run(const Prepared& prepared, const std::string& path, const Kind& kind, std::uint64_t first) {
  SimulatedDisk disk(first + 1);
  Ledger ledger = prepared.copy_to(path);
  disk.fail(kind.fault, first, kind.calls);
  open_and_write(ledger, disk);
  ledger.close();  // with the checkpoint of the last one who closes
  const bool stopped = open_and_write(ledger, disk);
  const bool met = disk.failed() > 0;
  disk.fail(DiskFault::None, 0, 0);
  CHECK(ledger.audit() == std::vector<std::string>());
  CHECK(ledger.write({1, 2, 3}) == (stopped ? 0 : 3));  // the disk is well again
  disk.cut_now();
  ledger.close();
  disk.power_on();
  const auto opened = ledger.open();
  REQUIRE(opened);
  CHECK(ledger.audit() == std::vector<std::string>());
  CHECK(ledger.write({1}) == 1);
  return met;
}

TEST_CASE("whichever call of the disk fails, nothing acknowledged is lost and writing stops or goes on as it should") {
  const TemporaryFolder folder;
  // The short run takes one call in four, others each time.
  const std::uint64_t stride = fault_factor() > 1 ? 1 : 4;
  std::uint64_t runs = 0;
  for (const Kind& kind : kinds) {
    const Prepared prepared(kind.frames);
    std::uint64_t call = fault_seed() % stride;
    for (bool met = true; met; call += stride, ++runs) {
      INFO(kind.name << " at call " << call << "; repeat it with CALLISTO_SEED=" << fault_seed());
      met = run(prepared, folder / "desk.db", kind, call);
    }
    CHECK(call > 10);
    say_progress("I/O errors: %s, up to call %llu", kind.name, static_cast<unsigned long long>(call - stride));
  }
  say_progress("I/O errors: %llu runs", static_cast<unsigned long long>(runs));
}

}  // namespace
