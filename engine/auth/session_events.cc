#include "engine/auth/session_events.h"

#include "engine/auth/clients/client.h"
#include "engine/auth/end_sessions.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/auth/words.h"

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
    if (entity == "identity-link") return end_sessions_of_link(event);
    if (entity != "client") return {};
    CALLISTO_CHECK(check_client(event));
    return end_sessions_of_client(event);
  }

  void committed() override {
    for (const std::int64_t session : ended_) service_.forget_session(session);
    if (forgets_all_) service_.forget_all();
  }

 private:
  Result<void> change_session(const events::Event& event) {
    if (event.action->creates())
      return not_supported("Sessions come from signing in; they cannot be made here.", "GET, HEAD, OPTIONS");
    const bool is_known = std::find(ended_.begin(), ended_.end(), event.key) != ended_.end();  // by another event of it
    if (!event.action->removes() || is_known) return {};
    CALLISTO_CHECK(release_session(change_.connection, event.key));  // the row itself is marked already
    ended_.push_back(event.key);
    return {};
  }

  static bool is_set(const events::Event& event, std::string_view flag) {
    const auto value = event.record->find(event.entity->find_property(flag));
    return value != event.record->end() && value->second == Value(true);
  }

  static bool has_new_secret(const events::Event& event) {
    for (const catalog::Parameter& parameter : event.action->parameters) {
      if (parameter.secret != catalog::Parameter::Secret::New || !event.parameters) continue;
      const auto given = event.parameters->find(parameter.property->name);
      if (given != event.parameters->end() && !is_null(given->second)) return true;
    }
    return false;
  }

  Ending ending_of(const events::Event& event) const { return {event.time, event.person, 0}; }

  // Who may not hold a session any more has none, and a new password ends those that somebody else may have opened.
  Result<void> end_sessions_of_person(const events::Event& event) {
    if (event.action->creates()) return {};
    storage::Connection& connection = change_.connection;
    Ending ending = ending_of(event);
    if (event.action->removes()) return tell(event, end_sessions(connection, SessionsOf::Person, event.key, ending));
    if (has_new_secret(event)) {
      ending.spared = change_.session;
      CALLISTO_CHECK(tell(event, end_sessions(connection, SessionsOf::Person, event.key, ending)));
      ending.spared = 0;
    }
    const Person person{event.key, is_set(event, "IsActive"), is_set(event, "IsAnalyst"), is_set(event, "IsUser")};
    return tell(event, end_lost_sessions(connection, person, ending));
  }

  // What came by a link that is gone: which of the person's codes did is not known, so all do.
  Result<void> end_sessions_of_link(const events::Event& event) {
    const auto person = event.record->find(event.entity->find_property("Person"));
    const auto* key = person == event.record->end() ? nullptr : std::get_if<std::int64_t>(&person->second);
    if (!event.action->removes() || !key) return {};
    return tell(event, end_coded_sessions(change_.connection, *key, ending_of(event)));
  }

  // So has no client what it may not open any more, nor what somebody else may have opened with its old secret.
  Result<void> end_sessions_of_client(const events::Event& event) {
    if (event.action->creates()) return {};
    const Ending ending = ending_of(event);
    if (event.action->removes() || has_new_secret(event))
      return tell(event, end_sessions(change_.connection, SessionsOf::Client, event.key, ending));
    Client client;
    client.ref = event.key;
    client.enabled = is_set(event, "IsEnabled");
    client.only = session_type(text_of(event, "SessionType"));
    client.grants = split_words(text_of(event, "Grants"));
    client.redirect_uris = split_words(text_of(event, "RedirectUris"));
    return tell(event, end_lost_sessions(change_.connection, client, ending));
  }

  // Listeners hear of each as of one that was deleted by itself.
  Result<void> tell(const events::Event& cause, Result<std::vector<EndedSession>> ended) {
    if (!ended) return std::move(ended).error();
    const catalog::Entity& entity = *change_.entity;
    const std::map<std::string, Value, std::less<>> no_parameters;
    for (const EndedSession& session : *ended) {
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
    if (event.action->removes()) return {};
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
