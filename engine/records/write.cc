#include "engine/records/write.h"

#include "engine/base/text.h"
#include "engine/catalog/naming.h"
#include "engine/records/check_input.h"
#include "engine/records/secret_input.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Entity;
using catalog::Property;

constexpr std::chrono::seconds patience{10};  // for one of the hands, of which there are as many as can be needed

Error not_known(const Entity& entity, const Action* action, std::string_view name) {
  if (action && !action->is_own())
    return not_supported("Records of " + entity.name + " cannot be " +
                             (action->creates()   ? "created"
                              : action->updates() ? "updated"
                                                  : "deleted") +
                             " here.",
                         "GET, HEAD, OPTIONS");
  std::vector<std::string_view> names;
  for (const Action* each : entity.actions)
    if (each->is_own()) names.emplace_back(each->name);
  const std::string near = text::nearest(name, names);
  return resource_not_found("There is no " + text::quoted(name) + " below " + catalog::with_article(entity.name) +
                            (near.empty() ? "." : "; did you mean '" + near + "'?"));
}

Result<void> check_allowed(Change& change, const Record& record, const Action& action) {
  CALLISTO_TRY(const bool allowed, change.rules().allows(record, action));
  if (allowed) return {};
  return forbidden("This session may not " + action.name + " this " + record.entity().name + ".");
}

// A deleted record, where the action is what brings it back.
Result<std::optional<Change::Handle>> find_deleted(Change& change, const Entity& entity, std::int64_t key,
                                                   std::string_view name) {
  const auto is_it = [&](const Entity* type) {
    return type->restore && (text::equals_ignoring_ascii_case(name, type->restore->name) ||
                             text::equals_ignoring_ascii_case(name, type->restore->pascal_name));
  };
  const auto types = entity.final_types();
  if (std::none_of(types.begin(), types.end(), is_it)) return std::optional<Change::Handle>();
  CALLISTO_TRY(auto handle, change.find_deleted(entity, key));
  if (handle && !is_it(&change.entity(*handle))) handle.reset();
  return handle;
}

// The steps of API rule 4.5 that need the record, in their order.
class Request {
 public:
  Request(const Context& context, Change& change, const WriteRequest& request, const SecretInput& secrets)
      : context_(context), change_(change), request_(request), secrets_(secrets) {}

  Result<void> run(Change::Handle handle, const Action& action) {
    CALLISTO_TRY(const Input input, check(handle, action));
    return change_.perform(handle, action, input);
  }

  Result<Input> check(Change::Handle handle, const Action& action) {
    const Record& record = change_.record(handle);
    CALLISTO_CHECK(check_allowed(change_, record, action));
    CALLISTO_CHECK(check_body(request_));
    CALLISTO_CHECK(check_version(record, request_.if_match));
    CALLISTO_TRY(const bool offered, change_.rules().offers(record, action));
    if (!offered && !mends(record, action)) CALLISTO_CHECK(not_offered(record, action));
    CALLISTO_TRY(Input input, read(record, action, *request_.body));
    CALLISTO_CHECK(check_properties(record, action, input));
    return input;
  }

 private:
  // An administrator gives a partition to a record that has none and should, whatever its state: nothing else does.
  bool mends(const Record& record, const Action& action) const {
    const Property* limit = record.entity().limiting_partition();
    const auto& given = request_.body->members();
    return limit && is_null(record.get(*limit)) && action.updates() && context_.session.may("Administration") &&
           given.size() == 1 && given.front().name == limit->name && !given.front().value.is_null();
  }

  // API rule 4.5 lets a body change properties along with an action: those that the action names, and others where
  // the record could be updated.
  Result<void> check_properties(const Record& record, const Action& action, const Input& input) {
    const Action* update = record.entity().find_action("update");
    if (!action.is_own() || !update) return {};
    for (const auto& [property, value] : input.properties) {
      const auto is_it = [name = property](const catalog::Parameter& each) { return each.property == name; };
      const bool is_named = std::any_of(action.parameters.begin(), action.parameters.end(), is_it);
      if (is_named || record.get(*property) == value) continue;
      CALLISTO_CHECK(check_allowed(change_, record, *update));
      CALLISTO_TRY(const bool offered, change_.rules().offers(record, *update));
      if (!offered) return not_offered(record, *update);
      return {};
    }
    return {};
  }

  Result<Input> read(const Record& record, const Action& action, const json::Node& body) {
    CALLISTO_TRY(const RecordFields fields, change_.rules().fields(record));
    ReadBody read = read_body(body, action, record, fields);
    take_secrets(action, read);
    for (PropertyError& problem : missing(action, read.input, fields))
      if (!is_told(read.problems, problem.property)) read.problems.push_back(std::move(problem));
    if (action.updates() && read.problems.empty() && read.input.properties.empty() && body.members().empty())
      return bad_format("Give at least one property to change.");
    CALLISTO_CHECK(check_input(context_, change_, action, record, read));
    return std::move(read.input);
  }

  // A script never sees a secret as it came.
  void take_secrets(const Action& action, ReadBody& read) const {
    for (const catalog::Parameter& parameter : action.parameters)
      if (parameter.secret != catalog::Parameter::Secret::No) read.input.parameters.erase(parameter.property->name);
    for (const auto& [name, value] : secrets_.values) read.input.parameters.insert_or_assign(name, value);
    for (const PropertyError& problem : secrets_.problems)
      if (!is_told(read.problems, problem.property)) read.problems.push_back(problem);
  }

  static bool is_told(const std::vector<PropertyError>& problems, const std::string& property) {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const PropertyError& each) { return each.property == property; });
  }

  // Always an error.
  Result<void> not_offered(const Record& record, const Action& action) {
    CALLISTO_TRY(const auto offered, change_.rules().actions(record));
    std::string names;
    for (const Action* each : offered) names += (names.empty() ? "" : ", ") + each->name;
    CALLISTO_TRY(const bool by_rule, change_.rules().offers_in_any_state(record, action));
    CALLISTO_TRY(const RecordFields fields, change_.rules().fields(record));
    const catalog::StateSet* states = record.entity().states;
    const std::string state = states && fields.hides(*states->property) ? "its state" : state_name(record);
    const bool tells_why = !by_rule && !fields.hides_word_of(action.offered);
    const std::string message = "This " + record.entity().name + " in " + state + " does not offer " + action.name +
                                (tells_why ? ", which needs " + action.offered : "") +
                                (names.empty() ? "; it offers nothing to this session." : "; it offers " + names + ".");
    // API rule 2.14: what can no longer be deleted is a record that does not support it.
    if (action.removes()) return not_supported(message, "GET, HEAD, OPTIONS, PUT");
    return invalid_state(message);
  }

  const Context& context_;
  Change& change_;
  const WriteRequest& request_;
  const SecretInput& secrets_;
};

}  // namespace

Result<void> check_body(const WriteRequest& request) {
  if (!request.body) return request.body.error();
  const json::Node& body = *request.body;
  if (body.kind() == json::Node::Kind::Object || body.is_null()) return {};
  return bad_format("The body must be a JSON object, not " + std::string(json::name(body.kind())) + ".");
}

// API rule 2.13: any ETag of the current version. A tag begins with the version: "12.abc".
Result<void> check_version(const Record& record, std::string_view if_match) {
  const std::string_view wanted = text::trim(if_match);
  const Property* property = record.entity().find_property(catalog::system::version);
  if (wanted.empty() || wanted == "*" || !property) return {};
  const Value version = record.get(*property);
  for (std::string_view tag : text::split(wanted, ',')) {
    tag = text::trim(tag);
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag.starts_with('"')) tag.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(tag.data(), tag.data() + tag.size(), number);
    if (problem == std::errc() && end != tag.data() + tag.size() && *end == '.' && Value(number) == version) return {};
  }
  Error error =
      invalid_state("If-Match: the record has changed since you read it. Read it again and repeat your change.");
  error.diagnostic = Diagnostic{"If-Match", 0, {}, {}, {}};
  return error;
}

Result<void> Writer::together(const auth::Session& session, const std::function<Result<void>(Together&)>& body,
                              const events::Cause& cause) {
  std::unique_ptr<events::Sink> sink;
  CALLISTO_CHECK(database_.write([&](storage::Connection& connection) -> Result<void> {
    const auto worker = workers_.borrow(FairTurns::nobody, patience);
    if (!worker) return unavailable("The server is busy. Try again.", 1);
    const auto context = [&] {
      Context made{model_, session, connection, *worker->scripts, cause};
      if (model_.caches) made.kept = &worker->kept;
      return made;
    };
    const Context of_sink = context();
    sink = worker->sinks(of_sink);
    Together steps(*this, [&](const Together::WithChange& step) -> Result<void> {
      const Context own = context();
      Change change(own, clock_.now(), random_, *sink, secrets_);
      CALLISTO_CHECK(step(own, change));
      return change.finish();
    });
    return body(steps);
  }));
  sink->committed();
  return {};
}

Result<void> Writer::write(const auth::Session& session,
                           const std::function<Result<void>(const Context&, Change&)>& body,
                           const events::Cause& cause) {
  return together(
      session, [&](Together& only) { return only.begin_(body); }, cause);
}

Result<std::optional<RepeatedAnswer>> Writer::find_answer(const Context& context,
                                                          const std::optional<RepeatKey>& repeat) const {
  if (!repeat) return std::optional<RepeatedAnswer>();
  CALLISTO_TRY(auto found, find_repeated(context.connection, context.session, *repeat, clock_.now()));
  if (found && !model_.catalog().find(found->entity))
    return bad_format("What this Idempotency-Key made was a " + found->entity +
                      ", which this server no longer has. Send a new key with every new request.");
  return found;
}

Result<void> Writer::keep_answer(const Context& context, const std::optional<RepeatKey>& repeat,
                                 const RepeatedAnswer& answer) const {
  if (!repeat) return {};
  return records::keep_answer(context.connection, context.session, *repeat, answer, clock_.now());
}

Result<Written> Writer::created(const Context& context, Change& change, const Entity& entity,
                                const WriteRequest& request, const std::optional<RepeatKey>& repeat) const {
  const Action* action = entity.find_action("create");
  if (!action || !action->supported || entity.abstract || entity.key.size() != 1)
    return not_known(entity, action, "create");
  CALLISTO_TRY(const auto first, find_answer(context, repeat));
  if (first) return Written{model_.catalog().find(first->entity), first->key, true};
  CALLISTO_TRY(const Change::Handle handle, change.make(entity));
  CALLISTO_CHECK(Request(context, change, request, {}).run(handle, *action));
  CALLISTO_CHECK(change.finish());
  const Record& made = change.record(handle);
  CALLISTO_CHECK(keep_answer(context, repeat, {entity.name, made.key()}));
  return Written{&entity, made.key(), false, change.made_secrets(), {}, nullptr, made};
}

Result<Written> Writer::acted(const Context& context, Change& change, const Entity& entity, std::int64_t key,
                              std::string_view name, const WriteRequest& request,
                              const std::optional<RepeatKey>& repeat, SecretInput& secrets) const {
  CALLISTO_TRY(const auto first, find_answer(context, repeat));
  if (first) return Written{model_.catalog().find(first->entity), first->key, true};
  CALLISTO_TRY(const auto deleted, find_deleted(change, entity, key, name));
  CALLISTO_TRY(const Change::Handle handle, deleted ? Result<Change::Handle>(*deleted) : change.open(entity, key));
  const Entity& type = change.record(handle).entity();
  const Action* action = deleted ? type.restore : type.find_action(name);
  if (!action || !action->supported) return not_known(type, action, name);
  CALLISTO_CHECK(judge_guesses(secrets, secrets_, context.connection, request.session, entity, key));
  CALLISTO_CHECK(Request(context, change, request, secrets).run(handle, *action));
  CALLISTO_CHECK(change.finish());
  const Record& answered = change.record(change.answered(handle));
  CALLISTO_CHECK(keep_answer(context, repeat, {answered.entity().name, answered.key()}));
  return Written{&answered.entity(),       answered.key(), false,   change.made_secrets(),
                 change.answered_values(), action,         answered};
}

Result<Written> Together::create(const Entity& entity, const WriteRequest& request,
                                 const std::optional<RepeatKey>& repeat) {
  Written written;
  CALLISTO_CHECK(begin_([&](const Context& context, Change& change) -> Result<void> {
    CALLISTO_TRY(written, writer_.created(context, change, entity, request, repeat));
    return {};
  }));
  return written;
}

Result<Written> Together::act(const Entity& entity, std::int64_t key, std::string_view name,
                              const WriteRequest& request, const std::optional<RepeatKey>& repeat) {
  if (takes_secrets(entity, name))
    return bad_format("What " + text::quoted(name) + " of " + entity.name +
                      " takes is a secret, which is hashed: send it in a request of its own.");
  Written written;
  SecretInput none;
  CALLISTO_CHECK(begin_([&](const Context& context, Change& change) -> Result<void> {
    CALLISTO_TRY(written, writer_.acted(context, change, entity, key, name, request, repeat, none));
    return {};
  }));
  return written;
}

Result<Written> Writer::create(const Entity& entity, const WriteRequest& request,
                               const std::optional<RepeatKey>& repeat) {
  Written written;
  const auto body = [&](Together& only) -> Result<void> {
    CALLISTO_TRY(written, only.create(entity, request, repeat));
    return {};
  };
  CALLISTO_CHECK(together(request.session, body, request.cause));
  return written;
}

// To hash takes a processor for long: for those alone who see the record and may do the action.
Result<SecretInput> Writer::secrets_of(const Entity& entity, std::int64_t key, std::string_view name,
                                       const WriteRequest& request) {
  if (!takes_secrets(entity, name)) return SecretInput();
  const auto may = [&](const Context&, Change& change) -> Result<void> {
    CALLISTO_TRY(const Change::Handle handle, change.open(entity, key));
    const Record& record = change.record(handle);
    const Action* action = record.entity().find_action(name);
    return action ? check_allowed(change, record, *action) : Result<void>();
  };
  CALLISTO_CHECK(write(request.session, may, request.cause));
  return read_secrets(secrets_, random_, request.session, entity, key, name, request.body);
}

Result<Asked> Writer::ask(const Context& reader, const Entity& entity, std::int64_t key, std::string_view name,
                          const WriteRequest& request) {
  class Nobody final : public events::Sink {
    Result<void> emit(const events::Event&) override { return internal("an event of what only reads"); }
  } nobody;
  Change change(reader, clock_.now(), random_, nobody, {});
  CALLISTO_TRY(const Change::Handle handle, change.open(entity, key));
  const Entity& type = change.record(handle).entity();
  const Action* action = type.find_action(name);
  if (!action || !action->supported) return not_known(type, action, name);
  CALLISTO_TRY(Input input, Request(reader, change, request, {}).check(handle, *action));
  return Asked{change.record(handle), std::move(input)};
}

Result<Written> Writer::act(const Entity& entity, std::int64_t key, std::string_view name, const WriteRequest& request,
                            const std::optional<RepeatKey>& repeat) {
  CALLISTO_TRY(SecretInput secrets, secrets_of(entity, key, name, request));
  Written written;
  const auto body = [&](const Context& context, Change& change) -> Result<void> {
    CALLISTO_TRY(written, acted(context, change, entity, key, name, request, repeat, secrets));
    return {};
  };
  auto done = write(request.session, body, request.cause);
  // Only of whoever may do it at all, lest others lock an account.
  if (!done && done.error().is_refusal() && secrets.is_wrong_guess)
    CALLISTO_CHECK(secrets_.hashes->note_wrong_guess(entity.root().name, key, request.session, name));
  CALLISTO_CHECK(std::move(done));
  return written;
}

}  // namespace callisto::records
