#include "engine/scim/resources/discovery.h"

#include <algorithm>
#include <utility>

namespace callisto::scim {

namespace {

using json::Member;
using json::Node;
using Members = std::vector<Member>;

Node text(std::string_view value) { return {Node::Kind::String, std::string(value)}; }
Node number(std::size_t value) { return {Node::Kind::Number, std::to_string(value)}; }
Node flag(bool value) { return Node(value); }
Node object(Members members) { return Node(std::move(members)); }
Node list(std::vector<Node> items) { return Node(std::move(items)); }
Node supported(bool is) { return object({{"supported", flag(is)}}); }

Node meta(std::string_view type, const std::string& location) {
  return object({{"resourceType", text(type)}, {"location", text(location)}});
}

struct Traits {
  std::string_view type = "string";
  bool is_many = false, is_required = false, is_case_exact = false;
  std::string_view mutability = "readWrite", uniqueness = "none";
};

Members attribute(std::string_view name, std::string_view description, const Traits& traits) {
  return {{"name", text(name)},
          {"type", text(traits.type)},
          {"multiValued", flag(traits.is_many)},
          {"description", text(description)},
          {"required", flag(traits.is_required)},
          {"caseExact", flag(traits.is_case_exact)},
          {"mutability", text(traits.mutability)},
          {"returned", text("default")},
          {"uniqueness", text(traits.uniqueness)}};
}

std::string_view mutability_of(const Mapped& mapped) { return mapped.property->readonly ? "readOnly" : "readWrite"; }

// The parts of a reference, or of a list's elements.
std::vector<Node> reference_parts(std::string_view to) {
  Members url = attribute("$ref", "Its url.", {.type = "reference"});
  url.push_back({"referenceTypes", list({text(to)})});
  return {object(attribute("value", "The id.", {})), object(std::move(url))};
}

std::vector<Node> many_parts(const Resource& resource, const Attribute& of) {
  std::vector<Node> types;
  for (const Mapped& each : resource.mapped)
    if (each.attribute == &of) types.push_back(text(each.part));
  Members type = attribute("type", "Which of them it is.", {});
  type.push_back({"canonicalValues", list(std::move(types))});
  return {object(attribute("value", "The value itself.", {})), object(std::move(type)),
          object(attribute("primary", "Whether it is the first one to use.", {.type = "boolean"}))};
}

Members single(const Resource& resource, const Mapped& mapped) {
  Traits traits;
  if (mapped.kind == ValueKind::Boolean) traits.type = "boolean";
  traits.is_required = mapped.attribute->name == (resource.name == "User" ? "userName" : "displayName");
  traits.is_case_exact = mapped.attribute->name == "externalId";
  traits.uniqueness = mapped.attribute->name == "userName" ? "server" : "none";
  traits.mutability = mutability_of(mapped);
  return attribute(mapped.attribute->name, mapped.attribute->description, traits);
}

std::vector<Node> complex_parts(const Resource& resource, const Attribute& of) {
  std::vector<Node> parts;
  for (const Mapped& each : resource.mapped) {
    if (each.attribute != &of) continue;
    const bool is_reference = each.kind == ValueKind::Reference;
    Members part = attribute(each.part, each.property->description,
                             {.type = is_reference ? "complex" : "string",
                              .is_required = each.property->required,
                              .mutability = mutability_of(each)});
    if (is_reference) part.push_back({"subAttributes", list(reference_parts("User"))});
    parts.push_back(object(std::move(part)));
  }
  return parts;
}

bool is_required(const Resource& resource, const Attribute& of) {
  return std::any_of(resource.mapped.begin(), resource.mapped.end(),
                     [&](const Mapped& each) { return each.attribute == &of && each.property->required; });
}

std::vector<Node> attributes(const Resource& resource) {
  std::vector<Node> all;
  for (const Attribute& each : attributes_of(resource.name)) {
    const Mapped* first = resource.find_first(each.name);
    if (!first || each.name == "enterprise" || each.name == "externalId") continue;
    if (each.form == Form::Single) {
      all.push_back(object(single(resource, *first)));
      continue;
    }
    const bool is_many = each.form == Form::Many;
    Members complex = attribute(each.name, each.description,
                                {.type = "complex", .is_many = is_many, .is_required = is_required(resource, each)});
    complex.push_back({"subAttributes", list(is_many ? many_parts(resource, each) : complex_parts(resource, each))});
    all.push_back(object(std::move(complex)));
  }
  return all;
}

Node links(std::string_view name, std::string_view description, std::string_view mutability, std::string_view to) {
  Members all = attribute(name, description, {.type = "complex", .is_many = true, .mutability = mutability});
  std::vector<Node> parts = reference_parts(to);
  if (to == "Group") parts.push_back(object(attribute("type", "How the user belongs.", {.mutability = "readOnly"})));
  all.push_back({"subAttributes", list(std::move(parts))});
  return object(std::move(all));
}

Node schema(std::string_view id, std::string_view name, std::vector<Node> all, const std::string& root) {
  return object({{"schemas", list({text("urn:ietf:params:scim:schemas:core:2.0:Schema")})},
                 {"id", text(id)},
                 {"name", text(name)},
                 {"description", text(name)},
                 {"attributes", list(std::move(all))},
                 {"meta", meta("Schema", root + "/Schemas/" + std::string(id))}});
}

}  // namespace

Node provider_config(const std::string& root) {
  Node bearer = object({{"type", text("oauthbearertoken")},
                        {"name", text("OAuth Bearer Token")},
                        {"description", text("An access token of this server (RFC 6750).")},
                        {"specUri", text("https://www.rfc-editor.org/info/rfc6750")},
                        {"primary", flag(true)}});
  return object(
      {{"schemas", list({text("urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig")})},
       {"patch", supported(true)},
       {"bulk", object({{"supported", flag(false)}, {"maxOperations", number(0)}, {"maxPayloadSize", number(0)}})},
       {"filter", object({{"supported", flag(true)}, {"maxResults", number(most_results)}})},
       {"changePassword", supported(false)},
       {"sort", supported(false)},
       {"etag", supported(true)},
       {"authenticationSchemes", list({std::move(bearer)})},
       {"meta", meta("ServiceProviderConfig", root + "/ServiceProviderConfig")}});
}

std::vector<Node> resource_types(const Mapping& mapping, const std::string& root) {
  std::vector<Node> types;
  for (const Resource& each : mapping.resources()) {
    std::vector<Node> extensions;
    if (each.find_first("enterprise"))
      extensions.push_back(object({{"schema", text(enterprise_user)}, {"required", flag(false)}}));
    types.push_back(object({{"schemas", list({text("urn:ietf:params:scim:schemas:core:2.0:ResourceType")})},
                            {"id", text(each.name)},
                            {"name", text(each.name)},
                            {"endpoint", text("/" + each.endpoint)},
                            {"description", text(each.entity->description)},
                            {"schema", text(each.schema())},
                            {"schemaExtensions", list(std::move(extensions))},
                            {"meta", meta("ResourceType", root + "/ResourceTypes/" + each.name)}}));
  }
  return types;
}

std::vector<Node> schemas(const Mapping& mapping, const std::string& root) {
  std::vector<Node> all;
  const Resource* groups = mapping.named("Group");
  const bool has_members = groups && groups->members;
  for (const Resource& each : mapping.resources()) {
    std::vector<Node> of_one = attributes(each);
    if (has_members && each.name == "Group")
      of_one.push_back(links("members", "Who belongs to the group.", "readWrite", "User"));
    if (has_members && each.name == "User")
      of_one.push_back(links("groups", "Where the user belongs.", "readOnly", "Group"));
    all.push_back(schema(each.schema(), each.name, std::move(of_one), root));
    if (const Mapped* extension = each.find_first("enterprise"))
      all.push_back(schema(enterprise_user, "EnterpriseUser", complex_parts(each, *extension->attribute), root));
  }
  return all;
}

}  // namespace callisto::scim
