#include "engine/audit/event.h"

#include <array>
#include <utility>

namespace callisto::audit {

namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 24> names{{
    {Kind::SignIn, "sign-in"},
    {Kind::SignInRefused, "sign-in-refused"},
    {Kind::RefreshReuse, "refresh-reuse"},
    {Kind::Logout, "logout"},
    {Kind::SessionEnded, "session-ended"},
    {Kind::ActionDenied, "action-denied"},
    {Kind::ClientChanged, "client-changed"},
    {Kind::RoleChanged, "role-changed"},
    {Kind::PersonChanged, "person-changed"},
    {Kind::WebhookCreated, "webhook-created"},
    {Kind::WebhookChanged, "webhook-changed"},
    {Kind::WebhookDeleted, "webhook-deleted"},
    {Kind::WebhookRedelivered, "webhook-redelivered"},
    {Kind::WebhookPreviewed, "webhook-previewed"},
    {Kind::ViewedAs, "viewed-as"},
    {Kind::ScriptsChanged, "scripts-changed"},
    {Kind::ProxyHeaderRefused, "proxy-header-refused"},
    {Kind::AddressBlocked, "address-blocked"},
    {Kind::RecordsPurged, "records-purged"},
    {Kind::ServerStarted, "server-started"},
    {Kind::ServerStopped, "server-stopped"},
    {Kind::LogStarted, "log-started"},
    {Kind::LogDamaged, "log-damaged"},
    {Kind::RepeatsLeftOut, "repeats-left-out"},
}};

}  // namespace

std::string_view name(Kind kind) {
  for (const auto& [each, text] : names)
    if (each == kind) return text;
  return {};
}

std::optional<Kind> kind_of(std::string_view name) {
  for (const auto& [kind, text] : names)
    if (text == name) return kind;
  return std::nullopt;
}

}  // namespace callisto::audit
