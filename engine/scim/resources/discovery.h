// What a server says of its SCIM (RFC 7643 5 to 7; RFC 7644 4): ServiceProviderConfig, ResourceTypes, Schemas. Pure;
// any thread.
#pragma once

#include "engine/json/read.h"
#include "engine/scim/mapping.h"

#include <string>
#include <vector>

namespace callisto::scim {

inline constexpr std::size_t most_results = 200;

json::Node provider_config(const std::string& root);
std::vector<json::Node> resource_types(const Mapping& mapping, const std::string& root);
std::vector<json::Node> schemas(const Mapping& mapping, const std::string& root);  // what is mapped, and no more

}  // namespace callisto::scim
