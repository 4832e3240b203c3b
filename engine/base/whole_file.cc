#include "engine/base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace callisto {

namespace {

Error failure(const std::string& path) { return bad_format(path + " cannot be written: " + std::strerror(errno)); }

// File systems that know no such rename (NFS) know hard links.
bool rename_to_new(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  return link(from.c_str(), to.c_str()) == 0 && unlink(from.c_str()) == 0;
}

// The name itself outlives a power cut, where the file system lets a folder be flushed.
void flush_folder_of(const std::string& path) {
  std::error_code ignored;
  const auto folder = std::filesystem::absolute(path, ignored).parent_path();
  const int above = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (above < 0) return;
  fsync(above);
  close(above);
}

}  // namespace

Result<WholeFile> WholeFile::make(std::string path, unsigned mode) {
  std::string partial = path + ".partial-" + std::to_string(getpid());
  unlink(partial.c_str());  // of a process that had this number and was killed, as in a container
  const int file = open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode));
  if (file < 0) return failure(partial);
  return WholeFile(fdopen(file, "wb"), std::move(path), std::move(partial));
}

WholeFile::~WholeFile() {
  if (file_) unlink(partial_.c_str());
}

Result<void> WholeFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
  return failure(path_);
}

Result<void> WholeFile::keep_as_new() {
  const bool done = is_on_disk() && rename_to_new(partial_, path_);
  if (!done && errno == EEXIST) return bad_format(path_ + " exists: name a new file");
  return named(done);
}

Result<void> WholeFile::replace() { return named(is_on_disk() && rename(partial_.c_str(), path_.c_str()) == 0); }

bool WholeFile::is_on_disk() {
  return std::fflush(file_.get()) == 0 && std::ferror(file_.get()) == 0 && fsync(fileno(file_.get())) == 0;
}

Result<void> WholeFile::named(bool done) {
  if (!done) return failure(path_);
  file_.reset();
  flush_folder_of(path_);
  return {};
}

bool is_taken(const std::string& path) {
  std::error_code failed;
  return std::filesystem::exists(std::filesystem::symlink_status(path, failed));
}

}  // namespace callisto
