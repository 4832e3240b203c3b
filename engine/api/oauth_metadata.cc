// GET /.well-known/oauth-authorization-server (RFC 8414): what standard clients need to know to sign in.
#include "engine/api/api.h"
#include "engine/json/write.h"

#include <initializer_list>

namespace callisto::api {

namespace {

void write_list(json::Writer& writer, std::string_view name, std::initializer_list<std::string_view> items) {
  writer.key(name).begin_array();
  for (const std::string_view item : items) writer.string(item);
  writer.end_array();
}

}  // namespace

// RFC 8414 2: "issuer REQUIRED. The authorization server's issuer identifier, which is a URL that ... has no query or
// fragment components."
std::string issuer(const Options& options, const http::Request& request) {
  return options.base_url.empty() ? request.origin() : options.base_url;
}

// RFC 8414 3.1: "the well-known URI string is inserted between the host component and the path component" of the
// issuer.
bool is_metadata_path(const Options& options, std::string_view path) {
  constexpr std::string_view well_known = "/.well-known/oauth-authorization-server";
  if (!path.starts_with(well_known)) return false;
  path.remove_prefix(well_known.size());
  if (path.empty()) return true;
  const std::size_t host = options.base_url.find("://");
  const std::size_t slash = host == std::string::npos ? host : options.base_url.find('/', host + 3);
  return slash != std::string::npos && path == std::string_view(options.base_url).substr(slash);
}

Result<void> handle_oauth_metadata(const http::Request& request, http::Response& response, const Options& options) {
  if (request.method != "GET" && request.method != "HEAD")
    return method_not_allowed("This url knows GET, HEAD.", "GET, HEAD");
  const std::string issued_by = issuer(options, request);
  const std::string root = issued_by + options.oauth_root;
  json::Writer writer(response.body);
  writer.begin_object();
  writer.key("issuer").string(issued_by);
  writer.key("authorization_endpoint").string(root + "/authorize");
  writer.key("token_endpoint").string(root + "/login");
  writer.key("revocation_endpoint").string(root + "/revoke");
  write_list(writer, "scopes_supported", {"session-type:Analyst", "session-type:User"});
  write_list(writer, "response_types_supported", {"code"});
  write_list(writer, "response_modes_supported", {"query"});
  write_list(writer, "grant_types_supported",
             {"authorization_code", "client_credentials", "password", "refresh_token"});
  write_list(writer, "code_challenge_methods_supported", {"S256"});
  for (const char* name : {"token_endpoint_auth_methods_supported", "revocation_endpoint_auth_methods_supported"})
    write_list(writer, name, {"none", "client_secret_basic", "client_secret_post"});
  writer.key("authorization_response_iss_parameter_supported").boolean(true);  // RFC 9207 3
  writer.end_object();
  return {};
}

}  // namespace callisto::api
