#include "engine/scim/protocol/attributes.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>

namespace callisto::scim {

namespace {

const std::vector<Attribute> of_users{
    {"externalId", Form::Single, {}, "The client's own name of the resource."},
    {"userName", Form::Single, {}, "The name to sign in with."},
    {"name",
     Form::Complex,
     {"formatted", "familyName", "givenName", "middleName", "honorificPrefix", "honorificSuffix"},
     "The parts of the user's name."},
    {"displayName", Form::Single, {}, "The name as people read it."},
    {"nickName", Form::Single, {}, "What the user is called."},
    {"profileUrl", Form::Single, {}, "A page about the user."},
    {"title", Form::Single, {}, "What the user does."},
    {"userType", Form::Single, {}, "How the user belongs to the organization."},
    {"preferredLanguage", Form::Single, {}, "The language as Accept-Language spells it."},
    {"locale", Form::Single, {}, "Language and country (RFC 5646)."},
    {"timezone", Form::Single, {}, "The IANA time zone."},
    {"active", Form::Single, {}, "Whether the user may sign in."},
    {"emails", Form::Many, {"work", "home", "other"}, "Mail addresses."},
    {"phoneNumbers", Form::Many, {"work", "home", "mobile", "fax", "pager", "other"}, "Telephones."},
    {"enterprise",
     Form::Complex,
     {"employeeNumber", "costCenter", "organization", "division", "department", "manager"},
     "The enterprise extension."}};

const std::vector<Attribute> of_groups{{"externalId", Form::Single, {}, "The client's own name of the resource."},
                                       {"displayName", Form::Single, {}, "What people call the group."}};

const std::vector<Attribute> of_none;

constexpr std::array<std::string_view, 3> read_only{"id", "meta", "groups"};
constexpr std::array<std::string_view, 8> elsewhere{"schemas",   "password", "ims",          "photos",
                                                    "addresses", "roles",    "entitlements", "x509Certificates"};

template <typename List>
bool has(const List& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view each) { return text::equals_ignoring_ascii_case(each, name); });
}

}  // namespace

const std::vector<Attribute>& attributes_of(std::string_view resource) {
  if (resource == "User") return of_users;
  return resource == "Group" ? of_groups : of_none;
}

const Attribute* find_attribute(std::string_view resource, std::string_view name) {
  const auto& all = attributes_of(resource);
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Attribute& each) { return text::equals_ignoring_ascii_case(each.name, name); });
  return found == all.end() ? nullptr : &*found;
}

ValueKind kind_of(std::string_view name, std::string_view part) {
  if (name == "active") return ValueKind::Boolean;
  return part == "manager" ? ValueKind::Reference : ValueKind::Text;
}

bool is_read_only(std::string_view name) { return has(read_only, name); }
bool is_known_elsewhere(std::string_view name) { return is_read_only(name) || has(elsewhere, name); }

std::optional<AttributeName> read_name(std::string_view resource, std::string_view text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const Attribute* attribute = find_attribute(resource, text.substr(0, dot));
  const std::string_view part = text.substr(std::min(dot + 1, text.size()));
  if (!attribute || (attribute->form == Form::Single) != part.empty()) return std::nullopt;
  if (part.empty()) return AttributeName{attribute, {}};
  for (const std::string_view each : attribute->parts)
    if (text::equals_ignoring_ascii_case(each, part)) return AttributeName{attribute, std::string(each)};
  return std::nullopt;
}

std::vector<std::string> all_names(std::string_view resource) {
  std::vector<std::string> names;
  for (const Attribute& each : attributes_of(resource)) {
    if (each.form == Form::Single) names.emplace_back(each.name);
    for (const std::string_view part : each.parts) names.push_back(std::string(each.name) + "." + std::string(part));
  }
  return names;
}

}  // namespace callisto::scim
