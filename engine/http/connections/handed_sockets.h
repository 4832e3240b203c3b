// Gives CivetWeb sockets that it could not make itself. Debian's knows IPv4 alone, and nothing of sockets that somebody
// else has made. So the program replaces four functions of the C library: what CivetWeb binds while a HandedSockets
// begins becomes the next of its listeners, and has a name of IPv4; what it accepts from one of them is told; its wait
// for connections ends with stop(). CivetWeb itself sees, as the client's address, 0.0.0.0 and up: the number of the
// connection's descriptor (engine/decisions/0064).
#pragma once

#include "engine/http/listening/listener.h"

#include <poll.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::http {

class HandedSockets {
 public:
  // On the thread that accepts.
  using Accepted = std::function<void(int descriptor, std::string client)>;

  HandedSockets(std::vector<Listener> listeners, Accepted accepted);
  ~HandedSockets();  // stops
  HandedSockets(const HandedSockets&) = delete;
  HandedSockets& operator=(const HandedSockets&) = delete;

  // Between these two, on this thread, CivetWeb binds.
  void begin();
  void end();
  void forget();     // CivetWeb did not start, and has closed its own
  void wait_here();  // on the thread that accepts, before it waits
  // Nobody connects any more, the files of unix sockets are gone, and who waits for connections is woken. CivetWeb's
  // descriptors stay its own. Idempotent.
  void stop();

  std::vector<ListenAddress> addresses() const;

  // The C library's functions in CivetWeb's hands.
  static HandedSockets* beginning();  // on this thread; null: none
  static HandedSockets* waiting();    // on this thread, likewise
  int bind_next(int descriptor);
  int accept(int descriptor);                                     // as accept(2)
  int wait(pollfd* asked, nfds_t count, int milliseconds) const;  // as poll(2); 0 at once after stop()

 private:
  std::vector<Listener> listeners_;
  std::vector<int> handed_;  // CivetWeb's descriptors of them
  const int stopped_;        // an eventfd
  const Accepted accepted_;
};

// The descriptor in an address of a client as CivetWeb shows it; -1: there is none.
int descriptor_in(std::string_view civet_address);

}  // namespace callisto::http
