#include "engine/app/serving/webhooks.h"

#include "engine/app/serving/webhook_owner.h"
#include "engine/app/version.h"
#include "engine/base/log.h"
#include "engine/base/ticker.h"
#include "webhooks/queue.h"
#include "webhooks/signer.h"
#include "webhooks/subscriptions.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace callisto::app {

namespace {

constexpr std::chrono::minutes purge_pause{10};
constexpr std::int64_t day_ms = 86'400'000;
constexpr std::chrono::milliseconds shared_survey_pause{500};  // decision 0018: what other nodes do, they do not tell
constexpr int most_turns = 10'000;                // by hand: of receivers that make one delivery out of another
constexpr std::int64_t longest_turn_ms = 90'000;  // a survey's pause and two attempts to write

// A proxy on the same machine publishes it: what listens on loopback was not meant for whoever sets up a webhook.
bool is_published(const Settings& settings) {
  const std::size_t scheme = settings.base_url.find("://");
  std::string_view host =
      scheme == std::string::npos ? std::string_view() : std::string_view(settings.base_url).substr(scheme + 3);
  host = host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find_first_of(":/"));
  const bool is_here = host.empty() || host.starts_with("127.") || host == "[::1]" || host == "localhost";
  return !is_here || !settings.http_trusted_proxies.empty();
}

Result<bool> is_silent(storage::Connection& connection, std::optional<std::int64_t> owner) {
  CALLISTO_TRY(const OwnerSession found, owner_session(connection, owner));
  return !found.session;
}

// Of the tables that an owner's rights come from: each of their numbers only grows.
std::optional<std::uint64_t> rights_version(const storage::Connection& connection) {
  std::uint64_t sum = 0;
  for (const char* table : {"person", "person_role", "role"}) {
    const auto version = connection.version_of(table);
    if (!version) return std::nullopt;
    sum += *version;
  }
  return sum;
}

class RunningWebhooks final : public Webhooks {
 public:
  RunningWebhooks(webhooks::DispatcherOptions options, std::unique_ptr<webhooks::Transport> transport,
                  storage::Database& database, std::unique_ptr<storage::Connection> reader,
                  webhooks::AddressPolicy policy, const Settings& settings, const Sealer& sealer, const Clock& clock,
                  Random& random)
      : settings_(settings),
        database_(database),
        clock_(clock),
        subscriptions_(std::move(reader), settings.is_on_postgres()),
        transport_(std::move(transport)),
        dispatcher_(std::move(options), database, *transport_, clock, random, sealer),
        outbox_{subscriptions_,
                sealer,
                random,
                policy,
                settings.webhook_attachments,
                [this](const std::vector<std::int64_t>& refs, bool changed) { wake(refs, changed); },
                untold_} {}

  const webhooks::OutboxParts& outbox() const override { return outbox_; }

  webhooks::Metrics metrics() const override { return dispatcher_.metrics(); }
  const webhooks::Untold& untold() const override { return untold_; }
  bool is_alive() const override {
    return thread_ && clock_.steady_ms() - std::max(started_at_, dispatcher_.metrics().turned_at) < longest_turn_ms;
  }

  Result<void> start() override {
    started_at_ = clock_.steady_ms();
    CALLISTO_CHECK(begin_by_hand());
    thread_.emplace(dispatcher_);
    purger_.emplace(purge_pause, [this] { purge(); });
    return {};
  }

  Result<void> begin_by_hand() override {
    CALLISTO_CHECK(subscriptions_.reload());
    return dispatcher_.start();
  }

  // A turn sends, the next one keeps what came back, and what that made due goes with the one after it.
  void send_what_is_due() override {
    for (int turns = 0, idle = 0; idle < 2 && turns < most_turns; ++turns) {
      const std::uint64_t before = attempts();
      dispatcher_.turn();
      idle = attempts() == before && dispatcher_.metrics().in_flight == 0 ? idle + 1 : 0;
    }
  }

 private:
  std::uint64_t attempts() const {
    const auto by_outcome = dispatcher_.metrics().by_outcome;
    return std::accumulate(by_outcome.begin(), by_outcome.end(), std::uint64_t{0});
  }

  void wake(const std::vector<std::int64_t>& refs, bool changed) {
    if (changed) dispatcher_.changed(refs);
    else dispatcher_.wake(refs);
  }

  void purge() {
    const DateTime oldest{clock_.now().ms - day_ms * settings_.webhook_keep_days};
    if (const auto done = webhooks::purge(database_, oldest); !done)
      log::error("Old deliveries could not be removed: " + done.error().log_detail);
  }

  const Settings& settings_;
  storage::Database& database_;
  const Clock& clock_;
  webhooks::Subscriptions subscriptions_;
  const std::unique_ptr<webhooks::Transport> transport_;
  webhooks::Dispatcher dispatcher_;
  webhooks::Untold untold_;
  const webhooks::OutboxParts outbox_;
  std::int64_t started_at_ = 0;                       // steady
  std::optional<webhooks::DispatcherThread> thread_;  // stops before what it uses goes
  std::optional<Ticker> purger_;
};

}  // namespace

Result<webhooks::TransportOptions> transport_options(const Settings& settings, bool on_loopback) {
  webhooks::TransportOptions options;
  options.policy = {webhooks::parse_networks(settings.webhook_networks).value_or(webhooks::Networks::Intranet),
                    on_loopback && !is_published(settings)};
  options.ca_file = settings.webhook_ca_file;
  options.proxy = settings.webhook_proxy;
  options.no_proxy = settings.webhook_no_proxy;
  CALLISTO_CHECK(webhooks::check(options));
  return options;
}

Result<std::unique_ptr<Webhooks>> Webhooks::create(const Settings& settings, webhooks::Schedule schedule,
                                                   webhooks::AddressPolicy policy,
                                                   std::unique_ptr<webhooks::Transport> transport,
                                                   storage::Database& database, const Sealer& sealer,
                                                   const Clock& clock, Random& random) {
  webhooks::DispatcherOptions options;
  options.schedule = std::move(schedule);
  options.version = version();
  options.sign = webhooks::sign;
  options.is_silent = is_silent;
  options.rights_version = rights_version;
  if (settings.is_on_postgres()) {
    options.common_time = webhooks::postgres_time;
    options.survey_pause = shared_survey_pause;
  }
  CALLISTO_CHECK(database.write_alone(webhooks::prepare));
  CALLISTO_TRY(auto reader, database.connect_reader());
  return std::unique_ptr<Webhooks>(std::make_unique<RunningWebhooks>(
      std::move(options), std::move(transport), database, std::move(reader), policy, settings, sealer, clock, random));
}

}  // namespace callisto::app
