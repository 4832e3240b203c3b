// Finds the sockets that CivetWeb opened, which it does not offer itself: among the process's descriptors, by the local
// port they are bound to.
#pragma once

#include <string>
#include <vector>

namespace callisto::http {

// The kernel then keeps a connection to itself until its first byte: clients that connect and stay silent take no
// thread.
void defer_accept(int port);

struct Connection {
  int descriptor;
  std::string peer;  // "address:port" of the client
};

// The connections that clients have to `port` at this moment.
std::vector<Connection> connections_of(int port);

// Whether something has come that was not read yet.
bool has_unread(const Connection& connection);

// Ends reading from it; false where its descriptor was closed meanwhile, and may be that of something else by now.
bool end_reading(const Connection& connection);

// Ends listening on `port` and all reading from connections to it: whoever waits there for a next request sees its end.
// What is being written still goes out.
void end_reading(int port);

}  // namespace callisto::http
