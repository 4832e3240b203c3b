#include "engine/scim/mapping.h"

#include "engine/base/text.h"
#include "engine/catalog/problems.h"

#include <algorithm>

namespace callisto::scim {

namespace {

using script::ScimResource;

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

std::vector<std::string_view> property_names(const catalog::Entity& entity) {
  std::vector<std::string_view> names;
  for (const catalog::Property* each : entity.properties) names.emplace_back(each->name);
  return names;
}

// One resource of the file.
class Binder {
 public:
  Binder(const catalog::Catalog& catalog, const ScimResource& from, std::vector<catalog::Problem>& problems)
      : catalog_(catalog), from_(from), problems_(problems) {}

  Resource run() && {
    resource_.name = from_.name;
    resource_.endpoint = from_.name + "s";
    if (attributes_of(from_.name).empty())
      wrong("", "a resource is a \"User\" or a \"Group\", not " + quoted(from_.name));
    resource_.entity = entity("entity", from_.entity);
    if (!resource_.entity || attributes_of(from_.name).empty()) return std::move(resource_);
    for (const auto& [name, property] : from_.attributes) bind_attribute(name, property);
    const bool is_user = from_.name == "User";
    if (!resource_.find(is_user ? "userName" : "displayName"))
      wrong("attributes", std::string("needs ") + (is_user ? "userName" : "displayName"));
    for (const auto& [property, attribute] : from_.otherwise) bind_otherwise(property, attribute);
    if (!from_.members.empty() || !from_.group.empty() || !from_.member.empty()) bind_members();
    return std::move(resource_);
  }

 private:
  static std::string quoted(const std::string& name) { return text::quoted(name); }

  void wrong(std::string_view option, std::string message, std::string suggestion = {}) {
    problems_.push_back({catalog::place(from_.origin, from_.lines, std::string(option)),
                         "resource '" + from_.name + "': " + std::move(message), std::move(suggestion)});
  }

  const catalog::Entity* entity(std::string_view option, const std::string& name) {
    const catalog::Entity* found = catalog_.find(name);
    if (!found)
      wrong(option, "there is no entity " + quoted(name), catalog::did_you_mean(name, catalog_.entity_names()));
    else if (found->abstract || found->key.size() != 1)
      wrong(option, "records of " + quoted(name) + " cannot be made: name an entity that is not abstract");
    return found;
  }

  const catalog::Property* property(std::string_view option, const catalog::Entity& entity, const std::string& name) {
    const catalog::Property* found = entity.find_property(name);
    if (!found)
      wrong(option, quoted(entity.name) + " has no property " + quoted(name),
            catalog::did_you_mean(name, property_names(entity)));
    return found;
  }

  static bool fits(ValueKind kind, const catalog::Property& property) {
    using catalog::DataType;
    if (kind == ValueKind::Boolean) return property.type == DataType::Boolean;
    if (kind == ValueKind::Reference) return property.type == DataType::Lookup;
    return property.type == DataType::Text || property.type == DataType::RichText;
  }

  void bind_attribute(const std::string& name, const std::string& to) {
    const std::string option = "attributes/" + name;
    const auto found = read_name(from_.name, name);
    if (!found)
      return wrong(option, "has no attribute " + quoted(name),
                   catalog::did_you_mean(name, views(all_names(from_.name))));
    const catalog::Property* kept = property(option, *resource_.entity, to);
    const ValueKind kind = kind_of(found->attribute->name, found->part);
    if (kept && !fits(kind, *kept))
      return wrong(option,
                   quoted(to) + " is a " + catalog::name(kept->type) + ", which " + name + " cannot be kept in");
    if (kept) resource_.mapped.push_back({found->attribute, found->part, kind, kept});
  }

  void bind_otherwise(const std::string& name, const std::string& attribute) {
    const std::string option = "otherwise/" + name;
    const catalog::Property* kept = property(option, *resource_.entity, name);
    const auto found = read_name(from_.name, attribute);
    const Mapped* instead = found ? resource_.find(found->attribute->name, found->part) : nullptr;
    if (!instead) return wrong(option, "'attributes' has no " + quoted(attribute));
    if (kept) resource_.otherwise.push_back({kept, instead});
  }

  void bind_members() {
    if (from_.name != "Group" || from_.members.empty() || from_.group.empty() || from_.member.empty())
      return wrong("members", "a Group has 'members', 'group' and 'member' together, and a User none of them");
    const catalog::Entity* rows = entity("members", from_.members);
    if (!rows) return;
    resource_.group = property("group", *rows, from_.group);
    resource_.member = property("member", *rows, from_.member);
    if (resource_.group && resource_.group->target != resource_.entity)
      wrong("group", quoted(from_.group) + " is no lookup of " + quoted(resource_.entity->name));
    if (resource_.group && resource_.member) resource_.members = rows;
  }

  const catalog::Catalog& catalog_;
  const ScimResource& from_;
  std::vector<catalog::Problem>& problems_;
  Resource resource_;
};

}  // namespace

const Mapped* Resource::find(std::string_view attribute, std::string_view part) const {
  const auto found = std::find_if(mapped.begin(), mapped.end(), [&](const Mapped& each) {
    return each.attribute->name == attribute && text::equals_ignoring_ascii_case(each.part, part);
  });
  return found == mapped.end() ? nullptr : &*found;
}

const Mapped* Resource::find_first(std::string_view attribute) const {
  const auto found =
      std::find_if(mapped.begin(), mapped.end(), [&](const Mapped& each) { return each.attribute->name == attribute; });
  return found == mapped.end() ? nullptr : &*found;
}

std::unique_ptr<const Mapping> Mapping::bind(const script::Program& program, std::vector<catalog::Problem>& problems) {
  auto mapping = std::make_unique<Mapping>();
  const std::size_t before = problems.size();
  for (const ScimResource& each : program.scim) {
    if (mapping->named(each.name))
      problems.push_back({each.origin, "resource '" + each.name + "' stands there twice", "one file says all of it"});
    mapping->resources_.push_back(Binder(*program.catalog, each, problems).run());
  }
  const Resource* users = mapping->named("User");
  const Resource* groups = mapping->named("Group");
  if (groups && groups->member && (!users || groups->member->target != users->entity))
    problems.push_back(
        {program.scim.front().origin, "the 'member' of the Group is no lookup of the User's entity", {}});
  return problems.size() == before ? std::move(mapping) : nullptr;
}

const Resource* Mapping::at(std::string_view endpoint) const {
  const auto found = std::find_if(resources_.begin(), resources_.end(),
                                  [&](const Resource& each) { return each.endpoint == endpoint; });
  return found == resources_.end() ? nullptr : &*found;
}

const Resource* Mapping::named(std::string_view name) const {
  const auto found =
      std::find_if(resources_.begin(), resources_.end(), [&](const Resource& each) { return each.name == name; });
  return found == resources_.end() ? nullptr : &*found;
}

}  // namespace callisto::scim
