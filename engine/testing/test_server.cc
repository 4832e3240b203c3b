#include "engine/testing/test_server.h"

#include "engine/auth/person.h"
#include "engine/auth/role.h"
#include "engine/auth/server_session.h"
#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/records/admission.h"
#include "engine/records/convert.h"
#include "engine/records/insert.h"
#include "engine/records/rules.h"
#include "engine/records/script_query.h"
#include "engine/records/settable.h"
#include "engine/records/visible.h"
#include "engine/testing/data_json.h"
#include "engine/testing/walk/event_names.h"

#include <algorithm>

namespace callisto::testing {

namespace {

// Specs ask whether passwords are checked, not how slowly.
constexpr auth::ScryptCost cheap_password{4, 8, 1};

auth::Options sign_in_options(bool read_only) {
  auth::Options options;
  options.read_only = read_only;
  options.sweep_ms = 0;
  options.attempts_per_minute = 0;
  options.password_cost = cheap_password;
  return options;
}

Error no_property(const catalog::Entity& entity, std::string_view name) {
  std::vector<std::string_view> names;
  for (const catalog::Property* each : entity.properties) names.emplace_back(each->name);
  const std::string near = text::nearest(name, names);
  return bad_format(entity.name + " has no property " + text::quoted(name) +
                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

Error no_action(const catalog::Entity& entity, std::string_view name) {
  std::vector<std::string_view> names;
  for (const catalog::Action* each : entity.actions) names.emplace_back(each->name);
  const std::string near = text::nearest(name, names);
  return bad_format(entity.name + " has no action " + text::quoted(name) +
                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

// `supported = false` takes away what a parent has, or `common`: that it is not there is worth a spec.
bool is_taken_away(const catalog::Entity& entity, std::string_view name) {
  for (const catalog::Entity* each = entity.parent; each; each = each->parent)
    if (each->find_action(name)) return true;
  return name == "create" || name == "update" || name == "delete" || name == "read";
}

Result<void> check_input(const catalog::Entity& entity, const catalog::Action& action, std::string_view name) {
  std::vector<std::string_view> names;
  for (const catalog::Parameter& each : action.parameters) names.emplace_back(each.property->name);
  for (const catalog::Property* each : entity.properties) names.emplace_back(each->name);
  const auto is_it = [&](std::string_view each) { return text::equals_ignoring_ascii_case(each, name); };
  if (name.starts_with('$') || std::any_of(names.begin(), names.end(), is_it)) return {};
  const std::string near = text::nearest(name, names);
  return bad_format(action.name + " of " + entity.name + " takes no " + text::quoted(name) +
                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

Result<json::Node> body_of(const script::Data& data) { return json::parse(to_json(data)); }

// As the API has it: of what it may not read a session is told so.
Result<void> check_readable(const records::Context& context, const catalog::Entity& entity) {
  if (records::may_read(context.access, entity)) return {};
  return forbidden("This session may not read " + entity.name + ".");
}

}  // namespace

// Keeps what was committed; what a refused change raised was never raised.
class TestServer::Listener final : public events::Sink {
 public:
  explicit Listener(std::vector<Raised>& raised) : raised_(raised) {}
  Result<void> emit(const events::Event& event) override {
    own_.push_back({event.name, event.entity->name, event.key});
    return {};
  }
  void committed() override { raised_.insert(raised_.end(), own_.begin(), own_.end()); }

 private:
  std::vector<Raised>& raised_;
  std::vector<Raised> own_;
};

Result<std::unique_ptr<TestServer>> TestServer::open(const TestServerParts& parts, storage::Connection& connection,
                                                     SteeredClock& clock, Random& random) {
  std::unique_ptr<TestServer> desk(new TestServer(parts, connection, clock, random));
  CALLISTO_CHECK(desk->build());
  return desk;
}

Result<std::unique_ptr<records::Slot>> TestServer::make_slot() {
  auto slot = std::make_unique<records::Slot>();
  CALLISTO_TRY(slot->connection, database_.connect_reader());
  CALLISTO_TRY(slot->scripts, script::State::create(parts_.model->program, parts_.budget, clock_, random_, &failures_));
  return slot;
}

Result<void> TestServer::build() {
  CALLISTO_TRY(auto service,
               auth::Service::create(database_, clock_, random_, sign_in_options(parts_.read_only), audit_));
  sessions_ = std::make_unique<KnownSessions>(std::move(service));
  authorization_ = std::make_unique<sign_in::AuthorizationEndpoint>(sign_in::Options{}, *sessions_,
                                                                    sign_in::Providers{}, clock_, random_, audit_);
  CALLISTO_TRY(slot_, make_slot());
  CALLISTO_TRY(auto scripts,
               script::State::create(parts_.model->program, parts_.writing_budget, clock_, random_, &writer_failures_));
  const auto listen = [this](const records::Context&) -> std::unique_ptr<events::Sink> {
    return std::make_unique<Listener>(raised_);
  };
  writer_ = std::make_unique<records::Writer>(*parts_.model, database_, std::move(scripts), clock_, random_, listen,
                                              records::SecretKeeping{&sessions_->secrets(), &sealer_});
  const auto served = std::make_shared<api::Served>(parts_.model, parts_.api, *writer_);
  CALLISTO_TRY(auto for_api, make_slot());
  served->slots.add(std::move(for_api));
  api_ = std::make_unique<api::Api>(parts_.api, served, *sessions_, audit_, *authorization_);
  CALLISTO_TRY(auto for_due, make_slot());
  due_ = std::make_unique<records::DueActions>(*parts_.model, *writer_, std::move(for_due),
                                               records::DueListeners{due_figures_, nullptr, clock_, random_});
  return {};
}

Result<std::size_t> TestServer::run_due() {
  CALLISTO_TRY(const auto run, due_->run());
  if (!run.failures.empty()) return bad_format(run.failures.front());
  return run.done;
}

Result<void> TestServer::begin() {
  raised_.clear();
  clock_.reset();
  return database_.begin();
}

Result<void> TestServer::roll_back() {
  sessions_->forget();
  all_seeing_.reset();
  return database_.roll_back();
}

Result<void> TestServer::keep() {
  sessions_->forget();
  all_seeing_.reset();
  return database_.keep();
}

Result<std::size_t> TestServer::sign_in(std::string_view login, std::string_view type) {
  CALLISTO_TRY(const auto person, auth::find_person_by_login(connection_, login));
  if (!person) return bad_format("nobody has the login " + text::quoted(login));
  auth::Session session;
  session.person = person->ref;
  session.type = person->analyst ? auth::SessionType::Analyst : auth::SessionType::User;
  if (!type.empty()) {
    const auto wanted = auth::session_type(type);
    if (!wanted) return bad_format("a session is of type Analyst or User, not " + text::quoted(type));
    session.type = *wanted;
  }
  if (!person->may_hold(session.type))
    return bad_format(text::quoted(login) + " may not hold a session of type " + auth::name(session.type));
  CALLISTO_CHECK(auth::read_person_access(connection_, session));
  return sessions_->add(std::move(session));
}

Result<std::size_t> TestServer::sign_in_nobody() {
  auth::Session session;
  session.partitions.emplace();
  return sessions_->add(std::move(session));
}

// As ID tokens have it, `sub` and what `oidc.login_claim` usually names are texts.
Result<Key> TestServer::admit(const script::Data& given) {
  if (!program().sign_in) return bad_format("the desk has no scripts/sign-in.lua");
  CALLISTO_TRY(const json::Node claims, body_of(given));
  const auto text = [&](std::string_view name) { return json::string_of(claims, name); };
  if (text("sub").empty()) return bad_format("the claims of a sign-in name a subject: sub = \"7\"");
  const json::Node* verified = claims.find("email_verified");
  const bool is_verified = verified && verified->boolean();
  const records::Vouched vouched{{text("iss").empty() ? "https://provider.example" : text("iss"), text("sub")},
                                 text("preferred_username"),
                                 is_verified ? std::string() : text("email")};
  CALLISTO_TRY(const script::SignInAnswer answer, slot_->scripts->sign_in(claims));
  records::Admitted admitted;
  const auto done = writer_->write(
      auth::server_session(), [&](const records::Context& context, records::Change& change) -> Result<void> {
        CALLISTO_TRY(admitted, records::admit(context, change, vouched, answer, {clock_.now(), random_}));
        return {};
      });
  if (!done) return done.error();
  return Key{parts_.model->catalog().find(catalog::system::person_entity), admitted.person};
}

Result<const auth::Session*> TestServer::session(std::size_t number) const {
  if (const auth::Session* found = sessions_->find(number)) return found;
  return bad_format("this desk or record belongs to a spec that is over");
}

Result<std::int64_t> TestServer::person(std::size_t number) const {
  CALLISTO_TRY(const auth::Session* who, session(number));
  if (!who->person) return bad_format("this is a session without a person");
  return *who->person;
}

Result<const catalog::Entity*> TestServer::entity(std::string_view name) const {
  const catalog::Catalog& catalog = parts_.model->catalog();
  if (const catalog::Entity* found = catalog.find(name)) return found;
  const std::string near = text::nearest(name, catalog.entity_names());
  return resource_not_found("there is no entity " + text::quoted(name) +
                            (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

Result<void> TestServer::give_partition(const auth::Session& session, records::NewRow& row) {
  const catalog::Property* partition = row.entity->find_property(catalog::system::partition);
  if (!partition || !row.entity->partitioned || row.values.count(partition) != 0) return {};
  std::int64_t number = session.partitions && !session.partitions->empty() ? session.partitions->front() : 1;
  if (session.person) {
    const catalog::Entity* persons = parts_.model->catalog().find(catalog::system::person_entity);
    CALLISTO_TRY(const Value own, get(*persons, *session.person, catalog::system::partition));
    if (const auto* key = std::get_if<std::int64_t>(&own)) number = *key;
  }
  row.values.emplace(partition, number);
  return {};
}

Result<std::int64_t> TestServer::insert(std::size_t number, const catalog::Entity& entity, const script::Data& values) {
  CALLISTO_TRY(const auth::Session* who, session(number));
  if (entity.abstract) return bad_format(entity.name + " is abstract: give one of its children");
  records::NewRow row{&entity, {}};
  for (const script::DataMember& member : values.members) {
    const catalog::Property* property = entity.find_property(member.name);
    if (!property) return no_property(entity, member.name);
    if (property->mirror_of) property = property->mirror_of;
    if (member.value.kind != script::Data::Kind::Value)
      return bad_format(member.name + ": a value is expected, not a table");
    CALLISTO_TRY(const json::Node node, body_of(member.value));
    auto value = records::from_json(*property, node);
    if (!value) return bad_format(member.name + ": " + value.error().message);
    if (std::string why = records::unknown_state(entity, *property, *value); !why.empty())
      return bad_format(std::move(why));
    row.values.insert_or_assign(property, *std::move(value));
  }
  CALLISTO_CHECK(give_partition(*who, row));
  if (entity.states) row.values.emplace(entity.states->property, entity.states->initial()->value);
  records::Inserter inserter(parts_.model->store, connection_, clock_.now(), random_);
  CALLISTO_TRY(const std::int64_t key, inserter.insert(row));
  CALLISTO_CHECK(inserter.finish());
  return key;
}

Result<Key> TestServer::create(std::size_t number, const catalog::Entity& entity, const script::Data& body) {
  CALLISTO_TRY(const auth::Session* who, session(number));
  CALLISTO_TRY(const records::Written written, writer_->create(entity, {*who, body_of(body)}));
  return Key{written.entity, written.key};
}

Result<Key> TestServer::act(std::size_t number, const catalog::Entity& entity, std::int64_t key,
                            std::string_view action, const script::Data& body) {
  CALLISTO_TRY(const auth::Session* who, session(number));
  CALLISTO_TRY(const records::Written written, writer_->act(entity, key, action, {*who, body_of(body)}));
  return Key{written.entity, written.key};
}

Result<std::optional<Key>> TestServer::find(std::size_t number, const catalog::Entity& entity, std::int64_t key) {
  CALLISTO_TRY(const auth::Session* who, session(number));
  const records::Context context{*parts_.model, *who, *slot_->connection, *slot_->scripts};
  CALLISTO_TRY(const auto found, records::find_visible(context, entity, key));
  if (!found) return std::optional<Key>();
  return std::optional(Key{&found->entity(), key});
}

Result<std::vector<records::Store::Key>> TestServer::search(std::size_t number, const catalog::Entity& entity,
                                                            const script::Host::Query& query) {
  constexpr std::size_t most = 1000;
  CALLISTO_TRY(const auth::Session* who, session(number));
  const records::Context context{*parts_.model, *who, *slot_->connection, *slot_->scripts};
  CALLISTO_CHECK(check_readable(context, entity));
  return records::find_keys(context, entity, query, most, records::AskedBy::Session);
}

Result<std::int64_t> TestServer::count(std::size_t number, const catalog::Entity& entity,
                                       const script::Host::Query& query) {
  CALLISTO_TRY(const auth::Session* who, session(number));
  const records::Context context{*parts_.model, *who, *slot_->connection, *slot_->scripts};
  CALLISTO_CHECK(check_readable(context, entity));
  return records::count_all(context, entity, query, records::AskedBy::Session);
}

// By the record's own kind: what a search of its parent found may be one of its children.
Result<void> TestServer::check_action(const catalog::Entity& entity, std::int64_t key, std::string_view name,
                                      const script::Data& values) {
  CALLISTO_TRY(const auto record, parts_.model->store.load(connection_, entity, key));
  const catalog::Entity& own = record ? record->entity() : entity;
  const catalog::Action* action = own.find_action(name);
  if (!action && is_taken_away(own, name)) return {};
  if (!action) return no_action(own, name);
  for (const script::DataMember& member : values.members) CALLISTO_CHECK(check_input(own, *action, member.name));
  return {};
}

Result<void> TestServer::check_event(std::string_view name) const {
  const std::set<std::string> known = event_names(*parts_.model->program);
  if (known.count(std::string(name)) != 0) return {};
  const std::string near = text::nearest(name, {known.begin(), known.end()});
  return bad_format("nothing in the scripts raises " + text::quoted(name) +
                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

Result<Value> TestServer::get(const catalog::Entity& entity, std::int64_t key, std::string_view name) {
  const catalog::Property* property = entity.find_property(name);
  if (!property) return no_property(entity, name);
  CALLISTO_TRY(const auto record, parts_.model->store.load(connection_, entity, key));
  if (!record) return record_not_found("there is no " + entity.name + " " + std::to_string(key) + " any more");
  Value value = record->get(*property);
  if (property->sealed && !is_null(value)) return Value(std::string(catalog::system::sealed_mask));
  return value;
}

Result<std::vector<std::string>> TestServer::offered(std::size_t number, const catalog::Entity& entity,
                                                     std::int64_t key) {
  CALLISTO_TRY(const auth::Session* who, session(number));
  const records::Context context{*parts_.model, *who, *slot_->connection, *slot_->scripts};
  std::vector<std::string> names;
  CALLISTO_TRY(const auto record, records::find_visible(context, entity, key));
  if (!record) return names;
  records::RuleCheck rules(context);
  CALLISTO_TRY(const auto actions, rules.actions(*record));
  for (const catalog::Action* action : actions) names.push_back(action->name);
  return names;
}

Result<bool> TestServer::undone(const std::function<Result<bool>()>& what) {
  CALLISTO_TRY(storage::Savepoint part, storage::Savepoint::begin(connection_));
  const std::size_t raised = raised_.size();
  auto answer = what();
  raised_.resize(raised);
  CALLISTO_CHECK(part.roll_back());
  return answer;
}

Result<std::optional<records::Record>> TestServer::load(const Key& key) {
  CALLISTO_TRY(auto record, parts_.model->store.load(connection_, *key.entity, key.key));
  if (record && records::is_deleted(*record)) record.reset();
  return record;
}

Result<std::vector<records::Record>> TestServer::visible(std::size_t number, const catalog::Entity& entity,
                                                         std::size_t most) {
  CALLISTO_TRY(const auth::Session* who, session(number));
  const records::Context context{*parts_.model, *who, *slot_->connection, *slot_->scripts};
  CALLISTO_TRY(const auto keys, parts_.model->store.find(connection_, entity, {}, most));
  std::vector<records::Record> found;
  for (const records::Store::Key& key : keys) {
    if (key.size() != 1) continue;
    CALLISTO_TRY(auto record, records::find_visible(context, entity, key.front()));
    if (record) found.push_back(*std::move(record));
  }
  return found;
}

Result<bool> TestServer::satisfies(const records::Record& record, const std::string& filter) {
  auth::Session all_seeing;
  all_seeing.type = auth::SessionType::Analyst;
  all_seeing.person = 0;
  all_seeing.rights = {"Administration", "Integration", "*:Read"};
  if (!all_seeing_) all_seeing_ = sessions_->add(std::move(all_seeing));
  const std::string& key = record.entity().key.front()->name;
  std::string query;
  append_encoded(query, "(" + filter + ") && " + key + " == " + std::to_string(record.key()));
  CALLISTO_TRY(const Answer answer,
               request(*all_seeing_, "GET", record.entity().name + "?$count=true&$filter=" + query, {}, {}));
  if (answer.status != 200) return bad_format("asking whether " + filter + ": " + answer.body);
  return answer.body == "1";
}

Result<Answer> TestServer::request(std::size_t number, std::string method, std::string_view target, Headers headers,
                                   std::string body) {
  headers.emplace_back("Authorization", "Bearer " + KnownSessions::token_of(number));
  headers.emplace_back("Host", "localhost");
  if (!body.empty()) headers.emplace_back("Content-Type", "application/json");
  const std::string path = parts_.api.api_root + "/" + parts_.api.versions.front() + "/" + std::string(target);
  LocalRequest request(std::move(method), path, std::move(headers), std::move(body));
  http::Response response;
  failures_.last.clear();
  api_->handle(request, response);
  Answer answer{response.status, std::move(response.headers), response.content(), {}};
  if (answer.status == 500) answer.failure = failures_.last;
  return answer;
}

}  // namespace callisto::testing
