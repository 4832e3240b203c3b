#include "engine/query/bind/names.h"

#include "engine/base/text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace callisto::query {

namespace {

using catalog::Property;

// Deleted rows are named by @IsDeleted alone, because that also lifts the rule that hides them (API rule 2.11).
bool is_usable(const Property& property, Use use) {
  if (use != Use::Filter && use != Use::Sort && use != Use::Join) return true;
  return !property.no_search && property.name != catalog::system::is_deleted;
}

// What `word` names elsewhere: an augmenter without its '@', or true, false and null in another case.
std::string known_elsewhere(const catalog::Entity& entity, std::string_view word, Use use) {
  for (const catalog::Augmenter* each : entity.augmenters) {
    const bool is_extension = each->kind == catalog::AugmenterKind::Extension;
    const bool fits = use == Use::Filter ? !is_extension : use == Use::Select && is_extension;
    if (fits && text::equals_ignoring_ascii_case(word, each->name)) return "@" + each->name;
  }
  if (use != Use::Filter) return {};
  for (const char* literal : {"true", "false", "null"})
    if (text::equals_ignoring_ascii_case(word, literal)) return literal;
  return {};
}

bool is_suggested(const Property& property, Use use) { return !property.internal && is_usable(property, use); }

}  // namespace

std::optional<std::size_t> Names::join_of(std::string_view alias) const {
  for (std::size_t i = 0; i < plan_.joins.size(); ++i)
    if (plan_.joins[i].alias == alias) return i + 1;
  return std::nullopt;
}

Result<const Property*> Names::find(const catalog::Entity& entity, const Segment& segment, const Source& source,
                                    Use use, bool may_be_alias) const {
  const Property* property = entity.find_property(segment.name);
  if (!property || (use != Use::Own && hides(limits_.fields, *property))) {
    std::vector<std::string_view> candidates, last;
    for (const Property* each : entity.properties)
      if (is_suggested(*each, use) && !hides(limits_.fields, *each))
        (each->query_alias ? last : candidates).push_back(each->name);
    if (may_be_alias)
      for (const Join& join : plan_.joins) candidates.push_back(join.alias);
    std::string suggestion = may_be_alias ? known_elsewhere(entity, segment.name, use) : std::string();
    if (suggestion.empty()) suggestion = text::nearest(segment.name, candidates);
    if (suggestion.empty()) suggestion = text::nearest(segment.name, last);
    return source.refused(segment.at, segment.name, text::quoted(segment.name) + " is no property of " + entity.name,
                          std::move(suggestion), {"a property of " + entity.name});
  }
  if (use == Use::Join && limits_.fields && limits_.fields->guards(*property))
    return source.refused(
        segment.at, segment.name,
        text::quoted(segment.name) + " is null in some rows for this session, and cannot be joined by");
  if (is_usable(*property, use)) return property;
  const bool tells_deletion = property->name == catalog::system::is_deleted;
  return source.refused(segment.at, segment.name, text::quoted(segment.name) + " can be selected, but not searched",
                        tells_deletion ? "@" + std::string(catalog::system::deleted_condition) : std::string());
}

Result<Named> Names::resolve(const PathName& name, const Source& source, Use use) {
  Named named;
  const catalog::Entity* entity = plan_.entity;
  std::size_t next = 0;
  if (const auto join = join_of(name.segments.front().name)) {
    entity = plan_.joins[*join - 1].target;
    named.path.source = *join;
    next = 1;
    if (name.segments.size() == 1)
      return source.refused(name.segments[0].at, name.segments[0].name,
                            text::quoted(name.segments[0].name) + " is a joined " + entity->name +
                                "; name one of its properties behind a dot");
  }
  for (; next + 1 < name.segments.size(); ++next) {
    CALLISTO_TRY(entity, hop(named.path, *entity, name, next, source, use));
  }
  CALLISTO_TRY(named.property, find(*entity, name.segments[next], source, use, next == 0));
  named.path.property = stored(*named.property);
  if (use != Use::Own) named.path = guarded(std::move(named.path));
  return named;
}

Path Names::guarded(Path path) const {
  if (!limits_.fields) return path;
  const auto is_guarded = [this](const Property* each) { return limits_.fields->guards(*each); };
  path.guarded = is_guarded(path.property) || std::any_of(path.hops.begin(), path.hops.end(), is_guarded);
  return path;
}

Result<const catalog::Entity*> Names::hop(Path& path, const catalog::Entity& entity, const PathName& name,
                                          std::size_t index, const Source& source, Use use) {
  const Segment& segment = name.segments[index];
  CALLISTO_TRY(const Property* property, find(entity, segment, source, use, index == 0));
  const Property* lookup = stored(*property);
  if (property->type != catalog::DataType::Lookup || !lookup->target) {
    const Segment& behind = name.segments[index + 1];
    return source.refused(behind.at, behind.name,
                          text::quoted(segment.name) + " is " + std::string(catalog::name(property->type)) +
                              " and no lookup, so " + text::quoted(behind.name) + " cannot follow it");
  }
  path.hops.push_back(lookup);
  if (path.hops.size() > limits_.hops)
    return source.refused(segment.at, segment.name,
                          "a path goes through at most " + std::to_string(limits_.hops) + " lookups");
  const Path relation{path.source, path.hops, nullptr};
  if (std::find(relations_.begin(), relations_.end(), relation) == relations_.end()) {
    relations_.push_back(relation);
    CALLISTO_CHECK(check_relations(segment.at, segment.name, source));
  }
  return lookup->target;
}

Result<void> Names::check_relations(std::size_t at, std::string_view found, const Source& source) const {
  if (relations() <= limits_.relations) return {};
  return source.refused(at, found, "the query needs more than " + std::to_string(limits_.relations) + " relations");
}

}  // namespace callisto::query
