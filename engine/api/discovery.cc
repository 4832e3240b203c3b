// Metadata and options (specification 4.1, decisions.md 3.2, 3.4).
#include "engine/api/api.h"
#include "engine/api/link_entries.h"
#include "engine/api/links.h"
#include "engine/http/url.h"
#include "engine/json/write.h"
#include "engine/query/options.h"

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

// Decisions 3.4: methods, _links, _actions, _self, _context and an Allow header.
void write_options(const Call& call) {
  call.response.headers.emplace_back("Allow", "GET, HEAD, OPTIONS");
  json::Writer writer(call.response.body);
  writer.begin_object();
  writer.key("methods").begin_array();
  writer.string("GET").string("HEAD").string("OPTIONS");
  writer.end_array();
  writer.key("_self").string(self_of(call) + "/$options");
  const catalog::Entity* entity = entity_of(call.route);
  writer.key("_context").string(entity ? link(call.version(), entity->name + "/$metadata")
                                       : "api:" + std::string(call.version()) + "/$metadata");
  writer.key("_links").begin_object();
  if (entity) write_entity_links(writer, *entity, call.version());
  writer.end_object();
  writer.key("_actions").begin_object().end_object();
  writer.end_object();
}

}  // namespace

Result<void> handle_discovery(const Call& call, Route::View view) {
  CALLISTO_TRY(const auto pairs, http::decode_query(call.request.raw_query));
  CALLISTO_CHECK(query::parse_options(pairs));   // a typo is told here too (decisions.md 1.4)
  const catalog::Entity* entity = entity_of(call.route);
  if (entity && view == Route::View::Options) {
    write_options(call);
    return {};
  }
  const CachedText& text = entity ? call.metadata.entity(*entity) : call.metadata.root();
  if (!not_modified(call, text.etag)) call.response.body = text.body;
  return {};
}

}  // namespace callisto::api
