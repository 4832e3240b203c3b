// Making, changing and deleting what a SCIM client provisions, through the entities' own actions: their rules, hooks,
// history and events apply. Each call is one transaction. Any thread.
#pragma once

#include "engine/auth/session.h"
#include "engine/records/write.h"
#include "engine/scim/resources/changes.h"

#include <cstdint>
#include <string>

namespace callisto::scim {

struct Provisioning {
  records::Writer& writer;
  const auth::Session& session;
  const Mapping& mapping;
  const std::string& root;    // see resource_node()
  std::string if_match = {};  // the header; empty: none
};

// The record's key. 409 uniqueness where another has the userName.
Result<std::int64_t> create(const Provisioning& with, const Resource& resource, const Changes& changes);
enum class How { Replace, Patch };  // Replace: what is not named is emptied (RFC 7644 3.5.1)
// 404; 412 where If-Match does not hold.
Result<void> change(const Provisioning& with, const Resource& resource, std::int64_t key, const Changes& changes,
                    How how);
Result<void> remove(const Provisioning& with, const Resource& resource, std::int64_t key);

}  // namespace callisto::scim
