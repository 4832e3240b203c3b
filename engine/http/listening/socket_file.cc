// Unix sockets: their files, and what stands in a file's place.
#include "engine/base/text.h"
#include "engine/http/listening/listener.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace callisto::http {

namespace {

constexpr std::size_t longest_path = sizeof(sockaddr_un::sun_path) - 1;

Error cannot_listen(const ListenAddress& address, const std::string& why) {
  return bad_format("Cannot listen on " + to_string(address) + ": " + why);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, longest_path);
  return address;
}

int make_socket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

// 0, or why not.
int reach(const std::string& path, int (*how)(int, const sockaddr*, socklen_t), int descriptor) {
  const sockaddr_un address = address_of(path);
  return how(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
}

// Held while a socket takes its place, so that of two servers that start neither takes that of the other for stale.
class Folder {
 public:
  explicit Folder(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~Folder() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  const int descriptor_;  // -1: it may not be read, and cannot be held
};

// Removes what an ended server left; an error where that is something else.
Result<void> remove_stale(const ListenAddress& address) {
  struct stat found {};
  if (lstat(address.path.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode))
    return cannot_listen(address, "a file that is no socket stands there. Move it away, or choose another path.");
  const int probe = make_socket();
  const int reason = reach(address.path, connect, probe);
  close(probe);
  if (reason == 0 || reason == EAGAIN)
    return cannot_listen(address, "another server listens there. Stop it, or choose another path.");
  if (reason != ECONNREFUSED)
    return cannot_listen(address, "a socket stands there that cannot be asked whether a server listens on it (" +
                                      std::string(std::strerror(reason)) + "). Remove it if none does.");
  unlink(address.path.c_str());
  return {};
}

std::string mend_of(const ListenAddress& address, int reason) {
  const std::string folder = text::quoted(folder_of(address.path));
  switch (reason) {
    case ENOENT:
      return "there is no folder " + folder +
             ". Make it; for a systemd service, RuntimeDirectory= makes one below /run.";
    case ENOTDIR:
      return folder + " is no folder.";
    case EACCES:
    case EPERM:
    case EROFS:
      return "this user may make no files in " + folder +
             ". Give it a folder of its own; for a systemd service, RuntimeDirectory= makes one below /run.";
    default:
      return std::string(std::strerror(reason)) + ".";
  }
}

// The user's own where no name is given; a name may be a number.
template <typename Entry, typename Number>
bool find_number(const std::string& name, Entry* (*by_name)(const char*), Number Entry::*number, Number& found) {
  if (name.empty()) return true;
  if (const Entry* entry = by_name(name.c_str())) {
    found = entry->*number;
    return true;
  }
  if (name.find_first_not_of("0123456789") != name.npos || name.size() > 9) return false;
  found = static_cast<Number>(std::stoul(name));
  return true;
}

Result<void> give_rights(const ListenAddress& address, const SocketRights& rights) {
  uid_t user = static_cast<uid_t>(-1);
  gid_t group = static_cast<gid_t>(-1);
  if (!find_number(rights.user, getpwnam, &passwd::pw_uid, user))
    return cannot_listen(address, "there is no user " + text::quoted(rights.user) + ", whom socket.owner names.");
  if (!find_number(rights.group, getgrnam, &group::gr_gid, group))
    return cannot_listen(address, "there is no group " + text::quoted(rights.group) + ", which socket.owner names.");
  const bool gives_away = !rights.user.empty() || !rights.group.empty();
  if (gives_away && chown(address.path.c_str(), user, group) != 0)
    return cannot_listen(address,
                         "this user may not give it to the owner that socket.owner names. Name a group that "
                         "this user is a member of, such as :www-data; only root gives it to another user.");
  if (chmod(address.path.c_str(), rights.mode) != 0)
    return cannot_listen(address, "its mode cannot be set: " + std::string(std::strerror(errno)) + ".");
  return {};
}

}  // namespace

SocketFile::SocketFile(std::string path) : path_(std::move(path)) {
  struct stat found {};
  if (lstat(path_.c_str(), &found) != 0) return;
  device_ = found.st_dev;
  number_ = found.st_ino;
}

SocketFile::SocketFile(SocketFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), device_(other.device_), number_(other.number_) {}

SocketFile& SocketFile::operator=(SocketFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(device_, other.device_);
  std::swap(number_, other.number_);
  return *this;
}

SocketFile::~SocketFile() {
  struct stat found {};
  if (path_.empty() || lstat(path_.c_str(), &found) != 0) return;
  if (found.st_dev == device_ && found.st_ino == number_) unlink(path_.c_str());
}

Result<Listener> listen_on_path(const ListenAddress& address, const SocketRights& rights) {
  if (address.path.size() > longest_path)
    return cannot_listen(address, "the path has " + std::to_string(address.path.size()) +
                                      " bytes, and a socket's may have " + std::to_string(longest_path) +
                                      " at most. Choose a shorter one.");
  const Folder held(folder_of(address.path));
  CALLISTO_CHECK(remove_stale(address));
  const int descriptor = make_socket();
  if (descriptor < 0) return cannot_listen(address, std::string(std::strerror(errno)) + ".");
  Listener made(descriptor, address);
  if (const int reason = reach(address.path, bind, descriptor); reason != 0)
    return cannot_listen(address, mend_of(address, reason));
  made.own(SocketFile(address.path));
  CALLISTO_CHECK(give_rights(address, rights));  // before anybody can connect
  if (listen(descriptor, listen_backlog) != 0) return cannot_listen(address, std::string(std::strerror(errno)) + ".");
  return made;
}

}  // namespace callisto::http
