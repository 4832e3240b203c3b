// A record as a SCIM resource (RFC 7643 3). The context's thread.
#pragma once

#include "engine/json/read.h"
#include "engine/records/context.h"
#include "engine/records/record.h"
#include "engine/scim/mapping.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::scim {

// Which attributes an answer has (RFC 7644 3.4.2.5), by their names at the top; of both lists one may be given.
struct Selection {
  std::vector<std::string> only, without;
  bool has(std::string_view name) const;
};

// With `groups` of a User and `members` of a Group. `root`: the url that endpoints stand below.
Result<json::Node> resource_node(const records::Context& context, const Mapping& mapping, const Resource& resource,
                                 const records::Record& record, const std::string& root);
json::Node selected(const json::Node& whole, const Selection& selection);

// W/"...": of the whole resource, whatever part of it is told.
std::string version_of(const json::Node& node);

// The rows that say who belongs to a group, by `by` one of the lookups of Resource::members.
Result<std::vector<std::int64_t>> linked(const records::Context& context, const Resource& groups,
                                         const catalog::Property& by, const catalog::Property& to, std::int64_t key);

}  // namespace callisto::scim
