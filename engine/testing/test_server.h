// TestServer: a whole server without its sockets, for specs: the engine's own reading, writing and API on one
// connection, with a clock that stands still, sessions without passwords and a list of the raised events. Everything
// between begin() and roll_back() is one transaction. Errors are what a client would get. The thread of the write that
// it lives in.
#pragma once

#include "engine/api/api.h"
#include "engine/audit/event.h"
#include "engine/base/sealer.h"
#include "engine/records/due_actions.h"
#include "engine/records/insert.h"
#include "engine/records/write.h"
#include "engine/script/data.h"
#include "engine/script/script_observer.h"
#include "engine/testing/known_sessions.h"
#include "engine/testing/local_request.h"
#include "engine/testing/one_connection.h"
#include "engine/testing/steered_clock.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::testing {

struct TestServerParts {
  std::shared_ptr<const records::Model> model;
  api::Options api;
  script::Budget budget;                  // of scripts that read
  script::Budget writing_budget;          // and of those that write
  bool read_only = false;                 // the connection cannot write
  script::LinesRun* lines_run = nullptr;  // null: lines that scripts run are not counted; outlives the server
};

struct Raised {
  std::string event, entity;
  std::int64_t key = 0;
};

struct Answer {
  int status = 0;
  Headers headers;
  std::string body;
  std::string failure;  // what a script failed of, where the answer only has its number
};

struct Key {
  const catalog::Entity* entity = nullptr;  // the final type
  std::int64_t key = 0;
};

class TestServer {
 public:
  // References, and the connection, must outlive it.
  static Result<std::unique_ptr<TestServer>> open(const TestServerParts& parts, storage::Connection& connection,
                                                  SteeredClock& clock, Random& random);

  Result<void> begin();
  Result<void> roll_back();
  Result<void> keep();  // instead of roll_back(): what was done stays, sessions do not

  // Sessions by number, until roll_back(). `type` empty: Analyst for analysts, else User.
  Result<std::size_t> sign_in(std::string_view login, std::string_view type);
  Result<std::size_t> sign_in_nobody();
  std::size_t add_session(auth::Session session) { return sessions_->add(std::move(session)); }  // as it is given
  Result<std::int64_t> person(std::size_t session) const;
  // Whom an identity provider vouches for by these claims becomes a person by scripts/sign-in.lua.
  Result<Key> admit(const script::Data& claims);

  Result<const catalog::Entity*> entity(std::string_view name) const;  // 404 with the nearest name
  // As it is given, whatever the rules say; where no partition is given, it lies in one that the session sees.
  Result<std::int64_t> insert(std::size_t session, const catalog::Entity& entity, const script::Data& values);
  Result<Key> create(std::size_t session, const catalog::Entity& entity, const script::Data& body);
  Result<Key> act(std::size_t session, const catalog::Entity& entity, std::int64_t key, std::string_view action,
                  const script::Data& body);
  Result<std::optional<Key>> find(std::size_t session, const catalog::Entity& entity, std::int64_t key);
  // In the language of $filter, as the session sees it: keys, each of its parts, in the order asked for.
  Result<std::vector<records::Store::Key>> search(std::size_t session, const catalog::Entity& entity,
                                                  const script::Host::Query& query);
  Result<std::int64_t> count(std::size_t session, const catalog::Entity& entity, const script::Host::Query& query);
  // What a spec says of an action has to be of one that the record's entity has, with names that it takes.
  Result<void> check_action(const catalog::Entity& entity, std::int64_t key, std::string_view name,
                            const script::Data& values);
  Result<void> check_event(std::string_view name) const;  // one that something in the scripts raises
  Result<Value> get(const catalog::Entity& entity, std::int64_t key, std::string_view property);  // deleted ones too
  Result<std::vector<std::string>> offered(std::size_t session, const catalog::Entity& entity, std::int64_t key);
  Result<Answer> request(std::size_t session, std::string method, std::string_view target, Headers headers,
                         std::string body);  // target: below the version, "call/5?$select=State"
  Result<std::size_t> run_due();             // an error where one of them fails

  // What it does is undone, whatever it answers: rows and events.
  Result<bool> undone(const std::function<Result<bool>()>& what);
  Result<std::optional<records::Record>> load(const Key& record);  // whoever may see it; nothing where it is deleted
  Result<std::vector<records::Record>> visible(std::size_t session, const catalog::Entity& entity, std::size_t most);
  // Of a filter of $filter, whoever may see the record.
  Result<bool> satisfies(const records::Record& record, const std::string& filter);
  const script::Program& program() const { return *parts_.model->program; }

  const std::vector<Raised>& raised() const { return raised_; }
  SteeredClock& clock() { return clock_; }

 private:
  struct Nothing final : audit::Sink {
    void note(const audit::Event&) override {}
  };
  class Listener;
  struct Failures final : script::ScriptObserver {
    void ran(const std::string&, const std::string&, std::chrono::microseconds) override {}
    script::LinesRun* lines_run() override { return lines; }
    void failed(const script::ScriptFailure& failure) override { last = failure.action + ": " + failure.message; }
    std::string last;
    script::LinesRun* lines = nullptr;
  };

  TestServer(const TestServerParts& parts, storage::Connection& connection, SteeredClock& clock, Random& random)
      : parts_(parts),
        connection_(connection),
        clock_(clock),
        random_(random),
        sealer_(random.bytes(aes_gcm_key_bytes)),
        database_(connection) {
    failures_.lines = writer_failures_.lines = parts.lines_run;
  }
  Result<void> build();
  Result<std::unique_ptr<records::Slot>> make_slot();
  Result<const auth::Session*> session(std::size_t number) const;
  Result<void> give_partition(const auth::Session& session, records::NewRow& row);

  const TestServerParts parts_;
  storage::Connection& connection_;
  SteeredClock& clock_;
  Random& random_;
  const Sealer sealer_;
  OneConnection database_;
  Nothing audit_;
  Failures failures_, writer_failures_;
  std::vector<Raised> raised_;
  std::optional<std::size_t> all_seeing_;  // a session that sees every record
  std::unique_ptr<KnownSessions> sessions_;
  std::unique_ptr<sign_in::AuthorizationEndpoint> authorization_;
  std::unique_ptr<records::Slot> slot_;  // what is asked outside of the API
  std::unique_ptr<records::Writer> writer_;
  std::unique_ptr<api::Api> api_;
  records::DueFigures due_figures_;
  std::unique_ptr<records::DueActions> due_;
};

}  // namespace callisto::testing
