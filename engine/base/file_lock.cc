#include "engine/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace callisto {
namespace {

class File {
 public:
  File(const std::string& path, int flags) : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

// Of the process that wrote it; 0: none.
pid_t written_id(int descriptor) {
  char text[24] = {};
  const auto size = pread(descriptor, text, sizeof text - 1, 0);
  return size > 0 ? static_cast<pid_t>(std::strtol(text, nullptr, 10)) : 0;
}

// EWOULDBLOCK only where somebody has it for long: who asks for the holder has it shared for a moment.
bool lock(int descriptor) {
  for (;;) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EINTR && (errno != EWOULDBLOCK || flock(descriptor, LOCK_SH | LOCK_NB) != 0)) return false;
  }
}

}  // namespace

Result<FileLock> FileLock::take(const std::string& path, std::string_view why_not) {
  File file(path, O_RDWR | O_CREAT);
  if (file.descriptor() < 0) return internal("cannot open the lock file " + path + ": " + std::strerror(errno));
  if (!lock(file.descriptor())) {
    if (errno != EWOULDBLOCK) return internal("cannot lock " + path + ": " + std::strerror(errno));
    const pid_t other = written_id(file.descriptor());
    return internal(std::string(why_not) + ": " + path + " is locked by process " +
                    (other > 0 ? std::to_string(other) : "unknown"));
  }
  FileLock taken(file.release());
  // The number only helps those who read it; the lock does not depend on it.
  const std::string id = std::to_string(getpid()) + "\n";
  if (ftruncate(taken.descriptor_, 0) != 0 || pwrite(taken.descriptor_, id.data(), id.size(), 0) < 0)
    return internal("cannot write the lock file " + path + ": " + std::strerror(errno));
  return taken;
}

Result<std::optional<pid_t>> FileLock::holder(const std::string& path) {
  const File file(path, O_RDONLY);
  if (file.descriptor() < 0 && errno != ENOENT)
    return internal("cannot read the lock file " + path + ": " + std::strerror(errno));
  if (file.descriptor() < 0 || flock(file.descriptor(), LOCK_SH | LOCK_NB) == 0) return std::optional<pid_t>();
  const pid_t id = written_id(file.descriptor());
  return id > 0 ? std::optional(id) : std::nullopt;
}

// Removing it would let a third process lock a new one while a second still waits on the old.
FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  [[maybe_unused]] const int emptied = ftruncate(descriptor_, 0);
  close(descriptor_);
}

}  // namespace callisto
