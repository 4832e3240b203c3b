// The attributes of RFC 7643 that a desk may keep, as mappings name them: "userName", "name.givenName", "emails.work",
// "enterprise.department". Constants; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::scim {

inline constexpr std::string_view core_user = "urn:ietf:params:scim:schemas:core:2.0:User";
inline constexpr std::string_view core_group = "urn:ietf:params:scim:schemas:core:2.0:Group";
inline constexpr std::string_view enterprise_user = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

enum class ValueKind { Text, Boolean, Reference };
// Many: a list of { type, value }, of which one of each type is kept (RFC 7643 2.4).
enum class Form { Single, Complex, Many };

struct Attribute {
  std::string_view name;  // "enterprise" stands for the URN of the extension
  Form form = Form::Single;
  std::vector<std::string_view> parts = {};  // of Complex its sub-attributes, of Many its types
  std::string_view description = {};
};

// Those of a resource type, "User" or "Group"; empty of any other name.
const std::vector<Attribute>& attributes_of(std::string_view resource);
const Attribute* find_attribute(std::string_view resource, std::string_view name);  // ignoring case
ValueKind kind_of(std::string_view name, std::string_view part);

// An attribute that the schemas know and no desk keeps: what a client says of it is passed over. Read-only ones: it may
// not even name them in the path of a change.
bool is_known_elsewhere(std::string_view name);
bool is_read_only(std::string_view name);

// A mapping's key; nothing where the resource has no such attribute.
struct AttributeName {
  const Attribute* attribute = nullptr;
  std::string part;  // as the schema spells it; empty of a Single
};
std::optional<AttributeName> read_name(std::string_view resource, std::string_view text);
std::vector<std::string> all_names(std::string_view resource);  // for suggestions

}  // namespace callisto::scim
