// The queue of deliveries: all SQL on the tables webhook_delivery, webhook_attempt and webhook_log. The backlog is
// there and not in memory (decision 0013). Functions with a Connection run inside a WriteFunction, except those that
// only read. Errors are the database's.
//
// How a delivery waits: status P with NextAttempt is in the line for its first attempt, by Ref, which is the order of
// commits. P without NextAttempt waits for another delivery of the same record and webhook, which is in hand or, if the
// webhook is Ordered, being retried; whoever is done with a record puts the first waiting delivery back in the line. R
// always has NextAttempt. What is in hand is only in the memory of the one dispatcher that works for the webhook
// (lanes.h): a claim writes nothing, and after a crash nothing is in hand.
//
// Requires: functions with a Connection run inside a WriteFunction, except those that only read. Invariants: a delivery
// is written with the change that it reports; of each record one delivery is in hand at a time.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/base/trace_context.h"
#include "engine/storage/database.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::webhooks {

// Indexes of more than one column, which entities cannot declare: at start-up, after the tables. Adds what is missing.
Result<void> prepare(storage::Connection& connection);

struct NewDelivery {
  std::int64_t webhook = 0;
  std::string message_id;
  std::string event;
  std::string core_entity_type;  // empty where no record is concerned, as with entity_ref
  std::string entity_type;
  std::optional<std::int64_t> entity_ref;
  std::int64_t body = 0;  // of keep_body (body.h)
  int hops = 0;
  std::optional<std::int64_t> redelivery_of;  // then it counts as a redelivery
  TraceContext trace = {};
};

// The delivery's Ref. Wake the dispatcher once this has committed.
Result<std::int64_t> enqueue(storage::Connection& connection, const NewDelivery& delivery, DateTime now,
                             Random& random);
// The failed ones that were made from `from` on and before `to`, whose body or snapshot is still kept and which are not
// on their way again already.
struct FailedDelivery {
  std::int64_t ref = 0;
  std::string entity_type;  // empty: of no record
  std::int64_t entity_ref = 0;
  bool is_made = true;  // else it has a snapshot (snapshot.h) in place of a body
};
Result<std::vector<FailedDelivery>> failed_deliveries(storage::Connection& connection, std::int64_t webhook,
                                                      DateTime from, DateTime to);
// A new delivery for each of these.
Result<void> redeliver(storage::Connection& connection, const std::vector<std::int64_t>& deliveries, DateTime now,
                       Random& random);

// A webhook as it is now. Secrets are sealed.
struct Webhook {
  std::int64_t ref = 0;
  std::string url, secret, previous_secret;
  DateTime previous_until;  // when previous_secret stops to count
  std::optional<std::int64_t> owner;
  bool deleted = true;
  bool active = false;
  bool silent = false;  // its owner may own no webhook: nothing is sent, redeliveries neither. As claim() found it
  bool ordered = false;
  char status = 'P';
  DateTime last_delivery;
  std::int64_t version = 0;  // moves with an administrator's edits alone

  bool failing() const { return status == 'R' || status == 'F'; }
};

// A delivery in hand, with all that an attempt needs but a large body.
struct Delivery {
  std::int64_t ref = 0;
  std::int64_t webhook = 0;
  std::string message_id, event, core_entity_type;
  std::optional<std::int64_t> entity_ref;
  std::int64_t attempts = 0;
  DateTime first, deadline;  // where attempts > 0
  std::int64_t body = 0;
  std::int64_t body_bytes = 0;
  std::shared_ptr<const std::string> small_body;  // null: read_body() makes it
  std::int64_t hops = 0;
  TraceContext trace = {};  // of the request that led to it
  bool redelivery = false;
};

// Whether this owner may own no webhook, at this moment. Any thread.
using IsSilent = std::function<Result<bool>(storage::Connection&, std::optional<std::int64_t> owner)>;

// What a dispatcher has in hand of one webhook: never two of one record.
class InFlight {
 public:
  void take(const Delivery& delivery) {
    deliveries_.insert(delivery.ref);
    if (delivery.entity_ref) records_.emplace(delivery.core_entity_type, *delivery.entity_ref);
  }
  void let_go(const Delivery& delivery) {
    deliveries_.erase(delivery.ref);
    if (delivery.entity_ref) records_.erase({delivery.core_entity_type, *delivery.entity_ref});
  }
  bool holds(std::int64_t delivery) const { return deliveries_.contains(delivery); }
  bool holds_record_of(const Delivery& delivery) const {
    return delivery.entity_ref && records_.contains({delivery.core_entity_type, *delivery.entity_ref});
  }
  const std::set<std::int64_t>& deliveries() const { return deliveries_; }

 private:
  std::set<std::int64_t> deliveries_;
  std::set<std::pair<std::string, std::int64_t>> records_;
};

struct Times {
  DateTime now;
  // Since when somebody works for the webhook. What had to end before that gets one attempt yet; what had to end since
  // then is F without.
  DateTime since;
};

struct Room {
  std::int64_t webhook = 0;
  std::size_t total = 0;
  std::size_t retries = 0;  // at most `total` of them
  bool changed = false;     // the webhook may have: those that no longer have to wait are let go
  bool some_wait = true;    // for another of their record, as far as is known
  IsSilent is_silent = {};  // null: nobody is
};

struct Claim {
  Webhook webhook;
  std::vector<Delivery> deliveries;
  bool more = false;                   // another claim would find more to do at once
  bool retries_due = false;            // some that found no room, or whose record is in hand
  bool some_wait = false;              // for another of their record
  std::optional<DateTime> next_retry;  // the earliest after now
};

// What is due of one webhook beside what is in hand: retries first, since those have a deadline. Never two of one
// record. The deliveries of a webhook that is deleted, silent or not active are cancelled, some hundreds with each
// call; redeliveries of an inactive one go on.
Result<Claim> claim(storage::Connection& connection, const Room& room, const InFlight& in_flight, const Times& times);

// What one attempt came to.
struct Attempt {
  Delivery delivery;  // as it was before
  std::int64_t number = 1;
  char status = 'S';  // S, R or F: of the delivery from now on
  DateTime first, started, deadline;
  std::optional<DateTime> next;  // where R
  std::int64_t duration_ms = 0;
  int response_code = 0;
  std::string outcome;  // its class, such as http_500
  std::string error;    // short, for people; empty: none
  std::string address, request_headers, response_headers, response_body;
};

struct Ended {
  std::int64_t webhook = 0;
  const std::vector<Attempt>& attempts;  // in the order in which they ended
  bool some_wait = true;                 // as in Room
  bool last = true;                      // nothing else is in hand: LastDeliveryDate is exact, else by a second
};
// Attempts that are written already, or whose delivery is on with another, are left alone. The webhook as it is now.
// Its RecordVersion stays, so that an administrator's edit is not refused.
Result<Webhook> record(storage::Connection& connection, const Ended& ended, DateTime now);
// Out of hand: the first that waits for its record, put back in the line. Harmless where the record is in hand after
// all: the next claim lets it wait again.
Result<void> let_next(storage::Connection& connection, const Delivery& delivery, DateTime now);
// When the wall clock was set: what waits goes on to wait as long as it had to.
Result<void> shift(storage::Connection& connection, std::int64_t ms, DateTime now);
// Of one webhook, of which nothing is in anybody's hand. What should have ended meanwhile is due at once.
Result<void> recover(storage::Connection& connection, std::int64_t webhook, DateTime now, std::int64_t hour_ms);

// Webhooks that may have something to do: what is in hand counts. Reads only.
struct Waiting {
  std::int64_t webhook = 0;
  bool in_line = false;
  std::optional<DateTime> next_retry;
  bool edited = false;  // since what waits was last judged; not without a lane
  std::string owner;    // of its lane (lanes.h); empty: nobody
  DateTime until;       // when that runs out
};
Result<std::vector<Waiting>> waiting(storage::Connection& connection);

struct QueueStats {
  std::int64_t pending = 0, retrying = 0;
  std::optional<DateTime> oldest_pending;  // when it was made
};
Result<QueueStats> stats(storage::Connection& connection);  // reads only

// Removes what concluded and was made before `older_than`, with attempts, log and bodies, a few hundred at a time, each
// time a write of its own; how many deliveries.
Result<std::int64_t> purge(storage::Database& database, DateTime older_than);

}  // namespace callisto::webhooks
