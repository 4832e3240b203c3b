#include "engine/api/requests/router.h"

#include "engine/base/text.h"
#include "engine/catalog/naming.h"

#include <algorithm>
#include <charconv>

namespace callisto::api {

namespace {

// v2, v1.5: the segment of a version that this server does not have.
bool is_version(std::string_view segment) {
  if (segment.size() < 2 || (segment[0] != 'v' && segment[0] != 'V')) return false;
  return segment.find_first_not_of("0123456789.", 1) == segment.npos;
}

Error unknown_version(const std::string& segment, const std::vector<std::string>& versions) {
  std::string known;
  for (const std::string& version : versions) known += (known.empty() ? "" : ", ") + version;
  return resource_not_found("There is no version " + text::quoted(segment) + "; this server has " + known + ".");
}

Error unknown_entity(const catalog::Catalog& catalog, const std::string& segment) {
  const std::string nearest = text::nearest(segment, catalog.entity_names());
  return resource_not_found(
      "There is no entity " + text::quoted(segment) +
      (nearest.empty() ? "; the root metadata lists them all." : "; did you mean '" + nearest + "'?"));
}

std::optional<std::int64_t> key_of(const std::string& segment) {
  std::int64_t key = 0;
  const auto [end, problem] = std::from_chars(segment.data(), segment.data() + segment.size(), key);
  if (problem != std::errc() || end != segment.data() + segment.size()) return std::nullopt;
  return key;
}

Error bad_key(const std::string& entity, const std::string& segment) {
  return resource_not_found(text::quoted(segment) + " is no key of " + entity + ": a whole number is expected.");
}

// A last segment $metadata or $options says which view is wanted. openapi.json is a view of the root alone.
Route::View take_view(std::vector<std::string>& segments) {
  if (segments.empty()) return Route::View::Resource;
  Route::View view = Route::View::Resource;
  if (text::equals_ignoring_ascii_case(segments.back(), "$metadata")) view = Route::View::Metadata;
  if (text::equals_ignoring_ascii_case(segments.back(), "$options")) view = Route::View::Options;
  if (segments.size() > 1 && text::equals_ignoring_ascii_case(segments.back(), "$count")) view = Route::View::Count;
  if (segments.size() > 1 && text::equals_ignoring_ascii_case(segments.back(), "$groups")) view = Route::View::Groups;
  if (segments.size() > 1 && text::equals_ignoring_ascii_case(segments.back(), "$rules")) view = Route::View::Rules;
  if (segments.size() == 1 && segments.back() == "openapi.json") view = Route::View::OpenApi;
  if (view != Route::View::Resource) segments.pop_back();
  return view;
}

// A path without a version means the first one; /api names no resource (API rule 1.2).
void drop_version(std::vector<std::string>& segments, const std::vector<std::string>& versions) {
  const auto first = [&](std::string_view word) {
    return !segments.empty() && text::equals_ignoring_ascii_case(segments.front(), word);
  };
  if (first("api")) segments.erase(segments.begin());
  if (std::any_of(versions.begin(), versions.end(), first)) segments.erase(segments.begin());
}

// API rule 4.5: PUT or POST {entity}/{id}/{action}. The record's final type, unknown yet, has the last word.
const catalog::Action* find_action(const catalog::Entity& entity, std::string_view name) {
  if (entity.abstract) return nullptr;  // read alone (API rule 4.10)
  if (const catalog::Action* action = entity.find_action(name)) return action;
  for (const catalog::Entity* child : entity.children)
    if (const catalog::Action* action = find_action(*child, name)) return action;
  return nullptr;
}

// API rule 4.6: the bytes of a Binary property stand below the record under its name.
const catalog::Property* find_content(const catalog::Entity& entity, std::string_view segment) {
  for (const catalog::Property* property : entity.properties)
    if (property->type == catalog::DataType::Binary && property->name != catalog::system::file_content &&
        text::equals_ignoring_ascii_case(property->name, segment))
      return property;
  return nullptr;
}

Error unknown_below(const catalog::Entity& entity, const std::string& segment) {
  std::vector<std::string_view> names;
  for (const auto& sub : entity.sub_resources) names.push_back(sub.name);
  for (const catalog::Action* action : entity.actions)
    if (action->is_own()) names.push_back(action->name);
  const std::string nearest = text::nearest(segment, names);
  return resource_not_found("There is no " + text::quoted(segment) + " below " + catalog::with_article(entity.name) +
                            (nearest.empty() ? "." : "; did you mean '" + nearest + "'?"));
}

// API rule 3.4: {entity}/$forward names the action itself.
Result<void> route_to_action(Route& route, const std::string& name) {
  route.action = find_action(*route.entity, name);
  if (!route.action) return unknown_below(*route.entity, name);
  route.view = Route::View::Options;
  return {};
}

Result<void> route_below(Route& route, const std::vector<std::string>& segments) {
  const catalog::Entity& entity = *route.entity;
  if (segments.size() == 2 && entity.key.size() == 1 && text::equals_ignoring_ascii_case(segments[1], "$batch")) {
    route.view = Route::View::Batch;
    return {};
  }
  if (segments.size() == 2 && segments[1].starts_with('$')) return route_to_action(route, segments[1].substr(1));
  if (entity.key.size() != 1)
    return resource_not_found(entity.name + " has a composite key: find its records with a search.");
  route.key = key_of(segments[1]);
  if (!route.key) return bad_key(entity.name, segments[1]);
  if (segments.size() == 2) return {};
  route.sub = entity.find_sub_resource(segments[2]);
  if (!route.sub) {
    route.content = find_content(entity, segments[2]);
    if (route.content && segments.size() == 3) return {};
    route.action = find_action(entity, segments[2]);
    if (!route.action || !route.action->is_own() || segments.size() > 3) return unknown_below(entity, segments[2]);
    return {};
  }
  if (segments.size() == 3) return {};
  if (segments.size() > 5 || route.sub->entity->key.size() != 1)
    return resource_not_found("There is nothing at this path.");
  route.sub_key = key_of(segments[3]);
  if (!route.sub_key) return bad_key(route.sub->entity->name, segments[3]);
  if (segments.size() == 4) return {};
  route.action = find_action(*route.sub->entity, segments[4]);
  if (route.action && route.action->is_own()) return {};
  route.action = nullptr;
  const bool is_content = text::equals_ignoring_ascii_case(segments[4], "content");
  route.content = is_content ? route.sub->entity->find_property(catalog::system::file_content) : nullptr;
  if (!route.content) return resource_not_found("There is nothing at this path.");
  return {};
}

bool is_list(const Route& route) {
  return !route.content && !route.action && (route.sub ? !route.sub_key.has_value() : !route.key.has_value());
}

bool knows(const catalog::Entity& entity, std::string_view name) {
  const catalog::Action* action = entity.find_action(name);
  if (action && action->supported) return true;
  for (const catalog::Entity* child : entity.children)
    if (knows(*child, name)) return true;
  return false;
}

std::string name_of_list_view(Route::View view) {
  if (view == Route::View::Count) return "count";
  if (view == Route::View::Rules) return "rules";
  return view == Route::View::Groups ? "groups" : "";
}

}  // namespace

Methods allowed_methods(const Route& route) {
  Methods methods;
  if (route.view == Route::View::Batch) {
    methods.get = false;
    methods.post = !route.entity->abstract && (knows(*route.entity, "create") || knows(*route.entity, "update"));
  } else if (route.action && route.key) {
    methods.get = false;
    methods.put = methods.also_post = true;  // API rule 4.5: metadata advertises PUT
  } else if (route.content) {
    methods.put = methods.del = !route.sub;
  } else if (route.sub && route.sub->entity->find_property(catalog::system::file_content)) {
    methods.post = !route.sub_key;
    methods.put = methods.del = route.sub_key.has_value();
  } else if (route.entity && !route.sub && !route.action) {
    // API rule 4.10: an abstract entity is read alone; its records are changed as what they are.
    const auto knows_of = [&](std::string_view name) { return !route.entity->abstract && knows(*route.entity, name); };
    methods.post = !route.key && knows_of("create");
    methods.put = route.key && knows_of("update");
    methods.del = route.key && knows_of("delete");
  }
  return methods;
}

Result<Route> route(const catalog::Catalog& catalog, std::vector<std::string> segments,
                    const std::vector<std::string>& versions) {
  Route result;
  drop_version(segments, versions);
  result.view = take_view(segments);
  if (segments.empty()) return result;
  result.entity = catalog.find(segments.front());
  if (!result.entity && is_version(segments.front())) return unknown_version(segments.front(), versions);
  if (!result.entity) return unknown_entity(catalog, segments.front());
  // An action of that name has the url.
  const std::string of_list = name_of_list_view(result.view);
  if (!of_list.empty() && segments.size() == 1 && find_action(*result.entity, of_list))
    segments.push_back("$" + of_list);
  if (segments.size() > 1) CALLISTO_CHECK(route_below(result, segments));
  if (!name_of_list_view(result.view).empty() && !is_list(result))
    return resource_not_found("$" + of_list + " stands behind a list: an entity, or a list below a record.");
  return result;
}

}  // namespace callisto::api
