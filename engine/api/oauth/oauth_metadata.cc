// What standard clients need to know to sign in: GET /.well-known/oauth-authorization-server (RFC 8414) and
// /.well-known/oauth-protected-resource (RFC 9728), to which a 401 points.
#include "engine/api/api.h"
#include "engine/api/oauth/oauth_form.h"
#include "engine/http/base_path.h"
#include "engine/http/bearer.h"
#include "engine/json/write.h"

#include <initializer_list>
#include <optional>
#include <span>

namespace callisto::api {

namespace {

void write_list(json::Writer& writer, std::string_view name, std::span<const std::string_view> items) {
  writer.key(name).begin_array();
  for (const std::string_view item : items) writer.string(item);
  writer.end_array();
}

void write_list(json::Writer& writer, std::string_view name, std::initializer_list<std::string_view> items) {
  write_list(writer, name, std::span(items.begin(), items.size()));
}

constexpr std::string_view scopes[] = {"session-type:Analyst", "session-type:User"};

// RFC 8414 3.1: "the well-known URI string is inserted between the host component and the path component" of the
// issuer.
void write_server(const std::string& issued_by, const Options& options, json::Writer& writer) {
  const std::string root = issued_by + options.oauth_root;
  writer.key("issuer").string(issued_by);
  writer.key("authorization_endpoint").string(root + "/authorize");
  writer.key("token_endpoint").string(root + "/login");
  writer.key("revocation_endpoint").string(root + "/revoke");
  write_list(writer, "scopes_supported", std::span(scopes));
  write_list(writer, "response_types_supported", {"code"});
  write_list(writer, "response_modes_supported", {"query"});
  write_list(writer, "grant_types_supported",
             {"authorization_code", "client_credentials", "password", "refresh_token"});
  write_list(writer, "code_challenge_methods_supported", {"S256"});
  for (const char* name : {"token_endpoint_auth_methods_supported", "revocation_endpoint_auth_methods_supported"})
    write_list(writer, name, {"none", "client_secret_basic", "client_secret_post"});
  writer.key("authorization_response_iss_parameter_supported").boolean(true);  // RFC 9207 3
}

// RFC 9728 3.3: "The resource value returned MUST be identical to the protected resource's resource identifier value
// into which the well-known URI path suffix was inserted".
void write_resource(const std::string& issued_by, std::string_view path, json::Writer& writer) {
  writer.key("resource").string(issued_by + std::string(path));
  write_list(writer, "authorization_servers", {issued_by});
  write_list(writer, "scopes_supported", std::span(scopes));
  write_list(writer, "bearer_methods_supported", {"header"});
}

constexpr std::string_view server_path = "/.well-known/oauth-authorization-server";
constexpr std::string_view resource_path = "/.well-known/oauth-protected-resource";

// What follows the path of base_url, which may be left out, in a path below a well-known one; nothing for another path.
std::optional<std::string_view> below(std::string_view path, std::string_view well_known, const Options& options) {
  if (!path.starts_with(well_known)) return std::nullopt;
  path.remove_prefix(well_known.size());
  if (path.starts_with(base_path(options))) path.remove_prefix(base_path(options).size());
  return path;
}

}  // namespace

std::string_view base_path(const Options& options) { return http::path_of_url(options.base_url); }

// RFC 8414 2: "issuer REQUIRED. The authorization server's issuer identifier, which is a URL that ... has no query or
// fragment components."
std::string issuer(const Options& options, const http::Request& request) {
  return options.base_url.empty() ? request.origin() : options.base_url;
}

Result<bool> handle_oauth_metadata(const http::Request& request, http::Response& response, const Options& options) {
  const auto server = below(request.raw_path, server_path, options);
  const auto resource = below(request.raw_path, resource_path, options);
  const bool is_server = server && server->empty();
  const bool is_resource = resource && (resource->empty() || *resource == options.api_root);
  if (!is_server && !is_resource) return false;
  if (!request.reads()) return method_not_allowed("This url supports GET and HEAD.", "GET, HEAD");
  json::Writer writer(response.body);
  writer.begin_object();
  if (is_server) write_server(issuer(options, request), options, writer);
  else write_resource(issuer(options, request), *resource, writer);
  writer.end_object();
  return true;
}

// RFC 9728 5.1; RFC 6750 3.1: "If the request lacks any authentication information ..., the resource server SHOULD NOT
// include an error code".
std::string bearer_challenge(const http::Request& request, const Options& options) {
  const std::string issued_by = issuer(options, request);
  const std::string host = issued_by.substr(0, issued_by.size() - base_path(options).size());
  std::string challenge = "Bearer resource_metadata=\"" + host;
  challenge.append(resource_path).append(base_path(options)).append(options.api_root) += '"';
  if (!http::bearer_of(request).empty()) challenge += ", error=\"invalid_token\"";
  return challenge;
}

}  // namespace callisto::api
