#include "engine/storage/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace callisto::storage {
namespace {

std::string holder(int descriptor) {
  char text[24];
  const auto size = pread(descriptor, text, sizeof text, 0);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "unknown";
}

}  // namespace

Result<FileLock> FileLock::take(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return internal("cannot open the lock file " + path + ": " + std::strerror(errno));
  FileLock lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return internal("cannot lock " + path + ": " + std::strerror(errno));
    return internal("another server is using this database: " + path + " is locked by process " + holder(descriptor));
  }
  const std::string id = std::to_string(getpid());
  // The number only helps the reader of the message above; the lock does not depend on it.
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, id.data(), id.size(), 0) < 0)
    return internal("cannot write the lock file " + path + ": " + std::strerror(errno));
  return lock;
}

// The file stays: removing it would let a third process lock a new one while a second still waits on the old.
FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace callisto::storage
