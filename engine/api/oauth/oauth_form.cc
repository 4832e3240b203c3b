#include "engine/api/oauth/oauth_form.h"

#include "engine/api/requests/json_body.h"
#include "engine/auth/form.h"
#include "engine/base/base64.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/http/media_type.h"
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

// API rule 6.8: what stops a login before it is judged has the OAuth shape too.
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
void write_refusal(const http::Request& request, http::Response& response, const auth::OAuthError& error,
                   std::string_view scheme) {
  if (error.status == 401 && uses_basic(request))
    response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"callisto\", charset=\"UTF-8\"");
  else if (error.status == 401 && !scheme.empty()) response.headers.emplace_back("WWW-Authenticate", scheme);
  write_oauth_error(response, error);
}

// One value in form encoding, and not pairs: clients that forget to encode send '&' and '=' as they are.
Result<std::string> read_value(std::string_view encoded) {
  std::string pair = "value=";
  for (const char c : encoded) pair += c == '&' ? std::string("%26") : std::string(1, c);
  CALLISTO_TRY(const auto pairs, http::decode_query(pair));
  return pairs.front().second;
}

// RFC 6749 2.3.1: id and secret of HTTP Basic are form-encoded. Many clients do not encode them (curl -u, Postman), so
// what they are as they came is kept too, where that is another text. False when the header is Basic but broken.
bool read_basic(const http::Request& request, auth::LoginRequest& login) {
  if (!uses_basic(request)) return true;
  const std::string_view header = request.header("Authorization");
  constexpr std::string_view scheme = basic_scheme;
  const auto decoded = decode_base64(text::trim(header.substr(scheme.size())), Base64::Padded);
  if (!decoded) return false;
  const std::size_t colon = decoded->find(':');
  if (colon == std::string::npos) return false;
  const std::string plain_id = decoded->substr(0, colon), plain_secret = decoded->substr(colon + 1);
  const auto decoded_or_plain = [](const std::string& text) {
    const auto value = read_value(text);
    return value && auth::is_plain(*value) ? *value : text;
  };
  login.basic_id = decoded_or_plain(plain_id);
  login.basic_secret = decoded_or_plain(plain_secret);
  if (*login.basic_id == plain_id && *login.basic_secret == plain_secret) return true;
  login.plain_id = plain_id;
  login.plain_secret = plain_secret;
  return true;
}

// Form field names match ignoring case, values do not.
auth::LoginRequest read_form(const std::vector<std::pair<std::string, std::string>>& pairs) {
  auth::LoginRequest login;
  for (const auto& [name, value] : pairs)
    if (!login.fields.emplace(text::ascii_lower(name), value).second) login.repeated = text::ascii_lower(name);
  return login;
}

// What makes a request no form at all; nothing where `form` is read.
Result<std::optional<auth::OAuthError>> read_request(http::Request& request, http::Response& response,
                                                     auth::LoginRequest& form) {
  using Answer = std::optional<auth::OAuthError>;
  if (request.method != "POST") {
    response.headers.emplace_back("Allow", "POST");
    return Answer({405, "invalid_request", "Send the form by POST.", 0});
  }
  // API rule 6.1: the type may carry a charset; any other is 415.
  if (!http::has_media_type(request.header("Content-Type"), http::form_media_type))
    return Answer({415, "invalid_request", "Send application/x-www-form-urlencoded.", 0});
  CALLISTO_CHECK(check_coding(request));
  CALLISTO_TRY(const std::string body, request.body(form_limit));
  const auto pairs = http::decode_query(body);
  if (!pairs) return Answer({400, "invalid_request", pairs.error().message, 0});
  form = read_form(*pairs);
  form.remote_address = request.remote_address;
  if (!read_basic(request, form))
    return Answer({400, "invalid_request",
                   "The Basic credentials are not base64 of id:secret, each of them form-encoded: a % is written %25.",
                   0});
  return Answer();
}

Result<std::optional<auth::OAuthError>> run(http::Request& request, http::Response& response, const FormStep& step) {
  auth::LoginRequest form;
  CALLISTO_TRY(auto refusal, read_request(request, response, form));
  if (refusal) return refusal;
  return step(form);
}

}  // namespace

void answer_form(http::Request& request, http::Response& response, const FormStep& step, std::string_view scheme) {
  response.headers.emplace_back("Cache-Control", "no-store");  // RFC 6749 5.1
  response.headers.emplace_back("Pragma", "no-cache");
  const auto refusal = run(request, response, step);
  if (!refusal) return write_failure(response, refusal.error());
  if (*refusal) write_refusal(request, response, **refusal, scheme);
}

}  // namespace callisto::api
