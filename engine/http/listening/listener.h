// A socket that listens. One thread.
#pragma once

#include "engine/base/result.h"
#include "engine/http/listen_address.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace callisto::http {

// The file of a unix socket: removed with this object, unless another socket stands there by then.
class SocketFile {
 public:
  explicit SocketFile(std::string path);
  SocketFile(SocketFile&& other) noexcept;
  SocketFile& operator=(SocketFile&& other) noexcept;
  ~SocketFile();

 private:
  std::string path_;  // empty: moved away
  dev_t device_ = 0;
  ino_t number_ = 0;
};

class Listener {
 public:
  Listener(int descriptor, ListenAddress address) : descriptor_(descriptor), address_(std::move(address)) {}
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&&) = delete;
  ~Listener();  // closes

  int descriptor() const { return descriptor_; }
  const ListenAddress& address() const { return address_; }  // with the port that it has
  void own(SocketFile file) { file_.emplace(std::move(file)); }

 private:
  int descriptor_;
  ListenAddress address_;
  std::optional<SocketFile> file_;
};

// All of `addresses`, or an error that says why one cannot be listened on, and the mend. A name has a socket for each
// of its addresses; [::] takes IPv4 too, unless 0.0.0.0 stands beside it with the same port.
Result<std::vector<Listener>> listen_on(const std::vector<ListenAddress>& addresses, const SocketRights& rights);

// Its part for a unix socket: takes the place of a socket that nobody listens on any more.
Result<Listener> listen_on_path(const ListenAddress& address, const SocketRights& rights);

constexpr int listen_backlog = 4096;

}  // namespace callisto::http
