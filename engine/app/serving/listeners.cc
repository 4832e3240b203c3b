#include "engine/app/serving/listeners.h"

#include "engine/audit/change_events.h"
#include "engine/auth/session_events.h"
#include "engine/events/sinks.h"

namespace callisto::app {

namespace {

// Whose changes the audit log keeps (decision 0011), and which properties it tells with them.
const audit::WatchedEntities& watched_entities() {
  using audit::Kind;
  const auto always = [](Kind kind, std::vector<std::string> properties) {
    return audit::Watched{kind, kind, kind, std::move(properties)};
  };
  static const audit::WatchedEntities watched{
      {"client", always(Kind::ClientChanged, {"ClientId", "SessionType", "IsEnabled", "Grants", "RedirectUris"})},
      {"role", always(Kind::RoleChanged, {"Name", "Rights", "AllPartitions"})},
      {"role-partition", always(Kind::RoleChanged, {"Role", "Partition"})},
      {"person-role", always(Kind::RoleChanged, {"Person", "Role"})},
      {"identity-link", always(Kind::PersonChanged, {"Person", "Issuer", "Subject"})},
      {"person", always(Kind::PersonChanged, {"LoginId", "IsActive", "IsAnalyst", "IsUser"})},
      {"session", always(Kind::SessionEnded, {"Person", "Client"})},
      {"webhook",
       {Kind::WebhookCreated, Kind::WebhookChanged, Kind::WebhookDeleted, {"Name", "PayloadUrl", "Active", "Owner"}}},
  };
  return watched;
}

}  // namespace

records::SinkFactory make_listeners(auth::Service& auth, audit::Log& log, const webhooks::OutboxParts& outbox,
                                    WebhookRenderer& renderer, const OtherListener& other) {
  return [&](const records::Context& context) {
    std::vector<std::unique_ptr<events::Sink>> sinks;
    auto audited = std::make_unique<audit::ChangeEvents>(watched_entities(), log);
    const catalog::Entity* sessions = context.model.catalog().find("session");
    sinks.push_back(auth::session_events(auth, {context.connection, sessions, context.session.id, *audited}));
    sinks.push_back(std::move(audited));
    sinks.push_back(
        std::make_unique<webhooks::Outbox>(outbox, context.connection, [&renderer, &connection = context.connection] {
          return make_webhook_records({renderer.model, *renderer.scripts, renderer.text, connection, nullptr});
        }));
    if (other) sinks.push_back(other());
    return std::make_unique<events::Sinks>(std::move(sinks));
  };
}

}  // namespace callisto::app
