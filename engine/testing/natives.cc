#include "engine/testing/natives.h"

#include "engine/base/text.h"
#include "engine/query/options.h"
#include "engine/testing/data_json.h"
#include "engine/testing/walk/walk.h"

#include <algorithm>

namespace callisto::testing {

namespace {

using script::Data;
using Arguments = std::vector<Data>;

const Data& at(const Arguments& arguments, std::size_t index) {
  static const Data nothing;
  return index < arguments.size() ? arguments[index] : nothing;
}

std::size_t session_at(const Arguments& arguments, std::size_t index) {
  return static_cast<std::size_t>(at(arguments, index).whole());
}

Data number(std::int64_t value) { return Value(value); }

Data data_of(const Key& key) { return Data::map({{"entity", Value(key.entity->name)}, {"key", number(key.key)}}); }

Data data_of(const std::vector<std::string>& texts) {
  std::vector<Data> items;
  for (const std::string& text : texts) items.emplace_back(Value(text));
  return Data::list(std::move(items));
}

Data data_of(const std::vector<Raised>& raised) {
  std::vector<Data> items;
  for (const Raised& each : raised)
    items.push_back(
        Data::map({{"name", Value(each.event)}, {"entity", Value(each.entity)}, {"key", number(each.key)}}));
  return Data::list(std::move(items));
}

Data data_of(Answer answer) {
  std::vector<script::DataMember> headers;
  for (auto& [name, value] : answer.headers) headers.push_back({name, Value(std::move(value))});
  const auto body = json::parse(answer.body, {64, 200'000});
  return Data::map({{"status", number(answer.status)},
                    {"headers", Data::map(std::move(headers))},
                    {"failure", answer.failure.empty() ? Data() : Data(Value(std::move(answer.failure)))},
                    {"body", body ? from_json(*body) : Data(Value(std::move(answer.body)))}});
}

Headers headers_of(const Data& data) {
  Headers headers;
  for (const script::DataMember& member : data.members) headers.emplace_back(member.name, member.value.text());
  return headers;
}

bool is_given(const Data& data) { return data.kind != Data::Kind::Value || !is_null(data.value); }

// insert, create: (session, entity, values)
script::Natives making(TestServer& desk) {
  return {{"insert",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 1).text()));
             CALLISTO_TRY(const std::int64_t key, desk.insert(session_at(given, 0), *entity, at(given, 2)));
             if (entity->key.size() != 1) return Data();  // a record without a key of its own
             return data_of({entity, key});
           }},
          {"create", [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 1).text()));
             CALLISTO_TRY(const Key key, desk.create(session_at(given, 0), *entity, at(given, 2)));
             return data_of(key);
           }}};
}

// (session, entity, key, ...); check_action: (entity, key, action, values); get: (entity, key, property)
script::Natives using_records(TestServer& desk) {
  return {{"act",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 1).text()));
             CALLISTO_TRY(const Key key, desk.act(session_at(given, 0), *entity, at(given, 2).whole(),
                                                  at(given, 3).text(), at(given, 4)));
             return data_of(key);
           }},
          {"find",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 1).text()));
             CALLISTO_TRY(const auto found, desk.find(session_at(given, 0), *entity, at(given, 2).whole()));
             return found ? data_of(*found) : Data();
           }},
          {"offered",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 1).text()));
             CALLISTO_TRY(const auto names, desk.offered(session_at(given, 0), *entity, at(given, 2).whole()));
             return data_of(names);
           }},
          {"check_action",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 0).text()));
             CALLISTO_CHECK(desk.check_action(*entity, at(given, 1).whole(), at(given, 2).text(), at(given, 3)));
             return Data();
           }},
          {"get", [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 0).text()));
             CALLISTO_TRY(Value value, desk.get(*entity, at(given, 1).whole(), at(given, 2).text()));
             return Data(std::move(value));
           }}};
}

// A value, { list = { ... } } for a list, or nothing for null.
script::Host::Query::Given given_of(const Data& data) {
  script::Host::Query::Given given;
  if (const Data* list = data.find("list")) {
    given.is_list = true;
    for (const Data& each : list->items) given.values.push_back(each.value);
  } else {
    const Data* value = data.find("value");
    given.values.push_back(value ? value->value : Value(Null{}));
  }
  return given;
}

// (session, entity, { filter, values, orderby, top })
script::Host::Query query_of(const Data& data) {
  script::Host::Query query;
  const auto text = [&](std::string_view name) { return data.find(name) ? data.find(name)->text() : std::string(); };
  query.filter = text("filter");
  query.orderby = text("orderby");
  if (const Data* values = data.find("values"))
    for (const Data& each : values->items) query.given.push_back(given_of(each));
  if (const Data* top = data.find("top")) query.top = static_cast<std::size_t>(top->whole());
  return query;
}

script::Natives searching(TestServer& desk) {
  return {{"placeholders",
           [](const Arguments& given) -> Result<Data> {
             return number(static_cast<std::int64_t>(query::placeholders(at(given, 0).text())));
           }},
          {"key_parts",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 0).text()));
             std::vector<std::string> names;
             for (const catalog::Property* part : entity->key) names.push_back(part->name);
             return data_of(names);
           }},
          {"search",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 1).text()));
             CALLISTO_TRY(const auto found, desk.search(session_at(given, 0), *entity, query_of(at(given, 2))));
             std::vector<Data> keys;
             for (const auto& key : found) {
               std::vector<Data> parts;
               for (const std::int64_t part : key) parts.push_back(number(part));
               keys.push_back(Data::list(std::move(parts)));
             }
             return Data::list(std::move(keys));
           }},
          {"count", [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const auto* entity, desk.entity(at(given, 1).text()));
             CALLISTO_TRY(const std::int64_t count, desk.count(session_at(given, 0), *entity, query_of(at(given, 2))));
             return number(count);
           }}};
}

// The states of that name, or of a group of that name.
Result<std::vector<std::int64_t>> states_of(const catalog::Entity& entity, const std::string& name) {
  std::vector<std::int64_t> values;
  std::vector<std::string_view> names;
  if (!entity.states) return bad_format(entity.name + " has no states");
  for (const catalog::State& state : entity.states->states) {
    names.emplace_back(state.name);
    const bool is_in = std::find(state.groups.begin(), state.groups.end(), name) != state.groups.end();
    if (state.name == name || is_in) values.push_back(state.value);
  }
  if (!values.empty()) return values;
  const std::string near = text::nearest(name, names);
  return bad_format(entity.name + " has no state " + text::quoted(name) +
                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

// walk: (sessions, entity, key, { state, without, where, depth }) -> the actions that lead there, or nothing
script::Natives walking(TestServer& desk) {
  script::Native walk = [&desk](const Arguments& given) -> Result<Data> {
    CALLISTO_TRY(const auto* entity, desk.entity(at(given, 1).text()));
    const Key key{entity, at(given, 2).whole()};
    CALLISTO_TRY(const auto record, desk.load(key));
    if (!record) return record_not_found("there is no such record any more");
    const auto option = [&](std::string_view name) -> const Data& {
      const Data* found = at(given, 3).find(name);
      return found ? *found : at({}, 0);
    };
    WalkOptions options;
    for (const Data& session : at(given, 0).items)
      options.sessions.push_back(static_cast<std::size_t>(session.whole()));
    CALLISTO_TRY(options.targets, states_of(record->entity(), option("state").text()));
    for (const Data& action : option("without").items) {
      CALLISTO_CHECK(desk.check_action(*entity, key.key, action.text(), {}));
      options.without.insert(action.text());
    }
    options.where = option("where").text();
    options.depth = static_cast<std::size_t>(option("depth").whole());
    CALLISTO_TRY(const auto path, Walk(desk, options).find(key));
    return path ? data_of(*path) : Data();
  };
  walk.has_own_bound = true;
  return {{"walk", std::move(walk)}};
}

script::Natives signing_in(TestServer& desk) {
  return {{"as",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const std::size_t session, desk.sign_in(at(given, 0).text(), at(given, 1).text()));
             return number(static_cast<std::int64_t>(session));
           }},
          {"anonymous",
           [&desk](const Arguments&) -> Result<Data> {
             CALLISTO_TRY(const std::size_t session, desk.sign_in_nobody());
             return number(static_cast<std::int64_t>(session));
           }},
          {"sign_in",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const Key key, desk.admit(at(given, 0)));
             return data_of(key);
           }},
          {"person", [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_TRY(const std::int64_t key, desk.person(session_at(given, 0)));
             return number(key);
           }}};
}

// request: (session, method, target, body, headers)
script::Natives of_the_whole(TestServer& desk) {
  return {{"request",
           [&desk](const Arguments& given) -> Result<Data> {
             std::string body = is_given(at(given, 3)) ? to_json(at(given, 3)) : std::string();
             CALLISTO_TRY(Answer answer, desk.request(session_at(given, 0), at(given, 1).text(), at(given, 2).text(),
                                                      headers_of(at(given, 4)), std::move(body)));
             return data_of(std::move(answer));
           }},
          {"events", [&desk](const Arguments&) -> Result<Data> { return data_of(desk.raised()); }},
          {"check_event",
           [&desk](const Arguments& given) -> Result<Data> {
             CALLISTO_CHECK(desk.check_event(at(given, 0).text()));
             return Data();
           }},
          {"now", [&desk](const Arguments&) -> Result<Data> { return Data(Value(desk.clock().now())); }},
          {"set_clock",
           [&desk](const Arguments& given) -> Result<Data> {
             const auto* moment = std::get_if<DateTime>(&at(given, 0).value);
             if (!moment) return bad_format("a moment is due");
             desk.clock().set(*moment);
             return Data();
           }},
          {"run_due", [&desk](const Arguments&) -> Result<Data> {
             CALLISTO_TRY(const std::size_t count, desk.run_due());
             return number(static_cast<std::int64_t>(count));
           }}};
}

}  // namespace

script::Natives natives_of(TestServer& desk) {
  script::Natives all = making(desk);
  all.merge(using_records(desk));
  all.merge(searching(desk));
  all.merge(signing_in(desk));
  all.merge(walking(desk));
  all.merge(of_the_whole(desk));
  return all;
}

}  // namespace callisto::testing
