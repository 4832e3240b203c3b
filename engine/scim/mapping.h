// Mapping: what scripts/scim.lua says, bound to a catalog: which entity and property a SCIM resource and attribute is.
// Immutable; any thread, as long as the catalog lives.
#pragma once

#include "engine/scim/protocol/attributes.h"
#include "engine/script/program.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::scim {

struct Mapped {
  const Attribute* attribute = nullptr;
  std::string part;  // "givenName", "work"; empty of a Single
  ValueKind kind = ValueKind::Text;
  const catalog::Property* property = nullptr;
};

struct Resource {
  Resource() = default;
  Resource(Resource&&) = default;
  Resource& operator=(Resource&&) = default;

  std::string name;      // "User"
  std::string endpoint;  // "Users"
  const catalog::Entity* entity = nullptr;
  std::vector<Mapped> mapped;
  // Where a new record lacks the property, it takes what was sent as that attribute.
  struct Otherwise {
    const catalog::Property* property;
    const Mapped* instead;  // in `mapped`, so that a Resource is moved and never copied
  };
  std::vector<Otherwise> otherwise;
  // Of a Group: its members are rows of that entity. Null: it has none.
  const catalog::Entity* members = nullptr;
  const catalog::Property* group = nullptr;
  const catalog::Property* member = nullptr;

  std::string_view schema() const { return name == "User" ? core_user : core_group; }
  const Mapped* find(std::string_view attribute, std::string_view part = {}) const;
  // The first of its parts: of Many the primary one. Null: none is kept.
  const Mapped* find_first(std::string_view attribute) const;
};

class Mapping {
 public:
  // Null, and what is wrong behind `problems`, where it does not fit the catalog.
  static std::unique_ptr<const Mapping> bind(const script::Program& program, std::vector<catalog::Problem>& problems);

  const std::vector<Resource>& resources() const { return resources_; }
  const Resource* at(std::string_view endpoint) const;  // ignoring no case: RFC 7644 3.2
  const Resource* named(std::string_view name) const;

 private:
  std::vector<Resource> resources_;
};

}  // namespace callisto::scim
