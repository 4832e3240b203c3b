#include "engine/api/router.h"

#include "engine/base/text.h"

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
  return resource_not_found("There is no entity " + text::quoted(segment) +
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

// A last segment $metadata or $options says which view is wanted.
Route::View take_view(std::vector<std::string>& segments) {
  if (segments.empty()) return Route::View::Resource;
  Route::View view = Route::View::Resource;
  if (text::equals_ignoring_ascii_case(segments.back(), "$metadata")) view = Route::View::Metadata;
  if (text::equals_ignoring_ascii_case(segments.back(), "$options")) view = Route::View::Options;
  if (view != Route::View::Resource) segments.pop_back();
  return view;
}

// A path without a version means the first one; /api names no resource (specification 4.1).
void drop_version(std::vector<std::string>& segments, const std::vector<std::string>& versions) {
  const auto first = [&](std::string_view word) {
    return !segments.empty() && text::equals_ignoring_ascii_case(segments.front(), word);
  };
  if (first("api")) segments.erase(segments.begin());
  if (std::any_of(versions.begin(), versions.end(), first)) segments.erase(segments.begin());
}

Result<void> route_below(Route& route, const std::vector<std::string>& segments) {
  const catalog::Entity& entity = *route.entity;
  if (entity.key.size() != 1)
    return resource_not_found(entity.name + " has a composite key: find its records with a search.");
  route.key = key_of(segments[1]);
  if (!route.key) return bad_key(entity.name, segments[1]);
  if (segments.size() == 2) return {};
  route.sub = entity.find_sub_resource(segments[2]);
  if (!route.sub) {
    std::vector<std::string_view> names;
    for (const auto& sub : entity.sub_resources) names.push_back(sub.name);
    const std::string nearest = text::nearest(segments[2], names);
    return resource_not_found("There is no " + text::quoted(segments[2]) + " below a " + entity.name +
                              (nearest.empty() ? "." : "; did you mean '" + nearest + "'?"));
  }
  if (segments.size() == 3) return {};
  if (segments.size() > 4 || route.sub->entity->key.size() != 1)
    return resource_not_found("There is nothing at this path.");
  route.sub_key = key_of(segments[3]);
  if (!route.sub_key) return bad_key(route.sub->entity->name, segments[3]);
  return {};
}

}  // namespace

Result<Route> route(const catalog::Catalog& catalog, std::vector<std::string> segments,
                    const std::vector<std::string>& versions) {
  Route result;
  drop_version(segments, versions);
  result.view = take_view(segments);
  if (segments.empty()) return result;
  result.entity = catalog.find(segments.front());
  if (!result.entity && is_version(segments.front())) return unknown_version(segments.front(), versions);
  if (!result.entity) return unknown_entity(catalog, segments.front());
  if (segments.size() > 1) CALLISTO_CHECK(route_below(result, segments));
  return result;
}

}  // namespace callisto::api
