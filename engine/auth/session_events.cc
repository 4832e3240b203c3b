#include "engine/auth/session_events.h"

#include "engine/auth/client.h"
#include "engine/auth/end_sessions.h"
#include "engine/auth/session_store.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace callisto::auth {

namespace {

using catalog::Action;

class SessionEvents final : public events::Sink {
 public:
  SessionEvents(Service& service, const SessionChange& change) : service_(service), change_(change) {}

  Result<void> emit(const events::Event& event) override {
    const std::string_view entity = event.entity->root().name;
    if (entity == "session") return change_session(event);
    constexpr std::array<std::string_view, 5> others{"role", "role-partition", "person-role", "person", "client"};
    forgets_all_ = forgets_all_ || std::find(others.begin(), others.end(), entity) != others.end();
    if (entity == "person") return end_sessions_of_person(event);
    if (entity != "client") return {};
    CALLISTO_CHECK(check_client(event));
    return is_over(event, "IsEnabled") ? end_all(event, SessionsOf::Client, 0) : Result<void>();
  }

  void committed() override {
    for (const std::int64_t session : ended_) service_.forget_session(session);
    if (forgets_all_) service_.forget_all();
  }

 private:
  Result<void> change_session(const events::Event& event) {
    if (event.action->kind == Action::Kind::Create)
      return not_supported("Sessions come from signing in; they cannot be made here.", "GET, HEAD, OPTIONS");
    const bool is_known = std::find(ended_.begin(), ended_.end(), event.key) != ended_.end();  // by another event of it
    if (event.action->kind != Action::Kind::Delete || is_known) return {};
    CALLISTO_CHECK(release_session(change_.connection, event.key));  // the row itself is marked already
    ended_.push_back(event.key);
    return {};
  }

  // The record is gone or switched off.
  static bool is_over(const events::Event& event, std::string_view flag) {
    if (event.action->kind == Action::Kind::Create) return false;
    if (event.action->kind == Action::Kind::Delete) return true;
    const auto value = event.record->find(event.entity->find_property(flag));
    return value == event.record->end() || value->second != Value(true);
  }

  static bool has_new_secret(const events::Event& event) {
    for (const catalog::Parameter& parameter : event.action->parameters) {
      if (parameter.secret != catalog::Parameter::Secret::New || !event.parameters) continue;
      const auto given = event.parameters->find(parameter.property->name);
      if (given != event.parameters->end() && !is_null(given->second)) return true;
    }
    return false;
  }

  // Who may not sign in any more has no session, and a new password ends those that somebody else may have opened.
  Result<void> end_sessions_of_person(const events::Event& event) {
    if (is_over(event, "IsActive")) return end_all(event, SessionsOf::Person, 0);
    return has_new_secret(event) ? end_all(event, SessionsOf::Person, change_.session) : Result<void>();
  }

  // Listeners hear of each as of one that was deleted by itself.
  Result<void> end_all(const events::Event& cause, SessionsOf owner, std::int64_t spared) {
    CALLISTO_TRY(const auto ended,
                 end_sessions(change_.connection, owner, cause.key, spared, cause.time, cause.person));
    const catalog::Entity& entity = *change_.entity;
    const std::map<std::string, Value, std::less<>> no_parameters;
    for (const EndedSession& session : ended) {
      catalog::PropertyValues values;
      values.emplace(entity.find_property("Person"), session.person ? Value(*session.person) : Value(Null()));
      values.emplace(entity.find_property("Client"), session.client);
      events::Event event = cause;
      event.name = "Deleted";
      event.entity = &entity;
      event.key = session.id;
      event.action = entity.find_action("delete");
      event.history_order.reset();
      event.record = &values;
      event.parameters = &no_parameters;
      CALLISTO_CHECK(change_.listeners.emit(event));
    }
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
    CALLISTO_TRY(const bool taken, has_twin(change_.connection, event.key, text_of(event, "ClientId")));
    if (taken) return validation_failed("ClientId is taken.", {{"ClientId", "is that of another client"}});
    return {};
  }

  Service& service_;
  const SessionChange change_;
  std::vector<std::int64_t> ended_;
  bool forgets_all_ = false;
};

}  // namespace

std::unique_ptr<events::Sink> session_events(Service& service, const SessionChange& change) {
  return std::make_unique<SessionEvents>(service, change);
}

}  // namespace callisto::auth
