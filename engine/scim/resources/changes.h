// What a request wants of a resource: read from a whole one (RFC 7644 3.3, 3.5.1) or from the operations of a PATCH
// (RFC 7644 3.5.2), in the dialects of clients too: operations in any case, values without a path whose names are
// paths, "False" for false. Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/json/read.h"
#include "engine/scim/mapping.h"
#include "engine/scim/protocol/paths.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace callisto::scim {

struct MemberChange {
  enum class Kind { Add, Remove, Replace };
  Kind kind = Kind::Add;
  std::vector<std::int64_t> keys;
};

struct Changes {
  std::map<const Mapped*, json::Node> values;  // null: emptied
  std::vector<MemberChange> members;           // one after the other
  const json::Node* find(const Mapped* mapped) const;
};

Result<Changes> read_whole(const Resource& resource, const json::Node& body);
Result<Changes> read_patch(const Resource& resource, const json::Node& body);

}  // namespace callisto::scim
