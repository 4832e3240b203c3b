// How this machine reaches a server of its own, whatever it listens on.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/base/result.h"
#include "engine/http/listen_address.h"

#include <string>
#include <vector>

namespace callisto::app {

struct OwnDoor {
  std::string url;     // without a path
  std::string socket;  // the unix socket through which `url` is asked; empty: none
};

// Of a server that listens so, with the ports that it has.
OwnDoor own_door(const std::vector<http::ListenAddress>& addresses, bool tls);

// DATA/listening: where the server of a data folder really listens, one address a line, as long as it does: port 0 and
// the sockets of a service manager stand in no setting.
class ListeningFile {
 public:
  ListeningFile(const std::string& data, const std::vector<http::ListenAddress>& addresses);  // warns where it cannot
  ~ListeningFile();
  ListeningFile(const ListeningFile&) = delete;
  ListeningFile& operator=(const ListeningFile&) = delete;

 private:
  const std::string path_;
};

// What stands there while a server has the data folder; else what the setting listen says. An error, where neither
// tells a port.
Result<std::vector<http::ListenAddress>> where_it_listens(const Settings& settings);

}  // namespace callisto::app
