// GET {entity}/$rules: which state offers which action to whom, where each rule stands, and what in the rules can
// hardly be meant (API rule 3.8). With $inlinecount, how many records are in each state. For the right Administration.
#include "engine/api/answers/action_entries.h"
#include "engine/api/answers/state_diagram.h"
#include "engine/api/api.h"
#include "engine/api/links.h"
#include "engine/api/requests/compile.h"
#include "engine/http/url.h"
#include "engine/records/examine.h"
#include "engine/records/search.h"
#include "engine/records/visible.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::Entity;
using records::Chance;

const char* name_of(Chance chance) {
  return chance == Chance::Always ? "Always" : chance == Chance::Perhaps ? "Perhaps" : "Never";
}

// Whom the rules of the entity name at all, and both types of sessions.
std::vector<std::string_view> grantees_of(const Entity& entity) {
  std::vector<std::string_view> named;
  for (const std::string_view grantee : catalog::grantees) {
    const bool is_named = std::any_of(entity.actions.begin(), entity.actions.end(), [grantee](const Action* action) {
      return action->allowed.count(std::string(grantee)) > 0;
    });
    if (is_named || grantee == "Analyst" || grantee == "User") named.push_back(grantee);
  }
  return named;
}

void write_chances(const Call& call, json::Writer& writer, const Entity& entity, const Action& action, Chance offered,
                   std::int64_t state) {
  for (const std::string_view grantee : grantees_of(entity)) {
    const Chance granted = granted_in(call.model, entity, action, state, grantee);
    writer.key(grantee).string(name_of(std::min(offered, granted)));
  }
}

// A cell for each state; one for what is not there yet, or has no states.
void write_cells(const Call& call, json::Writer& writer, const Entity& entity, const Action& action) {
  writer.key("cells").begin_array();
  if (action.creates() || !entity.states) {
    writer.begin_object().key("state").null();
    write_chances(call, writer, entity, action, Chance::Always, 0);
    writer.end_object();
  } else {
    for (const catalog::State& state : entity.states->states) {
      writer.begin_object().key("state").string(state.name);
      write_chances(call, writer, entity, action, offered_in(call.model, entity, action, state.value), state.value);
      writer.end_object();
    }
  }
  writer.end_array();
}

void write_action(const Call& call, json::Writer& writer, const Entity& entity, const Action& action) {
  writer.begin_object();
  writer.key("name").string(action.pascal_name).key("displayName").string(action.title);
  writer.key("description").string(action.description);
  writer.key("_self").string(link(call.version(), entity.name + "/$" + action.name + "?$options"));
  write_states(writer, entity, action);
  write_rules(writer, action);
  write_cells(call, writer, entity, action);
  writer.end_object();
}

using Counts = std::map<std::int64_t, std::int64_t>;  // records by state

Result<bool> asks_counts(const Call& call) {
  CALLISTO_TRY(const auto pairs, http::decode_query(call.request.raw_query));
  CALLISTO_TRY(const query::Options options, query::parse_options(pairs));
  return options.inline_count;
}

// As a search for groups finds them: what this session sees.
Result<Counts> count_states(const Call& call, const Entity& entity) {
  CALLISTO_TRY(auto slot, borrow_slot(call));
  const std::string_view asked = call.request.raw_query;
  const std::string groups = "$groupby=" + entity.states->property->name;
  call.request.raw_query = groups;
  const auto query = compiled(call, entity, QueryKind::Search, nullptr, *slot);
  call.request.raw_query = asked;
  if (!query) return query.error();
  const records::Context context = call.context(*slot);
  CALLISTO_TRY(const auto page, records::search(context, (*query)->prepared, std::nullopt));
  Counts counts;
  for (;;) {
    CALLISTO_TRY(const bool more, page.rows->step());
    if (!more) return counts;
    if (!page.rows->is_null(0)) counts[page.rows->integer(0)] = page.rows->integer(1);
  }
}

void write_state_list(json::Writer& writer, const Entity& entity, const std::optional<Counts>& counts) {
  writer.key("states").begin_array();
  if (entity.states)
    for (const catalog::State& state : entity.states->states) {
      writer.begin_object().key("name").string(state.name).key("value").integer(state.value);
      writer.key("description").string(state.description);
      writer.key("initial").boolean(state.initial).key("final").boolean(state.final);
      const auto count = counts ? counts->find(state.value) : Counts::const_iterator();
      if (counts) writer.key("__count").integer(count == counts->end() ? 0 : count->second);
      writer.end_object();
    }
  writer.end_array();
}

bool is_about(const catalog::Problem& problem, const Entity& entity) {
  for (const Entity* each = &entity; each; each = each->parent)
    if (problem.origin.file.find("/" + each->name + "/") != std::string::npos) return true;
  return false;
}

void write_warnings(const Call& call, json::Writer& writer, const Entity& entity) {
  writer.key("warnings").begin_array();
  for (const catalog::Problem& problem : records::examine(call.model)) {
    if (!is_about(problem, entity)) continue;
    writer.begin_object().key("message").string(problem.message);
    writer.key("source").string(problem.origin.file + ":" + std::to_string(problem.origin.line)).end_object();
  }
  writer.end_array();
}

}  // namespace

Result<void> handle_rules(const Call& call) {
  if (!call.route.entity || call.route.sub) return resource_not_found("There is nothing at this path.");
  if (!call.session.may("Administration")) return forbidden("Rules are told to whoever has the right Administration.");
  const Entity& entity = *call.route.entity;
  CALLISTO_TRY(const bool counted, asks_counts(call));
  std::optional<Counts> counts;
  if (counted && entity.states && records::may_read(call.access, entity)) {
    CALLISTO_TRY(counts, count_states(call, entity));
  }
  json::Writer writer(call.response.body);
  writer.begin_object();
  writer.key("_self").string(link(call.version(), entity.name + "/$rules"));
  writer.key("_context").string(link(call.version(), entity.name + "/$metadata"));
  if (entity.states) writer.key("stateProperty").string(entity.states->property->name);
  writer.key("grantees").begin_array();
  for (const std::string_view grantee : grantees_of(entity)) writer.string(grantee);
  writer.end_array();
  write_state_list(writer, entity, counts);
  writer.key("actions").begin_array();
  for (const Action* action : entity.actions)
    if (action->supported && !action->of_deleted) write_action(call, writer, entity, *action);
  writer.end_array();
  write_warnings(call, writer, entity);
  write_diagram(writer, call.model, entity);
  writer.end_object();
  return {};
}

}  // namespace callisto::api
