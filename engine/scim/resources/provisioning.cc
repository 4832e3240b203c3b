#include "engine/scim/resources/provisioning.h"

#include "engine/base/text.h"
#include "engine/records/convert.h"
#include "engine/records/differing.h"
#include "engine/records/script_query.h"
#include "engine/scim/protocol/refusal.h"
#include "engine/scim/resources/resource_node.h"

#include <algorithm>
#include <set>

namespace callisto::scim {

namespace {

using records::Change;
using Handle = script::Host::Handle;
using script::NamedValues;

Error not_found(const Resource& resource, std::int64_t key) {
  return refuse(404, "", "There is no " + resource.name + " " + std::to_string(key) + ".");
}

// One transaction's.
class Provisioner {
 public:
  Provisioner(const Provisioning& with, const Resource& resource, const records::Context& context, Change& change)
      : with_(with), resource_(resource), context_(context), change_(change) {}

  Result<std::int64_t> create(const Changes& changes) {
    CALLISTO_TRY(NamedValues values, values_of(changes));
    CALLISTO_CHECK(fill(changes, values));
    CALLISTO_CHECK(check_name(values, 0));
    const Mapped* name = resource_.find(resource_.name == "User" ? "userName" : "displayName");
    if (values.count(name->property->name) == 0)
      return refuse(400, "invalidValue", std::string(name->attribute->name) + " is missing.");
    CALLISTO_TRY(const Handle handle, change_.create(*resource_.entity, values));
    const std::int64_t key = change_.record(handle).key();
    CALLISTO_CHECK(change_members(key, changes));
    return key;
  }

  Result<void> change(std::int64_t key, const Changes& changes, How how) {
    CALLISTO_TRY(const Handle handle, open(key));
    CALLISTO_TRY(NamedValues values, values_of(changes));
    if (how == How::Replace) empty_others(changes, values);
    CALLISTO_CHECK(check_name(values, key));
    CALLISTO_TRY(const NamedValues changed, records::differing(change_.record(handle), values));
    if (!changed.empty()) CALLISTO_CHECK(change_.act(handle, "update", changed));
    if (how == How::Replace && changes.members.empty()) return replace_members(key, {});
    return change_members(key, changes);
  }

  Result<void> remove(std::int64_t key) {
    CALLISTO_TRY(const Handle handle, open(key));
    const Resource* groups = with_.mapping.named("Group");
    if (groups && groups->members)
      CALLISTO_CHECK(take_out(*groups, resource_.name == "Group" ? *groups->group : *groups->member, key, nullptr));
    CALLISTO_CHECK(change_.act(handle, "delete", {}));
    return change_.finish();
  }

 private:
  Result<Handle> open(std::int64_t key) {
    CALLISTO_TRY(const auto handle, existing(*resource_.entity, key));
    if (!handle) return not_found(resource_, key);
    CALLISTO_CHECK(check_version(change_.record(*handle)));
    return *handle;
  }

  Result<std::optional<Handle>> existing(const catalog::Entity& entity, std::int64_t key) {
    CALLISTO_TRY(auto handle, change_.find(entity, {key}));
    if (handle && records::is_deleted(change_.record(*handle))) handle.reset();
    return handle;
  }

  // RFC 7644 3.14; a list of versions, or any.
  Result<void> check_version(const records::Record& record) const {
    if (with_.if_match.empty() || with_.if_match == "*") return {};
    CALLISTO_TRY(const auto node, resource_node(context_, with_.mapping, resource_, record, with_.root));
    if (with_.if_match.find(version_of(node)) != std::string::npos) return {};
    return refuse(412, "", "The " + resource_.name + " has changed since; read it again.");
  }

  // Without what is read-only here; a flag that is emptied stays as it is.
  Result<NamedValues> values_of(const Changes& changes) const {
    NamedValues values;
    for (const auto& [mapped, node] : changes.values) {
      if (mapped->property->readonly || (mapped->kind == ValueKind::Boolean && node.is_null())) continue;
      auto value = records::from_json(*mapped->property, node);
      if (!value)
        return refuse(400, "invalidValue", std::string(mapped->attribute->name) + ": " + value.error().message);
      values.insert_or_assign(mapped->property->name, *std::move(value));
    }
    return values;
  }

  Result<void> fill(const Changes& changes, NamedValues& values) const {
    for (const Resource::Otherwise& each : resource_.otherwise) {
      const auto given = values.find(each.property->name);
      const bool has_value = given != values.end() && !is_null(given->second);
      const json::Node* instead = changes.find(each.instead);
      if (has_value || !instead || instead->is_null()) continue;
      auto value = records::from_json(*each.property, *instead);
      if (!value) return refuse(400, "invalidValue", each.property->name + ": " + value.error().message);
      values.insert_or_assign(each.property->name, *std::move(value));
    }
    return {};
  }

  // A property that must have a value keeps the one it has, and so does a flag.
  void empty_others(const Changes& changes, NamedValues& values) const {
    for (const Mapped& each : resource_.mapped)
      if (!changes.find(&each) && !each.property->readonly && !each.property->required &&
          each.kind != ValueKind::Boolean && each.attribute->name != "userName")
        values.insert_or_assign(each.property->name, Value(Null{}));
  }

  // Names of users are each one's own, whatever their case (RFC 7643 4.1.1). `own`: whose it may be.
  Result<void> check_name(const NamedValues& values, std::int64_t own) const {
    const Mapped* name = resource_.find("userName");
    const auto given = name ? values.find(name->property->name) : values.end();
    if (given == values.end()) return {};
    if (is_null(given->second)) return refuse(400, "invalidValue", "userName is missing.");
    script::Host::Query query;
    query.filter = name->property->name + " == ?";
    query.given.push_back({{given->second}, false});
    query.top = 2;
    CALLISTO_TRY(const auto found, records::find_keys(context_, *resource_.entity, query, 2));
    const bool is_taken = std::any_of(found.begin(), found.end(), [&](const auto& key) { return key.front() != own; });
    if (is_taken) return refuse(409, "uniqueness", "Another user has this userName.");
    return {};
  }

  Result<void> change_members(std::int64_t group, const Changes& changes) {
    for (const MemberChange& each : changes.members) {
      if (!resource_.members) return refuse(400, "invalidPath", "Groups have no members here.");
      if (each.kind == MemberChange::Kind::Replace) CALLISTO_CHECK(replace_members(group, each.keys));
      const std::set<std::int64_t> keys(each.keys.begin(), each.keys.end());
      if (each.kind == MemberChange::Kind::Add) CALLISTO_CHECK(add_members(group, keys));
      if (each.kind == MemberChange::Kind::Remove)
        CALLISTO_CHECK(
            take_out(resource_, *resource_.group, group, [&](std::int64_t key) { return keys.count(key) > 0; }));
    }
    return change_.finish();
  }

  Result<void> replace_members(std::int64_t group, const std::vector<std::int64_t>& wanted) {
    if (!resource_.members) return change_.finish();
    const std::set<std::int64_t> keys(wanted.begin(), wanted.end());
    CALLISTO_CHECK(
        take_out(resource_, *resource_.group, group, [&](std::int64_t key) { return keys.count(key) == 0; }));
    return add_members(group, keys);
  }

  Result<void> add_members(std::int64_t group, const std::set<std::int64_t>& keys) {
    CALLISTO_TRY(const auto there, linked(context_, resource_, *resource_.group, *resource_.member, group));
    for (const std::int64_t key : keys) {
      if (std::binary_search(there.begin(), there.end(), key)) continue;
      CALLISTO_TRY(const auto user, existing(*resource_.member->target, key));
      if (!user) return refuse(400, "invalidValue", "There is no User " + std::to_string(key) + ".");
      CALLISTO_TRY([[maybe_unused]] const Handle made,
                   change_.create(*resource_.members,
                                  {{resource_.group->name, Value(group)}, {resource_.member->name, Value(key)}}));
    }
    return {};
  }

  // Rows of membership whose `by` is the key; of these, whose member `leaves` says so.
  Result<void> take_out(const Resource& groups, const catalog::Property& by, std::int64_t key,
                        const std::function<bool(std::int64_t)>& leaves) {
    CALLISTO_TRY(const auto rows, change_.search(*groups.members, script::Host::Match{{&by, {Value(key)}}}));
    for (const Handle row : rows) {
      const Value member = change_.get(row, *groups.member);
      const auto* number = std::get_if<std::int64_t>(&member);
      if (!leaves || (number && leaves(*number))) CALLISTO_CHECK(change_.act(row, "delete", {}));
    }
    return {};
  }

  const Provisioning& with_;
  const Resource& resource_;
  const records::Context& context_;
  Change& change_;
};

// Errors of the engine in the words of SCIM.
template <typename Body>
Result<void> provision(const Provisioning& with, const Resource& resource, const Body& body) {
  const auto done =
      with.writer.write(with.session, [&](const records::Context& context, Change& change) -> Result<void> {
        Provisioner provisioner(with, resource, context, change);
        return body(provisioner);
      });
  if (!done) return as_scim(done.error());
  return {};
}

}  // namespace

Result<std::int64_t> create(const Provisioning& with, const Resource& resource, const Changes& changes) {
  std::int64_t key = 0;
  CALLISTO_CHECK(provision(with, resource, [&](Provisioner& provisioner) -> Result<void> {
    CALLISTO_TRY(key, provisioner.create(changes));
    return {};
  }));
  return key;
}

Result<void> change(const Provisioning& with, const Resource& resource, std::int64_t key, const Changes& changes,
                    How how) {
  return provision(with, resource, [&](Provisioner& provisioner) { return provisioner.change(key, changes, how); });
}

// RFC 7644 3.6 has no word for a user whom records refer to.
Result<void> remove(const Provisioning& with, const Resource& resource, std::int64_t key) {
  const auto done = provision(with, resource, [&](Provisioner& provisioner) { return provisioner.remove(key); });
  if (done || done.error().status != 400) return done;
  const std::string instead = resource.find("active") ? " Set active to false instead." : "";
  return refuse(409, "", done.error().message + instead);
}

}  // namespace callisto::scim
