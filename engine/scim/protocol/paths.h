// Paths of attributes (RFC 7644 3.5.2): "active", "name.familyName", "emails[type eq \"work\"].value",
// "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager". Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/scim/mapping.h"
#include "engine/scim/protocol/filter.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::scim {

struct Path {
  enum class Kind { Attribute, Members, Resource, Elsewhere };  // Resource: the schema's URN alone
  Kind kind = Kind::Elsewhere;                                  // Elsewhere: nothing here keeps it
  const Attribute* attribute = nullptr;
  std::string part;                  // "familyName"; of Many the type, where it is told
  std::vector<std::string> members;  // those that brackets name
  bool has_brackets = false;
};

// 400 invalidPath where no schema knows it; `is_change`: 400 mutability for what is read-only.
Result<Path> read_path(const Resource& resource, std::string_view text, bool is_change = false);

// The attribute of a path without brackets, in a filter: name and sub-attribute, both as the schema spells them.
struct Named {
  std::string attribute, part;  // "emails", "value"
};
Named split_name(const Resource& resource, std::string_view path);

}  // namespace callisto::scim
