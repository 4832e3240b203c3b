#include "engine/http/spill.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace callisto::http {

namespace {

int nameless_file(const std::string& folder) {
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  std::string path = folder + "/answer-XXXXXX";  // of file systems without such files
  const int named = mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) unlink(path.c_str());
  return named;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return lseek(file, 0, SEEK_SET) == 0;
}

}  // namespace

std::optional<Spill> Spill::of(std::string_view bytes, SpillArea& area) {
  MemoryBudget::Share room(area.room);
  if (area.folder.empty() || !room.grow_to(bytes.size())) return std::nullopt;
  const int file = nameless_file(area.folder);
  if (file < 0) return std::nullopt;
  Spill spill(file, std::move(room));
  return write_all(file, bytes) ? std::optional(std::move(spill)) : std::nullopt;
}

Spill::Spill(Spill&& other) noexcept : file_(std::exchange(other.file_, -1)), room_(std::move(other.room_)) {}

Spill::~Spill() {
  if (file_ >= 0) close(file_);
}

std::ptrdiff_t Spill::read(char* buffer, std::size_t size) {
  std::ptrdiff_t count = 0;
  do count = ::read(file_, buffer, size);
  while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace callisto::http
