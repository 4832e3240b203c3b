// Metadata and options (API rules 1.2, 3.2, 3.4).
#include "engine/api/answers/action_entries.h"
#include "engine/api/answers/file_entries.h"
#include "engine/api/answers/link_entries.h"
#include "engine/api/api.h"
#include "engine/api/expanded.h"
#include "engine/api/links.h"
#include "engine/api/requests/etags.h"
#include "engine/api/requests/visible_parent.h"
#include "engine/http/url.h"
#include "engine/json/write.h"
#include "engine/query/options.h"
#include "engine/records/rules.h"
#include "engine/records/visible.h"

#include <algorithm>
#include <utility>

namespace callisto::api {

namespace {

const catalog::Entity* entity_of(const Route& route) { return route.sub ? route.sub->entity : route.entity; }

std::string self_of(const Call& call) {
  const Route& route = call.route;
  if (!route.entity) return "api:" + std::string(call.version());
  std::string self = link(call.version(), route.entity->name);
  if (route.key) self += "/" + std::to_string(*route.key);
  if (route.sub) self += "/" + route.sub->name;
  if (route.sub_key) self += "/" + std::to_string(*route.sub_key);
  return self;
}

// What a record offers this session; without a record, what the entity knows.
struct Offer {
  const catalog::Entity* type = nullptr;  // the record's final type
  std::optional<records::Record> record;
  std::vector<const catalog::Action*> actions;
  records::RecordFields fields;  // of the record
};

PropertyView view_of(const Call& call, const Offer& offer) {
  return {&call.access, offer.record ? &offer.fields : nullptr};
}

// API rule 3.4: methods, _links, _actions, _self, _context and an Allow header.
void write_options(const Call& call, const Offer& offer) {
  const Methods allowed = allowed_methods(call.route);
  call.response.headers.emplace_back("Allow", allowed.text());
  json::Writer writer(call.response.body);
  writer.begin_object();
  writer.key("methods").begin_array();
  for (const std::string_view method : allowed.names()) writer.string(method);
  writer.end_array();
  writer.key("_self").string(self_of(call) + "/$options");
  const catalog::Entity* entity = offer.type;
  writer.key("_context")
      .string(entity ? link(call.version(), entity->name + "/$metadata")
                     : "api:" + std::string(call.version()) + "/$metadata");
  writer.key("_links").begin_object();
  if (entity)
    write_entity_links(writer, *entity, call.version(), offer.record ? &*offer.record : nullptr, view_of(call, offer));
  writer.end_object();
  writer.key("_actions").begin_object();
  if (entity && !call.route.sub)
    write_actions(writer, *entity, offer.actions, call.route.key ? std::to_string(*call.route.key) : "{id}",
                  call.version());
  writer.end_object();
  writer.end_object();
}

Result<Offer> offer_of(const Call& call) {
  Offer offer;
  offer.type = entity_of(call.route);
  if (!call.route.key) {
    if (!offer.type) return offer;
    for (const catalog::Action* action : offer.type->actions)
      if (action->supported) offer.actions.push_back(action);
    return offer;
  }
  CALLISTO_TRY(auto slot, borrow_slot(call));
  if (call.route.sub) {
    CALLISTO_CHECK(check_parent(call, *slot));
    return offer;
  }
  const records::Context context = call.context(*slot);
  CALLISTO_TRY(offer.record, records::find_visible(context, *offer.type, *call.route.key));
  if (!offer.record) return records::not_visible(*offer.type);
  offer.type = &offer.record->entity();
  records::RuleCheck rules(context);
  CALLISTO_TRY(offer.actions, rules.actions(*offer.record));
  CALLISTO_TRY(offer.fields, rules.fields(*offer.record));
  return offer;
}

ActionView view_of(const Call& call, const catalog::Action& action) {
  ActionView view;
  view.with_rules = call.session.may("Administration");
  view.properties.access = &call.access;
  const bool is_own = action.updates() || action.removes();
  if (is_own && !call.route.key) view.href = file_template(call.model.catalog(), *call.route.entity, call.version());
  return view;
}

Result<void> answer_text(const Call& call, Result<std::string> text) {
  if (!text) return std::move(text).error();
  if (!not_modified(call.request, call.response, etag_of(*text))) call.response.body = *std::move(text);
  return {};
}

Result<void> describe_root(const Call& call) {
  RootView view;
  view.is_listed = [&](const catalog::Entity& entity) { return records::may_read(call.access, entity); };
  const catalog::Entity* person = call.model.catalog().find(catalog::system::person_entity);
  if (person && view.is_listed(*person)) view.person = call.session.person;
  return answer_text(call, root_text(call.model.catalog(), call.version(), view));
}

// The record of `call/7/close/$options`; nothing where the session sees none.
struct Asked {
  std::optional<records::Record> record;
  std::optional<Verdict> verdict;
};

bool is_in_state_for(const records::Record& record, const catalog::Action& action) {
  const auto& states = record.entity().states;
  if (action.from.empty() || !states) return true;
  const Value value = record.get(*states->property);
  const auto* state = std::get_if<std::int64_t>(&value);
  return state && std::find(action.from.begin(), action.from.end(), *state) != action.from.end();
}

Result<Asked> asked_of(const Call& call) {
  Asked asked;
  const Route& route = call.route;
  if (!route.key || route.sub) return asked;
  CALLISTO_TRY(auto slot, borrow_slot(call));
  const records::Context context = call.context(*slot);
  CALLISTO_TRY(asked.record, records::find_visible(context, *route.entity, *route.key));
  if (!asked.record) return asked;
  const catalog::Action* action = asked.record->entity().find_action(route.action->name);
  if (!action) return asked;
  records::RuleCheck rules(context);
  CALLISTO_TRY(const bool offered, rules.offers_in_any_state(*asked.record, *action));
  CALLISTO_TRY(const bool allowed, rules.allows(*asked.record, *action));
  asked.verdict = Verdict{is_in_state_for(*asked.record, *action), offered, allowed};
  return asked;
}

Result<void> describe_action(const Call& call) {
  const Route& route = call.route;
  CALLISTO_TRY(const Asked asked, asked_of(call));
  ActionView view = view_of(call, *route.action);
  if (asked.record) view.record = &*asked.record;
  view.verdict = asked.verdict;
  const catalog::Action* action = route.entity->find_action(route.action->name);
  call.response.headers.emplace_back("Allow", allowed_methods(route).text());
  json::Writer writer(call.response.body);
  write_action_metadata(writer, *route.entity, action ? *action : *route.action,
                        route.key ? std::to_string(*route.key) : "{id}", call.version(), view);
  return {};
}

}  // namespace

Result<void> handle_discovery(const Call& call, Route::View view) {
  CALLISTO_TRY(const auto pairs, http::decode_query(call.request.raw_query));
  CALLISTO_TRY(const query::Options options, query::parse_options(pairs));  // a typo is told here too (API rule 1.4)
  // API rule 3.2: kept, and asked for again with its ETag.
  call.response.headers.emplace_back("Cache-Control", "no-cache");
  const catalog::Entity* entity = entity_of(call.route);
  const bool is_of_entity = entity && !call.route.sub && !call.route.key && !call.route.action;
  if (!is_of_entity || view != Route::View::Metadata) CALLISTO_CHECK(query::refuse_expand(options));
  if (call.route.action) return describe_action(call);
  if (entity && (view == Route::View::Options || call.route.key)) {
    CALLISTO_TRY(const Offer offer, offer_of(call));
    if (view == Route::View::Options) {
      write_options(call, offer);
      return {};
    }
    if (offer.record) {
      call.response.body = Metadata::instance(*offer.record, offer.actions, call.version(), view_of(call, offer));
      not_modified(call.request, call.response, etag_of(call.response.body, *offer.record));
      return {};
    }
  }
  const bool is_openapi = view == Route::View::OpenApi;
  if (!is_openapi && !entity) return describe_root(call);
  if (options.expand) return answer_text(call, expanded_metadata(call, *options.expand));
  const PropertyView everything{&call.access, nullptr};
  const Metadata& metadata = call.served.metadata;
  const auto text = is_openapi ? metadata.openapi(everything) : metadata.entity(*entity, everything);
  if (!not_modified(call.request, call.response, text->etag)) call.response.kept = text->body;
  return {};
}

}  // namespace callisto::api
