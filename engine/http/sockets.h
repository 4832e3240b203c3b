// What CivetWeb does not offer: reaching the sockets that it opened. They are found among the process's descriptors by
// the local port they are bound to.
#pragma once

namespace callisto::http {

// The kernel then keeps a connection to itself until its first byte: clients that connect and stay silent take no
// thread.
void defer_accept(int port);

// Ends listening on `port` and all reading from connections to it: whoever waits there for a next request sees its end.
// What is being written still goes out.
void end_reading(int port);

}  // namespace callisto::http
