// The part of the desk that the tests of queries name: calls with their lookups, hierarchy and history, one property of
// every type, and the augmenters of the specification. No Lua: Desk's folder plays the constant functions.
#pragma once

#include "engine/base/datetime.h"
#include "engine/query/bind.h"
#include "tests/support/typed_catalog.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace callisto::test {

inline std::vector<catalog::EntityDefinition> desk_entities() {
  using enum catalog::DataType;
  auto named = [](std::string name, std::vector<catalog::PropertyDefinition> more = {}) {
    auto definition = entity(std::move(name), {property("Name", Text)});
    for (auto& each : more) definition.properties.push_back(std::move(each));
    return definition;
  };
  auto image = property("Image", Binary);
  image.property.no_search = true;
  auto user_id = property("UserId", Integer), organization_id = property("OrganizationId", Integer);
  user_id.mirror = "User";
  organization_id.mirror = "Organization";
  auto person =
      named("person", {property("FirstName", Text), flag_text("IsLoggedIn"), std::move(image),
                       property("Manager", Lookup, "person"), property("Organization", Lookup, "organization")});
  auto call =
      entity("call", {property("ShortDescription", Text), property("Description", Text), property("Solution", RichText),
                      property("State", Lookup, "call-state"), property("Priority", Lookup, "call-priority"),
                      property("Service", Lookup, "service"), property("User", Lookup, "person"), std::move(user_id),
                      property("Organization", Lookup, "organization"), std::move(organization_id),
                      property("Analyst", Lookup, "person"), property("LoggedDate", DateTime),
                      property("DueDate", DateTime), property("Number1", Double), property("Number2", Double),
                      property("LastHistoryOrder", Integer), flag_text("Checkbox1"), property("Breached", Boolean)});
  call.partitioned = true;
  call.summary = {"Ref", "ShortDescription", "State", "UserId"};
  call.sub_resources = {{"history", "call-history", "TicketId", "", {}}, {"sub-task", "sub-task", "Call", "", {}}};
  auto incident = entity("incident", {property("AffectedUsers", Integer)});
  auto problem = entity("problem", {});
  incident.extends = problem.extends = "call";
  auto ticket = key("TicketId");
  ticket.property.type = Lookup;
  ticket.target_entity = "call";
  auto history = entity("call-history", {std::move(ticket), key("Order"), property("Description", RichText),
                                         property("Analyst", Lookup, "person"), property("Date", DateTime),
                                         property("ToState", Lookup, "call-state")});
  history.query_aliases = {{"Ref", "TicketId"}, {"LastHistoryOrder", "Order"}};
  auto tag = property("AssetRef", Text);
  tag.property.uppercase = true;
  auto item = named("configuration-item", {decimal("PurchaseCost", 2), property("Criticality", Short),
                                           property("Views", Long), property("Rating", Float), std::move(tag)});
  return {named("partition"),
          named("organization"),
          named("location", {property("Parent", Lookup, "location")}),
          named("service", {property("Location", Lookup, "location")}),
          named("call-state"),
          named("call-priority", {property("Rank", Integer)}),
          person,
          call,
          incident,
          problem,
          history,
          item,
          named("sub-task", {property("Call", Lookup, "call")}),
          named("attachment", {property("BinaryData", Binary)})};
}

inline catalog::AugmenterDefinition augmenter(std::string entity, std::string name, catalog::AugmenterKind kind) {
  catalog::AugmenterDefinition definition;
  definition.entity = std::move(entity);
  definition.augmenter.name = std::move(name);
  definition.augmenter.kind = kind;
  return definition;
}

inline std::vector<catalog::AugmenterDefinition> desk_augmenters() {
  using enum catalog::AugmenterKind;
  using enum catalog::DataType;
  auto condition = [](std::string entity, std::string name, std::string filter) {
    auto definition = augmenter(std::move(entity), std::move(name), Condition);
    definition.augmenter.filter = std::move(filter);
    return definition;
  };
  auto value = [](std::string name, catalog::DataType returns,
                  std::vector<catalog::Augmenter::Parameter> parameters = {}, bool constant = false) {
    auto definition = augmenter("common", std::move(name), parameters.empty() ? Token : Function);
    definition.augmenter.returns = returns;
    definition.augmenter.parameters = std::move(parameters);
    definition.augmenter.constant = constant;
    return definition;
  };
  auto assignment = augmenter("call", "AssignmentState", Extension);
  assignment.augmenter.needs = {"State", "Analyst", "User.Organization"};
  return {value("DateTime", DateTime, {{"value", Text}}, true),
          value("Guid", Text, {{"value", Text}}, true),
          value("Now", DateTime),
          value("NowOffset", DateTime, {{"days", Integer}, {"hours", Integer}, {"minutes", Integer}}),
          value("UserId", Integer),
          value("OrganizationId", Integer),
          condition("common", "IsDeleted", "IsDeleted"),
          condition("call", "IsOpen", "State == 1 || State == 3"),
          condition("call", "IsAssignedToMe", "Analyst == @UserId && @IsOpen"),
          condition("call", "Circle", "@Square"),
          condition("call", "Square", "!@Circle"),
          std::move(assignment)};
}

inline std::shared_ptr<const catalog::Catalog> desk_catalog() {
  using enum catalog::DataType;
  catalog::Definitions definitions;
  auto deleted = property("IsDeleted", Boolean), version = property("RecordVersion", Integer);
  deleted.property.internal = version.property.internal = true;
  definitions.common = {key("Ref"),
                        property("Id", Text),
                        property("CreatedDate", DateTime),
                        property("Partition", Lookup, "partition"),
                        deleted,
                        version};
  definitions.entities = desk_entities();
  definitions.augmenters = desk_augmenters();
  auto result = catalog::build(std::move(definitions));
  if (!result.catalog) throw std::logic_error(catalog::to_string(result.problems.front()));
  return result.catalog;
}

class DeskFolder final : public query::ConstantFolder {
 public:
  Result<Value> call(const catalog::Augmenter& function, const std::vector<Value>& arguments) override {
    const std::string& text = std::get<std::string>(arguments.at(0));
    if (function.name == "Guid") {
      if (text.size() == 36) return Value(text);
      return bad_format("a GUID is needed");
    }
    const std::size_t blank = text.rfind(' ');  // as a url without %2B brings a '+'
    const std::string plus = blank == text.npos ? text : text.substr(0, blank) + '+' + text.substr(blank + 1);
    if (const auto moment = parse_iso8601(plus)) return Value(*moment);
    return bad_format("an ISO 8601 date is needed");
  }
};

// The catalog with what binding needs, and shorthands that bind one option alone.
struct Desk {
  std::shared_ptr<const catalog::Catalog> catalog = desk_catalog();
  query::Limits limits;
  DeskFolder folder;

  using PlanResult = Result<std::shared_ptr<const query::Plan>>;

  const catalog::Entity& find(std::string_view name) const { return *catalog->find(name); }
  PlanResult search(std::string_view entity, const query::Options& options) {
    return query::bind_search(catalog, find(entity), options, limits, folder);
  }
  PlanResult record(std::string_view entity, const query::Options& options) {
    return query::bind_record(catalog, find(entity), options, limits, folder);
  }
  PlanResult filter(std::string_view entity, std::string text) {
    query::Options options;
    options.filter = std::move(text);
    return search(entity, options);
  }
  PlanResult select(std::string_view entity, std::string text) {
    query::Options options;
    options.select = std::move(text);
    return search(entity, options);
  }
};

}  // namespace callisto::test
