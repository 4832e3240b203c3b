// What trusted proxies say about the client behind them. Pure; any thread.
#pragma once

#include "engine/base/address_list.h"
#include "engine/http/message.h"

namespace callisto::http {

// The address of a client for whom a proxy speaks that is not among the trusted, or that tells no address: all of them
// are one, for limits, and none is this machine.
inline constexpr std::string_view nobody = "0.0.0.0";

// Whether it is one of these. After hear_proxies().
bool is_nobody(const Request& request);

// Where the peer is one of `trusted`: remote_address becomes the last address of X-Forwarded-For, counted from the
// right, that is none of them, and `secure` what X-Forwarded-Proto says. From anybody else X-Forwarded-For, Forwarded
// and Via say that it is nobody, and no more. The same request once.
void hear_proxies(Request& request, const AddressList& trusted);

}  // namespace callisto::http
