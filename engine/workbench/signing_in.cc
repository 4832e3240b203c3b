#include "engine/workbench/signing_in.h"

#include "engine/auth/admin.h"
#include "engine/auth/token.h"
#include "engine/base/log.h"
#include "engine/base/percent.h"
#include "engine/http/url.h"
#include "engine/json/write.h"
#include "engine/sign_in/cookie.h"

#include <algorithm>
#include <utility>

namespace callisto::workbench {

namespace {

constexpr sign_in::CookieKind session_cookie{"callisto-workbench", "Strict"};
// Of a sign-in that is under way. Lax: an identity provider of another site leads back here.
constexpr sign_in::CookieKind way_cookie{"callisto-workbench-way", "Lax"};
constexpr const char* way_lasts = "; Max-Age=3600";

// What belongs to one sign-in, made of the secret that its browser alone has.
std::string derived(std::string_view purpose, const std::string& way) {
  return auth::stored(auth::digest_of(std::string(purpose) + ":" + way));
}
std::string state_of(const std::string& way) { return derived("state", way); }
std::string verifier_of(const std::string& way) { return derived("verifier", way); }

// Fetch Metadata; a browser that does not know it names the page's origin with every POST.
bool is_own_page(const http::Request& request, const std::string& own_origin) {
  const std::string_view site = request.header("Sec-Fetch-Site");
  return site.empty() ? request.header("Origin") == own_origin : site == "same-origin";
}

std::string origin_of(const http::Request& request, const std::string& base_url) {
  if (base_url.empty()) return request.origin();
  const std::size_t path = base_url.find('/', base_url.find("//") + 2);
  return base_url.substr(0, path);
}

void answer_error(int status, std::string_view error, std::string_view description, http::Response& response) {
  response.status = status;
  response.body.clear();
  json::Writer writer(response.body);
  writer.begin_object();
  writer.key("error").string(error);
  writer.key("error_description").string(description);
  writer.end_object();
}

void answer_failure(const Error& error, http::Response& response) {
  if (!error.log_detail.empty()) log::error(error.log_detail);
  for (const auto& header : error.headers) response.headers.push_back(header);
  answer_error(error.status, "server_error", error.message, response);
}

std::string value_of(const std::vector<std::pair<std::string, std::string>>& pairs, std::string_view name) {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [name](const auto& pair) { return pair.first == name; });
  return found == pairs.end() ? std::string() : found->second;
}

}  // namespace

SigningIn::SigningIn(const Options& options, const Pages& pages, auth::Service& auth, Store store)
    : options_(options), pages_(pages), auth_(auth), store_(store) {}

// The client's row, once in a process, where there is none of that client_id; one that an administrator disabled stays
// so.
Result<void> SigningIn::keep_client() const {
  if (has_client_) return {};
  CALLISTO_CHECK(store_.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const auto known, auth::find_client(connection, client_id));
    if (known) return {};
    auth::Client client;
    client.id = client_id;
    client.name = "Workbench";
    client.description = "The pages at /workbench of this server. Switch them off by the setting workbench=false.";
    client.grants = {"authorization_code"};
    client.redirect_uris = {"/workbench/callback"};
    return auth::put_client(connection, client, {store_.clock.now(), store_.random});
  }));
  has_client_ = true;
  return {};
}

bool SigningIn::is_https(const http::Request& request) const {
  return request.secure || options_.base_url.starts_with("https:");
}

// Another site's page may neither begin a session, which takes a licence, nor end one.
void SigningIn::begin(const http::Request& request, http::Response& response) const {
  const std::string_view site = request.header("Sec-Fetch-Site");
  if (!site.empty() && site != "same-origin" && site != "none")
    return pages_.answer_problem(403, "Another site sent you here to sign in. Open the workbench itself", response);
  if (const auto kept = keep_client(); !kept) {
    if (!kept.error().log_detail.empty()) log::error(kept.error().log_detail);
    return pages_.answer_problem(kept.error().status, "The server cannot sign anybody in at the moment", response);
  }
  const bool as_user = request.raw_query == "as=User";
  const std::string way = sign_in::make_browser_key(store_.random);
  std::string query;
  append_field(query, "response_type", "code");
  append_field(query, "client_id", client_id);
  append_field(query, "scope", auth::scope_of(as_user ? auth::SessionType::User : auth::SessionType::Analyst));
  append_field(query, "state", state_of(way));
  append_field(query, "code_challenge", auth::stored(auth::digest_of(verifier_of(way))));
  append_field(query, "code_challenge_method", "S256");
  response.status = 303;
  response.headers.emplace_back("Set-Cookie", sign_in::set_cookie(way_cookie, way, is_https(request)) + way_lasts);
  response.headers.emplace_back("Location", base_path(options_) + options_.oauth_root + "/authorize?" + query);
}

// Back to the page, which knows where the person was; with what went wrong, in a word of OAuth's.
void SigningIn::lead(const http::Request& request, std::string problem, http::Response& response) const {
  response.status = 303;
  response.headers.emplace_back("Set-Cookie", sign_in::clear_cookie(way_cookie, is_https(request)));
  std::string place = base_path(options_) + "/workbench";
  if (!problem.empty()) {
    place += "?problem=";
    append_encoded(place, problem);
  }
  response.headers.emplace_back("Location", std::move(place));
}

// Answers what went wrong; empty: the session is `key`'s.
Result<std::string> SigningIn::redeem(const http::Request& request, const std::string& way,
                                      const std::string& key) const {
  CALLISTO_TRY(const auto pairs, http::decode_query(request.raw_query));
  if (way.empty() || value_of(pairs, "state") != state_of(way)) return std::string("out_of_date");
  if (const std::string error = value_of(pairs, "error"); !error.empty()) return error;
  auth::LoginRequest login;
  login.fields = {{"grant_type", "authorization_code"},
                  {"client_id", client_id},
                  {"code", value_of(pairs, "code")},
                  {"code_verifier", verifier_of(way)}};
  login.remote_address = request.remote_address;
  login.browser_key = key;
  CALLISTO_TRY(const auth::LoginAnswer answer, auth_.login(login));
  const auto* refusal = std::get_if<auth::OAuthError>(&answer);
  return refusal ? refusal->error : std::string();
}

void SigningIn::finish(const http::Request& request, http::Response& response) const {
  if (request.method != "GET" || request.head) return pages_.answer_problem(405, "Use GET here", response);
  const bool https = is_https(request);
  const std::string key = sign_in::make_browser_key(store_.random);
  const auto problem = redeem(request, sign_in::read_cookie(request, way_cookie, https), key);
  if (!problem) {
    if (!problem.error().log_detail.empty()) log::error(problem.error().log_detail);
    return lead(request, "server_error", response);
  }
  lead(request, *problem, response);
  if (!problem->empty()) return;
  // The session that this one takes the place of gives its licence back.
  const std::string before = sign_in::read_cookie(request, session_cookie, https);
  if (!before.empty())
    if (const auto ended = auth_.end_in_browser(before, std::string(request.remote_address)); !ended)
      log::error("The workbench's session before could not be ended: " + ended.error().log_detail);
  response.headers.emplace_back("Set-Cookie", sign_in::set_cookie(session_cookie, key, https));
}

bool SigningIn::refuses(const http::Request& request, http::Response& response) const {
  if (request.method != "POST") {
    response.headers.emplace_back("Allow", "POST");
    answer_error(405, "invalid_request", "Use POST here.", response);
    return true;
  }
  if (is_own_page(request, origin_of(request, options_.base_url))) return false;
  answer_error(403, "invalid_request", "Only the workbench's own pages may ask this.", response);
  return true;
}

void SigningIn::token(const http::Request& request, http::Response& response) const {
  if (refuses(request, response)) return;
  const std::string key = sign_in::read_cookie(request, session_cookie, is_https(request));
  if (key.empty()) return answer_error(401, "login_required", "Nobody is signed in in this browser.", response);
  const auto answer = auth_.renew_in_browser(key);
  if (!answer) return answer_failure(answer.error(), response);
  if (const auto* refusal = std::get_if<auth::OAuthError>(&*answer)) {
    if (refusal->retry_after_seconds > 0) {
      response.headers.emplace_back("Retry-After", std::to_string(refusal->retry_after_seconds));
      return answer_error(refusal->status, refusal->error, refusal->description, response);
    }
    response.headers.emplace_back("Set-Cookie", sign_in::clear_cookie(session_cookie, is_https(request)));
    return answer_error(401, "login_required", "The session has ended. Sign in again.", response);
  }
  const auto& tokens = std::get<auth::TokenPair>(*answer);
  json::Writer writer(response.body);
  writer.begin_object();
  writer.key("access_token").string(tokens.access_token);
  writer.key("token_type").string("Bearer");
  writer.key("expires_in").integer(tokens.expires_in);
  writer.key("scope").string(tokens.scope);
  writer.end_object();
}

void SigningIn::sign_out(const http::Request& request, http::Response& response) const {
  if (refuses(request, response)) return;
  const std::string key = sign_in::read_cookie(request, session_cookie, is_https(request));
  if (!key.empty())
    if (const auto ended = auth_.end_in_browser(key, std::string(request.remote_address)); !ended)
      return answer_failure(ended.error(), response);
  response.headers.emplace_back("Set-Cookie", sign_in::clear_cookie(session_cookie, is_https(request)));
  response.status = 204;
}

}  // namespace callisto::workbench
