#include "engine/base/file_watcher.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace callisto {

namespace {

namespace fs = std::filesystem;

constexpr int quiet_ms = 30;  // an editor writes, renames and touches in one go
constexpr std::uint32_t changes =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_DELETE_SELF | IN_ONLYDIR;

// Whether `descriptor` can be read before `stop` can; nothing within `patience` is false too.
bool is_readable(int descriptor, int stop, int patience) {
  pollfd waiting[] = {{descriptor, POLLIN, 0}, {stop, POLLIN, 0}};
  while (poll(waiting, 2, patience) < 0 && errno == EINTR) {}
  return waiting[1].revents == 0 && waiting[0].revents != 0;
}

}  // namespace

Result<std::unique_ptr<FileWatcher>> FileWatcher::over(const std::vector<std::string>& paths) {
  const int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0) return internal(std::string("files cannot be watched: ") + std::strerror(errno));
  std::unique_ptr<FileWatcher> watch(new FileWatcher(descriptor));
  std::error_code failed;
  for (const std::string& path : paths) {
    if (fs::is_directory(path, failed)) watch->add(path, true);
    else watch->add(fs::absolute(path, failed).parent_path().string(), false);
  }
  if (watch->folders_.empty()) return internal(std::string("files cannot be watched: ") + std::strerror(errno));
  return watch;
}

FileWatcher::~FileWatcher() { close(descriptor_); }

void FileWatcher::add(const std::string& path, bool with_folders) {
  if (const int number = inotify_add_watch(descriptor_, path.c_str(), changes); number >= 0) folders_[number] = path;
  std::error_code failed;
  if (!with_folders) return;
  for (auto walk = fs::recursive_directory_iterator(path, failed); walk != fs::recursive_directory_iterator();
       walk.increment(failed))
    if (walk->is_directory(failed)) add(walk->path().string(), false);
}

// What is waiting to be read; the paths that matter, each once.
void FileWatcher::read_changes(std::vector<std::string>& paths) {
  alignas(inotify_event) char buffer[16 * 1024];
  for (ssize_t size; (size = read(descriptor_, buffer, sizeof buffer)) > 0;) {
    for (const char* at = buffer; at < buffer + size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof(inotify_event) + event->len;
      const std::string name = event->len > 0 ? event->name : "";
      const std::string path = folders_[event->wd] + (name.empty() ? "" : "/" + name);
      const bool is_folder = (event->mask & (IN_ISDIR | IN_DELETE_SELF | IN_Q_OVERFLOW)) != 0;
      if (is_folder && (event->mask & (IN_CREATE | IN_MOVED_TO)) != 0) add(path, true);
      const bool is_known = std::find(paths.begin(), paths.end(), path) != paths.end();
      if (!is_known && (is_folder || name.ends_with(".lua"))) paths.push_back(path);
    }
  }
}

std::string FileWatcher::wait(int stop) {
  std::vector<std::string> paths;
  while (paths.empty()) {
    if (!is_readable(descriptor_, stop, -1)) return {};
    read_changes(paths);
  }
  while (is_readable(descriptor_, stop, quiet_ms)) read_changes(paths);
  return paths.front() + (paths.size() > 1 ? " and " + std::to_string(paths.size() - 1) + " more" : "");
}

}  // namespace callisto
