#include "engine/api/openapi.h"

#include "engine/api/openapi/groups.h"
#include "engine/api/openapi/inputs.h"
#include "engine/api/openapi/notices.h"
#include "engine/api/openapi/paths.h"
#include "engine/api/openapi/schemas.h"
#include "engine/api/openapi/shared.h"
#include "engine/base/text.h"
#include "engine/json/write.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace callisto::api {

namespace {

// One or more members, written as they stand.
void write_members(json::Writer& writer, std::string_view members) {
  const std::size_t colon = members.find("\":");
  writer.key(members.substr(1, colon - 1));
  writer.raw() += text::trim(members.substr(colon + 2));
}

void write_info(json::Writer& writer, const OpenApiOptions& options) {
  writer.key("info").begin_object();
  writer.key("title").string("Callisto").key("version").string(options.program_version);
  writer.key("description")
      .string(
          "Written from the definitions that the server runs on; each entity's $metadata says the same and more. "
          "Sign in first, then send the access token with every request.");
  writer.key("contact").begin_object().key("name").string("Who runs this server");
  writer.end_object();
  writer.key("license").begin_object().key("name").string("MIT").key("identifier").string("MIT").end_object();
  writer.end_object();
}

void write_servers(json::Writer& writer, const std::string& url) {
  writer.key("servers").begin_array().begin_object().key("url").string(url.empty() ? "/" : url);
  writer.end_object().end_array();
}

void write_flow(json::Writer& writer, const char* name, const std::string& root, bool with_code, bool for_analysts) {
  writer.key(name).begin_object();
  if (with_code) writer.key("authorizationUrl").string(root + "/authorize");
  writer.key("tokenUrl").string(root + "/login");
  if (std::string_view(name) != "clientCredentials") writer.key("refreshUrl").string(root + "/login");
  writer.key("scopes").begin_object();
  if (for_analysts) writer.key("session-type:Analyst").string("A session of an analyst.");
  writer.key("session-type:User").string("A session of a user, or without a person.");
  writer.end_object().end_object();
}

// API rules 6.3 to 6.6.
void write_security(json::Writer& writer, const std::string& oauth) {
  writer.key("securitySchemes").begin_object();
  writer.key("oauth2").begin_object().key("type").string("oauth2").key("flows").begin_object();
  write_flow(writer, "authorizationCode", oauth, true, true);
  write_flow(writer, "password", oauth, false, true);
  write_flow(writer, "clientCredentials", oauth, false, false);
  writer.end_object().end_object();
  writer.key("bearer").begin_object().key("type").string("http").key("scheme").string("bearer").end_object();
  writer.end_object();
}

void write_discovery(json::Writer& writer, const char* path, std::string_view id, const char* summary,
                     std::string_view schema) {
  writer.key(path).begin_object().key("get").begin_object();
  writer.key("operationId").string(id).key("tags").begin_array().string("Discovery").end_array();
  writer.key("summary").string(summary).key("description").string(summary);
  writer.key("parameters").begin_array();
  write_ref(writer, "parameters", "HeaderIfNoneMatch");
  writer.end_array();
  writer.key("responses").begin_object().key("200").begin_object().key("description").string(summary);
  writer.key("content").begin_object().key("application/json").begin_object().key("schema");
  if (schema.empty()) writer.begin_object().key("type").string("object").end_object();
  else write_ref(writer, "schemas", schema);
  writer.end_object().end_object().end_object();
  for (const auto& [status, response] :
       {std::pair("304", "NotModified"), std::pair("400", "BadRequest"), std::pair("401", "Unauthorized")}) {
    writer.key(status);
    write_ref(writer, "responses", response);
  }
  writer.end_object().end_object().end_object();
}

void write_sign_in(json::Writer& writer, const OpenApiOptions& options) {
  const std::string folder = sign_in_path(options.oauth_root);
  const std::pair<const char*, std::string_view> endpoints[] = {
      {"/login", openapi_texts::login}, {"/logout", openapi_texts::logout}, {"/revoke", openapi_texts::revoke}};
  for (const auto& [path, operation] : endpoints) {
    writer.key(folder + path).begin_object();
    write_members(writer, operation);
    writer.end_object();
  }
}

void write_components(const OpenApiWriter& out, const catalog::Catalog& catalog, const OpenApiOptions& options) {
  json::Writer& writer = out.json;
  writer.key("components").begin_object().key("schemas").begin_object();
  write_members(writer, openapi_texts::schemas);
  write_members(writer, openapi_texts::administration_schemas);
  for (const auto& entity : catalog.entities()) {
    write_record_schemas(out, *entity);
    write_action_schemas(out, *entity);
  }
  writer.end_object().key("parameters").begin_object();
  write_members(writer, openapi_texts::parameters);
  writer.end_object().key("responses").begin_object();
  write_members(writer, openapi_texts::responses);
  writer.end_object();
  write_security(writer, options.base_url + options.oauth_root);
  writer.end_object();
}

}  // namespace

bool is_usable(const catalog::Action& action) {
  return action.supported && std::any_of(action.allowed.begin(), action.allowed.end(), [](const auto& each) {
           return each.second.kind != catalog::Grant::Kind::Never;
         });
}

std::string sign_in_path(const std::string& oauth_root) {
  const std::string folder = oauth_root.substr(std::min(oauth_root.rfind('/'), oauth_root.size()));
  return folder.size() > 1 ? folder : "/oauth";
}

std::string openapi(const catalog::Catalog& catalog, const OpenApiOptions& options, const PropertyView& view) {
  std::string text;
  json::Writer writer(text);
  OpenApiNames names(catalog);
  const OpenApiWriter out{writer, names, view};
  writer.begin_object().key("openapi").string("3.1.0");
  write_info(writer, options);
  write_servers(writer, options.base_url + options.api_root + "/" + options.version);
  writer.key("security").begin_array();
  writer.begin_object().key("oauth2").begin_array().end_array().end_object();
  writer.begin_object().key("bearer").begin_array().end_array().end_object();
  writer.end_array();
  write_tags(writer, catalog);
  writer.key("paths").begin_object();
  write_discovery(writer, "/$metadata", openapi_texts::operations[1], "The entities of this service", "ApiMetadata");
  write_discovery(writer, "/openapi.json", openapi_texts::operations[0], "This document", {});
  write_sign_in(writer, options);
  write_members(writer, openapi_texts::administration);
  for (const auto& entity : catalog.entities()) write_entity_paths(out, *entity);
  writer.end_object();
  write_webhooks(out, catalog);
  write_components(out, catalog, options);
  writer.end_object();
  return text;
}

}  // namespace callisto::api
