// Sockets that a service manager made and listens on before this process runs (systemd's socket activation,
// sd_listen_fds(3)): LISTEN_FDS descriptors from 3 on, meant for the process LISTEN_PID. Any thread.
#pragma once

#include "engine/http/listen_address.h"

namespace callisto::http {

// Empty: none was passed to this process. An error names the variable or the descriptor, with its name in
// LISTEN_FDNAMES. They stay open for the service manager, and are never inherited by other programs.
Result<std::vector<ListenAddress>> passed_sockets();

}  // namespace callisto::http
