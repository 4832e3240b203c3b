// POST {oauth}/login (specification 4.7, 7.2; decisions.md 6.1). Every answer, errors too, is JSON in the OAuth shape.
#include "engine/api/api.h"
#include "engine/base/base64.h"
#include "engine/base/log.h"
#include "engine/base/text.h"

#include "engine/http/url.h"
#include "engine/json/write.h"

namespace callisto::api {

namespace {

constexpr std::size_t form_limit = 64 * 1024;

void write_oauth_error(http::Response& response, const auth::OAuthError& error) {
  response.status = error.status;
  if (error.retry_after_seconds > 0)
    response.headers.emplace_back("Retry-After", std::to_string(error.retry_after_seconds));
  json::Writer writer(response.body);
  writer.begin_object();
  writer.key("error").string(error.error);
  if (!error.description.empty()) writer.key("error_description").string(error.description);
  writer.end_object();
}

// Decisions 6.1: the type may carry a charset; any other is 415.
bool is_form(std::string_view content_type) {
  return text::equals_ignoring_ascii_case(text::trim(content_type.substr(0, content_type.find(';'))),
                                          "application/x-www-form-urlencoded");
}

// Decisions 6.8: what stops a login before it is judged has the OAuth shape too.
void write_failure(http::Response& response, const Error& error) {
  if (!error.log_detail.empty()) log::error(error.log_detail);
  for (const auto& header : error.headers) response.headers.push_back(header);
  const bool ours = error.status == 500;
  write_oauth_error(response, {error.status, ours ? "server_error" : "invalid_request", error.message, 0});
}

constexpr std::string_view basic_scheme = "Basic ";

bool uses_basic(const http::Request& request) {
  const std::string_view scheme = request.header("Authorization").substr(0, basic_scheme.size());
  return text::equals_ignoring_ascii_case(scheme, basic_scheme);
}

// RFC 6749 5.2: a client that used the Authorization header is answered in its scheme.
void write_refusal(http::Response& response, const auth::OAuthError& error, bool basic) {
  if (basic && error.status == 401)
    response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"callisto\", charset=\"UTF-8\"");
  write_oauth_error(response, error);
}

// RFC 6749 2.3.1: id and secret of HTTP Basic are form-encoded. False when the header is Basic but broken.
bool read_basic(const http::Request& request, auth::LoginRequest& login) {
  if (!uses_basic(request)) return true;
  const std::string_view header = request.header("Authorization");
  constexpr std::string_view scheme = basic_scheme;
  const auto decoded = decode_base64(text::trim(header.substr(scheme.size())));
  if (!decoded) return false;
  const std::size_t colon = decoded->find(':');
  if (colon == std::string::npos) return false;
  const auto id = http::decode_query(decoded->substr(0, colon));
  const auto secret = http::decode_query(decoded->substr(colon + 1));
  if (!id || !secret) return false;
  login.basic_id = id->empty() ? "" : id->front().first;
  login.basic_secret = secret->empty() ? "" : secret->front().first;
  return true;
}

// Form field names match ignoring case, values do not.
auth::LoginRequest read_form(const std::vector<std::pair<std::string, std::string>>& pairs) {
  auth::LoginRequest login;
  for (const auto& [name, value] : pairs)
    if (!login.fields.emplace(text::ascii_lower(name), value).second) login.repeated = text::ascii_lower(name);
  return login;
}

void write_tokens(http::Response& response, const auth::TokenPair& tokens) {
  json::Writer writer(response.body);
  writer.begin_object();
  writer.key("access_token").string(tokens.access_token);
  writer.key("token_type").string("Bearer");
  writer.key("expires_in").integer(tokens.expires_in);
  writer.key("refresh_token").string(tokens.refresh_token);
  writer.key("scope").string(tokens.scope);
  writer.end_object();
}

Result<void> sign_in(http::Request& request, http::Response& response, auth::Service& auth) {
  if (request.method != "POST") {
    response.headers.emplace_back("Allow", "POST");
    write_oauth_error(response, {405, "invalid_request", "Send the form by POST.", 0});
    return {};
  }
  if (!is_form(request.header("Content-Type"))) {
    write_oauth_error(response, {415, "invalid_request", "Send application/x-www-form-urlencoded.", 0});
    return {};
  }
  CALLISTO_TRY(const std::string body, request.body(form_limit));
  const auto pairs = http::decode_query(body);
  if (!pairs) {
    write_oauth_error(response, {400, "invalid_request", pairs.error().message, 0});
    return {};
  }
  auth::LoginRequest login = read_form(*pairs);
  login.remote_address = request.remote_address;
  if (!read_basic(request, login)) {
    write_oauth_error(response, {400, "invalid_request", "The Basic credentials are not base64 of id:secret.", 0});
    return {};
  }
  CALLISTO_TRY(const auth::LoginAnswer answer, auth.login(login));
  if (const auto* error = std::get_if<auth::OAuthError>(&answer)) write_refusal(response, *error, uses_basic(request));
  else write_tokens(response, std::get<auth::TokenPair>(answer));
  return {};
}

}  // namespace

Result<void> handle_login(http::Request& request, http::Response& response, auth::Service& auth) {
  response.headers.emplace_back("Cache-Control", "no-store");  // RFC 6749 5.1
  response.headers.emplace_back("Pragma", "no-cache");
  if (auto done = sign_in(request, response, auth); !done) write_failure(response, done.error());
  return {};
}

}  // namespace callisto::api
