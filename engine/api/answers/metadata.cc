#include "engine/api/answers/metadata.h"

#include "engine/api/answers/action_entries.h"
#include "engine/api/answers/link_entries.h"
#include "engine/api/answers/property_entry.h"
#include "engine/api/links.h"
#include "engine/api/requests/etags.h"
#include "engine/json/write.h"

#include <utility>

namespace callisto::api {

namespace {

using catalog::Entity;
using catalog::Property;

void write_property(json::Writer& writer, const Property& property, const PropertyView& view) {
  writer.begin_object();
  write_property_members(writer, property, view);
  writer.end_object();
}

// API rule 3.2: descendant types, each with _self alone.
void write_descendants(json::Writer& writer, const Entity& entity, std::string_view version) {
  for (const Entity* child : entity.children) {
    writer.begin_object().key("_self").string(link(version, child->name + "/$metadata"));
    writer.end_object();
    write_descendants(writer, *child, version);
  }
}

void write_augmenter_parameters(json::Writer& writer, const catalog::Augmenter& augmenter) {
  writer.key("parameters").begin_array();
  for (const auto& parameter : augmenter.parameters) {
    writer.begin_object().key("name").string(parameter.name);
    writer.key("dataType").string(catalog::name(parameter.type)).end_object();
  }
  writer.end_array();
}

// The one condition that is asked for something: the name of a state or of a group.
void write_state_parameter(json::Writer& writer) {
  writer.key("parameters").begin_array().begin_object();
  writer.key("name").string("state").key("dataType").string(catalog::name(catalog::DataType::Text));
  writer.end_object().end_array();
}

// API rule 3.2: what a form or a table of records is drawn by.
void write_outline(json::Writer& writer, const Entity& entity, const PropertyView& view) {
  writer.key("displayName").string(entity.display_name);
  writer.key("summary").begin_array();
  for (const Property* property : entity.summary)
    if (view.shows(*property)) writer.string(property->name);
  writer.end_array();
  if (entity.label && view.shows(*entity.label)) writer.key("label").string(entity.label->name);
  if (!entity.states || !view.shows(*entity.states->property)) return;
  writer.key("stateProperty").string(entity.states->property->name);
  writer.key("states").begin_array();
  for (const catalog::State& state : entity.states->states) {
    writer.begin_object().key("name").string(state.name).key("description").string(state.description);
    writer.key("value").integer(state.value).key("groups").begin_array();
    for (const std::string& group : state.groups) writer.string(group);
    writer.end_array().key("initial").boolean(state.initial).key("final").boolean(state.final).end_object();
  }
  writer.end_array();
}

void write_augmenters(json::Writer& writer, const Entity& entity) {
  writer.key("augmenters").begin_array();
  for (const catalog::Augmenter* augmenter : entity.augmenters) {
    writer.begin_object();
    writer.key("name").string(augmenter->name);
    writer.key("kind").string(catalog::name(augmenter->kind));
    writer.key("description").string(augmenter->description);
    if (augmenter->kind != catalog::AugmenterKind::Condition)
      writer.key("returns").string(catalog::name(augmenter->returns));
    if (augmenter->kind == catalog::AugmenterKind::Function) write_augmenter_parameters(writer, *augmenter);
    if (augmenter->name == catalog::system::state_condition) write_state_parameter(writer);
    writer.end_object();
  }
  writer.end_array();
}

// `record` null: with templates.
void write_entity(json::Writer& writer, const Entity& entity, const std::vector<const catalog::Action*>& actions,
                  const records::Record* record, std::string_view version, const PropertyView& view) {
  writer.begin_object();
  writer.key("name").string(entity.name);
  writer.key("description").string(entity.description);
  writer.key("status").string(catalog::name(entity.status));
  writer.key("_self").string(link(version, entity.name + "/$metadata"));
  // API rule 3.2: the parent's metadata whenever it extends one.
  if (entity.parent) writer.key("_context").string(link(version, entity.parent->name + "/$metadata"));
  write_outline(writer, entity, view);
  writer.key("children").begin_array();
  write_descendants(writer, entity, version);
  writer.end_array();
  writer.key("properties").begin_array();
  for (const Property* property : entity.properties)
    if (!property->query_alias && view.shows(*property)) write_property(writer, *property, view);
  writer.end_array();
  write_augmenters(writer, entity);
  writer.key("_links").begin_object();
  write_entity_links(writer, entity, version, record, view);
  writer.end_object();
  writer.key("_actions").begin_object();
  write_actions(writer, entity, actions, record ? std::to_string(record->key()) : "{id}", version);
  writer.end_object();
  writer.end_object();
}

// All actions that the entity knows (API rule 3.2).
std::vector<const catalog::Action*> supported(const Entity& entity) {
  std::vector<const catalog::Action*> actions;
  for (const catalog::Action* action : entity.actions)
    if (action->supported) actions.push_back(action);
  return actions;
}

std::string entity_text(const Entity& entity, std::string_view version, const PropertyView& view) {
  std::string text;
  json::Writer writer(text);
  write_entity(writer, entity, supported(entity), nullptr, version, view);
  return text;
}

// The record of the person who asks, in the words of an entity's link.
void write_me(json::Writer& writer, std::int64_t person, std::string_view version) {
  const std::string entity(catalog::system::person_entity);
  writer.key("me").begin_array().begin_object();
  writer.key("_self").string(link(version, entity + "/$metadata"));
  writer.key("href").string(link(version, entity + "/" + std::to_string(person)));
  writer.key("method").string("GET").end_object().end_array();
}

}  // namespace

std::string root_text(const catalog::Catalog& catalog, std::string_view version, const RootView& view) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.key("description").string("The entities of this service. Each link leads to the metadata of one.");
  writer.key("_self").string("api:" + std::string(version) + "/$metadata");
  writer.key("_links").begin_object();
  for (const auto& entity : catalog.entities()) {
    if (!entity->top_level || !view.is_listed(*entity)) continue;
    writer.key(entity->name).begin_array().begin_object();
    writer.key("_self").string(link(version, entity->name + "/$metadata"));
    writer.end_object().end_array();
  }
  if (view.person && !catalog.find("me")) write_me(writer, *view.person, version);
  writer.end_object();
  writer.end_object();
  return body;
}

CachedText::CachedText(std::string text)
    : body(std::make_shared<const std::string>(std::move(text))), etag(etag_of(*body)) {}

Metadata::Metadata(const catalog::Catalog& catalog, OpenApiOptions options)
    : catalog_(catalog), options_(std::move(options)) {
  for (const auto& entity : catalog.entities())
    entities_.emplace(entity.get(), std::make_shared<const CachedText>(entity_text(*entity, options_.version, {})));
}

std::shared_ptr<const CachedText> Metadata::entity(const Entity& entity, const PropertyView& view) const {
  if (view.is_whole()) return entities_.at(&entity);
  return kept({view.access->number, &entity}, [&] { return entity_text(entity, options_.version, view); });
}

std::shared_ptr<const CachedText> Metadata::openapi(const PropertyView& view) const {
  if (!view.is_whole())
    return kept({view.access->number, nullptr}, [&] { return api::openapi(catalog_, options_, view); });
  std::call_once(openapi_made_,
                 [this] { openapi_ = std::make_shared<const CachedText>(api::openapi(catalog_, options_)); });
  return openapi_;
}

std::shared_ptr<const CachedText> Metadata::kept(Key key, const std::function<std::string()>& make) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  }
  auto text = std::make_shared<const CachedText>(make());
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= most_kept) kept_.clear();
  return kept_.insert_or_assign(key, std::move(text)).first->second;
}

std::string Metadata::instance(const records::Record& record, const std::vector<const catalog::Action*>& actions,
                               std::string_view version, const PropertyView& view) {
  std::string body;
  json::Writer writer(body);
  write_entity(writer, record.entity(), actions, &record, version, view);
  return body;
}

}  // namespace callisto::api
