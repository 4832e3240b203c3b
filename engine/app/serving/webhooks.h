// Webhooks of a serving desk: who is subscribed, and the dispatcher with its thread. They outlive every generation of
// entities and scripts.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/sealer.h"
#include "engine/storage/database.h"
#include "webhooks/curl_transport.h"
#include "webhooks/dispatcher.h"
#include "webhooks/outbox.h"
#include "webhooks/schedule.h"

#include <memory>

namespace callisto::app {

// `on_loopback`: the server listens there alone. Where base_url or http.trusted_proxies says that a proxy publishes it
// all the same, receivers on this machine are no more allowed than on any other server.
Result<webhooks::TransportOptions> transport_options(const Settings& settings, bool on_loopback);

class Webhooks {
 public:
  // `policy`: where webhooks may lead. References outlive it. Errors are for the operator.
  static Result<std::unique_ptr<Webhooks>> create(const Settings& settings, webhooks::Schedule schedule,
                                                  webhooks::AddressPolicy policy,
                                                  std::unique_ptr<webhooks::Transport> transport,
                                                  storage::Database& database, const Sealer& sealer, const Clock& clock,
                                                  Random& random);
  virtual ~Webhooks() = default;  // stops the dispatcher; what is on its way is sent again at the next start
  virtual const webhooks::OutboxParts& outbox() const = 0;
  virtual webhooks::Metrics metrics() const = 0;
  virtual const webhooks::Untold& untold() const = 0;
  virtual bool is_alive() const = 0;  // the dispatcher took a turn lately
  virtual Result<void> start() = 0;   // what the last run left behind is taken up
  // Instead of start(), where nothing goes by itself: all that is due goes out, and its answers are kept.
  virtual Result<void> begin_by_hand() = 0;
  virtual void send_what_is_due() = 0;
};

}  // namespace callisto::app
