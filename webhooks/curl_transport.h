// Transport over libcurl's multi interface: one thread drives all requests. Addresses are checked when a socket is
// opened, whatever name or redirect led there; connections are kept and reused, which is why one transport has one
// policy. A receiver's answer costs at most some 80 KiB of memory, however much it sends. Once the headers are there,
// the status decides even if the body is cut at 64 KiB: the receiver has said that it took the delivery, and sending it
// again would be a needless duplicate. TooLarge is for headers over 64 KiB. Nothing is thrown; errors contain no url.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "webhooks/address_policy.h"
#include "webhooks/transport.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace callisto::webhooks {

struct TransportOptions {
  AddressPolicy policy{};
  std::string ca_file{};                             // PEM; certificates believed besides the system's. Empty: none
  std::size_t connections = 256;                     // no fewer than requests at once
  std::chrono::milliseconds connect_timeout{5'000};  // DNS, TCP and TLS together
  // http://HOST:PORT, through which requests leave; empty: none, whatever the environment says. It looks names up, so
  // that of its receivers only addresses that stand in a url are judged.
  std::string proxy{};
  std::vector<std::string> no_proxy{};  // hosts that are reached without it; ".example" all that end so
};

// Errors: internal where ca_file holds no certificates, or `proxy` is no url of one.
Result<void> check(const TransportOptions& options);

// Options that pass check(). `clock` must outlive the transport.
Result<std::unique_ptr<Transport>> make_curl_transport(TransportOptions options, const Clock& clock);

}  // namespace callisto::webhooks
