// What trusted proxies say of the client that they stand in for. Pure; any thread.
#pragma once

#include "engine/base/address_list.h"
#include "engine/http/message.h"

namespace callisto::http {

// The address of a client that a trusted proxy speaks for without telling an address: all of them are one, for limits,
// and none is this machine.
inline constexpr std::string_view kNobody = "0.0.0.0";

// Somebody stands between who is not among the trusted, so that the peer's address says nothing of the client. After
// hear_proxies().
bool came_by_unnamed_proxy(const Request& request);

// Where the peer is one of `trusted`: remote_address becomes the last address of X-Forwarded-For, counted from the
// right, that is none of them, and `secure` what X-Forwarded-Proto says. From anybody else both headers mean nothing.
// The same request once.
void hear_proxies(Request& request, const AddressList& trusted);

}  // namespace callisto::http
