// Subscriptions: which webhooks want an event. The active webhooks are read from the database once and kept until one
// of them changes, so that an event that concerns no webhook costs nothing. If other nodes change webhooks too, each
// change increments a version in the table desk_fact, which every transaction that emits an event reads: no event is
// matched against a list that was out of date when it committed. Any thread.
#pragma once

#include "engine/events/sink.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::webhooks {

// Told only to those who chose it by name.
inline constexpr std::string_view history_event = "ActionAddedtoHistory";

struct Subscription {
  std::int64_t webhook = 0;
  std::string core_type;
  std::string entity_type;  // empty: every entity of that core type
  bool all_events = true;
  std::set<std::string, std::less<>> triggers;  // where not all
  std::string select, filter;
  std::string excluded_client;  // client_id; empty: nobody's changes are left out
  std::string name_filter;
  std::int64_t size_limit_kib = 0;  // 0 or less: none
  std::int64_t count_limit = 0;     // 0 or less: none
  bool active = true;
  std::optional<std::int64_t> owner;  // by whose eyes it is told
};

// What somebody may want to know of: an event and the record that it is told for, which for files is the one that they
// hang on.
struct Occurrence {
  std::string_view event;
  const catalog::Entity* entity = nullptr;
  std::string_view client_id;
};
// Empty: it is told. Else why not, for people. Whether the filter holds is not asked here.
std::string skip_reason(const Subscription& subscription, const catalog::Catalog& catalog,
                        const Occurrence& occurrence);

using SubscriptionList = std::shared_ptr<const std::vector<Subscription>>;

struct KnownSubscriptions {
  std::int64_t version = 0;
  SubscriptionList active = std::make_shared<const std::vector<Subscription>>();
};

class Subscriptions {
 public:
  Subscriptions(std::unique_ptr<storage::Connection> reader, bool shared)
      : reader_(std::move(reader)), shared_(shared) {}
  Result<void> reload();  // where it fails, each transaction reads them for itself until one does not

  // Inside a WriteFunction: as they are for what it changes; and that it changed one.
  Result<KnownSubscriptions> now(storage::Connection& connection);
  Result<void> note_change(storage::Connection& connection);
  void keep(const KnownSubscriptions& known);                      // once what read them has committed
  bool is_news(std::int64_t webhook, const std::string& trouble);  // unlike what was told of it last

 private:
  Result<KnownSubscriptions> read_anew();

  std::mutex reading_;
  std::unique_ptr<storage::Connection> reader_;
  const bool shared_;
  std::mutex mutex_;
  KnownSubscriptions known_;
  bool is_stale_ = false;
  std::map<std::int64_t, std::string> troubles_;  // told last, of each webhook
};

// One of them as it is in the database now, active or not; nothing where it is deleted.
Result<std::optional<Subscription>> find_subscription(storage::Connection& connection, std::int64_t webhook);

}  // namespace callisto::webhooks
