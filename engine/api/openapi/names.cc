#include "engine/api/openapi/names.h"

#include "engine/api/openapi.h"
#include "engine/api/openapi/shared.h"

#include <algorithm>

namespace callisto::api {

namespace {

using catalog::Action;
using catalog::Entity;

// Words that generators put behind the name of an operation, for types of their own.
constexpr std::string_view derived[] = {"",
                                        "body",
                                        "data",
                                        "default",
                                        "error",
                                        "errors",
                                        "formdatabody",
                                        "formdatarequestbody",
                                        "headers",
                                        "jsonbody",
                                        "jsonrequestbody",
                                        "multipartbody",
                                        "multipartrequestbody",
                                        "ok",
                                        "options",
                                        "params",
                                        "path",
                                        "query",
                                        "req",
                                        "request",
                                        "res",
                                        "response",
                                        "responses",
                                        "result",
                                        "url"};

// Types that generated clients have themselves, in one language or another.
constexpr std::string_view reserved[] = {"any",
                                         "array",
                                         "authenticatedclient",
                                         "blob",
                                         "boolean",
                                         "client",
                                         "config",
                                         "date",
                                         "error",
                                         "errors",
                                         "file",
                                         "handler",
                                         "headers",
                                         "invoker",
                                         "map",
                                         "number",
                                         "object",
                                         "option",
                                         "options",
                                         "paths",
                                         "promise",
                                         "record",
                                         "response",
                                         "server",
                                         "string",
                                         "symbol",
                                         "type",
                                         "union",
                                         "unset",
                                         "unknown",
                                         "webhooks",
                                         "components",
                                         "operations",
                                         "securitysource",
                                         "clientoption",
                                         "clientinterface",
                                         "clientwithresponses",
                                         "unimplementedhandler",
                                         "router",
                                         "middleware",
                                         "list",
                                         "set",
                                         "void"};

std::string key_of(const Entity& entity, std::string_view what, const Action* action = nullptr) {
  return std::string(what) + "/" + entity.name + (action ? "/" + action->name : std::string());
}

}  // namespace

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}

OpenApiNames::OpenApiNames(const catalog::Catalog& catalog) {
  for (const std::string_view name : reserved) taken_.insert(std::string(name));
  for (const std::string& name : openapi_texts::names()) taken_.insert(folded(name));
  for (const std::string& name : openapi_texts::operation_ids())
    for (const std::string_view word : derived) taken_.insert(folded(name).append(word));
  for (const auto& entity : catalog.entities()) claim_schema(key_of(*entity, "record"), entity->pascal_name);
  for (const auto& entity : catalog.entities()) {
    claim_schema(key_of(*entity, "page"), entity->pascal_name + "Page");
    for (const Action* action : entity->actions) {
      if (!is_usable(*action)) continue;
      claim_schema(key_of(*entity, "input", action), entity->pascal_name + action->pascal_name + "Input");
      if (!action->answers.properties.empty())
        claim_schema(key_of(*entity, "answer", action), entity->pascal_name + action->pascal_name + "Answer");
    }
  }
}

void OpenApiNames::claim_schema(const std::string& key, const std::string& wanted) {
  // Of a type that clients have themselves a number would tell nothing.
  const bool is_theirs = std::find(std::begin(reserved), std::end(reserved), folded(wanted)) != std::end(reserved);
  schemas_.emplace(key, claim(is_theirs ? wanted + "Record" : wanted, false));
}

bool OpenApiNames::is_free(const std::string& name, bool of_operation) const {
  const std::string plain = folded(name);
  if (!of_operation) return !taken_.contains(plain);
  return std::none_of(std::begin(derived), std::end(derived),
                      [&](std::string_view word) { return taken_.contains(plain + std::string(word)); });
}

std::string OpenApiNames::claim(const std::string& wanted, bool of_operation) {
  std::string name = wanted;
  for (int number = 2; !is_free(name, of_operation); ++number) name = wanted + std::to_string(number);
  const std::string plain = folded(name);
  taken_.insert(plain);
  if (of_operation)
    for (const std::string_view word : derived) taken_.insert(plain + std::string(word));
  return name;
}

const std::string& OpenApiNames::at(const std::string& key) const { return schemas_.find(key)->second; }

const std::string& OpenApiNames::record(const Entity& entity) const { return at(key_of(entity, "record")); }
const std::string& OpenApiNames::page(const Entity& entity) const { return at(key_of(entity, "page")); }
const std::string& OpenApiNames::input(const Entity& entity, const Action& action) const {
  return at(key_of(entity, "input", &action));
}
const std::string& OpenApiNames::answer(const Entity& entity, const Action& action) const {
  return at(key_of(entity, "answer", &action));
}

std::string OpenApiNames::operation(const Entity& entity, std::string_view what) {
  return claim(entity.pascal_name + "." + std::string(what), true);
}

}  // namespace callisto::api
