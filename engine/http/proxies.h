// What trusted proxies say of the client that they stand in for. Pure; any thread.
#pragma once

#include "engine/base/address_list.h"
#include "engine/http/message.h"

namespace callisto::http {

// Where the peer is one of `trusted`: remote_address becomes the last address of X-Forwarded-For, counted from the
// right, that is none of them, and `secure` what X-Forwarded-Proto says. From anybody else both headers mean nothing.
// The same request once.
void hear_proxies(Request& request, const AddressList& trusted);

}  // namespace callisto::http
