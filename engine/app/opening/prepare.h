// What serving makes from the settings before it opens anything. `callisto serve` continues from there and
// `callisto check` stops there, so that neither accepts what the other refuses.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/app/serving/signing_in.h"
#include "engine/base/address_list.h"
#include "engine/base/result.h"
#include "engine/http/listen_address.h"
#include "engine/http/tls.h"
#include "webhooks/curl_transport.h"
#include "webhooks/schedule.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace callisto::app {

// The addresses of the setting listen.
Result<std::vector<http::ListenAddress>> parse_listen(const Settings& settings);

struct Prepared {
  std::vector<http::ListenAddress> listen;  // one at least
  http::SocketRights socket_rights;
  std::shared_ptr<http::Tls> tls;                // null: plain http
  AddressList proxies;                           // whose word on the client's address counts
  AddressList metrics_readers;                   // this machine among them
  std::optional<AddressList> workbench_readers;  // nothing: everybody
  ProviderOptions providers;
  webhooks::Schedule schedule;
  webhooks::TransportOptions transport;
};

// Reads the files that settings name, and opens nothing else. Everything that is wrong is added to `problems`, in words
// for the operator; nothing may be made of the result then. Any thread.
Prepared prepare(const Settings& settings, std::vector<std::string>& problems);

}  // namespace callisto::app
