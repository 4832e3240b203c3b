#include "engine/auth/session_events.h"

#include "engine/auth/client.h"
#include "engine/auth/session_store.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace callisto::auth {

namespace {

using catalog::Action;

class SessionEvents final : public events::Sink {
 public:
  SessionEvents(Service& service, storage::Connection& connection) : service_(service), connection_(connection) {}

  Result<void> emit(const events::Event& event) override {
    const std::string_view entity = event.entity->root().name;
    if (entity == "session") return change_session(event);
    constexpr std::array<std::string_view, 5> others{"role", "role-partition", "person-role", "person", "client"};
    forgets_all_ = forgets_all_ || std::find(others.begin(), others.end(), entity) != others.end();
    return entity == "client" ? check_client(event) : Result<void>();
  }

  void committed() override {
    for (const std::int64_t session : ended_) service_.forget_session(session);
    if (forgets_all_) service_.forget_all();
  }

 private:
  Result<void> change_session(const events::Event& event) {
    if (event.action->kind == Action::Kind::Create)
      return not_supported("Sessions come from signing in; they cannot be made here.", "GET, HEAD, OPTIONS");
    if (event.action->kind != Action::Kind::Delete) return {};
    CALLISTO_CHECK(release_session(connection_, event.key));  // the row itself is marked already
    ended_.push_back(event.key);
    return {};
  }

  static std::string text_of(const events::Event& event, std::string_view name) {
    const auto value = event.record->find(event.entity->find_property(name));
    const auto* text = value == event.record->end() ? nullptr : std::get_if<std::string>(&value->second);
    return text ? *text : std::string();
  }

  // What sign-in relies on; the entity cannot say it.
  Result<void> check_client(const events::Event& event) {
    if (event.action->kind == Action::Kind::Delete) return {};
    const std::string type = text_of(event, "SessionType");
    if (type != "Any" && !session_type(type))
      return validation_failed("SessionType must be Any, User or Analyst.",
                               {{"SessionType", "must be Any, User or Analyst"}});
    CALLISTO_TRY(const bool taken, has_twin(connection_, event.key, text_of(event, "ClientId")));
    if (taken) return validation_failed("ClientId is taken.", {{"ClientId", "is that of another client"}});
    return {};
  }

  Service& service_;
  storage::Connection& connection_;
  std::vector<std::int64_t> ended_;
  bool forgets_all_ = false;
};

}  // namespace

std::unique_ptr<events::Sink> session_events(Service& service, storage::Connection& connection) {
  return std::make_unique<SessionEvents>(service, connection);
}

}  // namespace callisto::auth
