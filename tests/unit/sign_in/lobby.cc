#include "tests/unit/sign_in/lobby.h"

#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/http/framing/response_text.h"
#include "engine/http/url.h"
#include "engine/sign_in/proxy_header.h"

#include <algorithm>

namespace callisto::sign_in {

FakeRequest::FakeRequest(std::string verb, std::string query, Headers headers, std::string body)
    : verb_(std::move(verb)), query_(std::move(query)), body_(std::move(body)), headers_(std::move(headers)) {
  method = verb_;
  raw_query = query_;
  raw_path = "/service.web/oauth/authorize";
}

std::string_view FakeRequest::header(std::string_view any_case_name) const {
  for (const auto& [name, value] : headers_)
    if (text::equals_ignoring_ascii_case(name, any_case_name)) return value;
  return {};
}

std::size_t FakeRequest::header_count(std::string_view any_case_name) const {
  return static_cast<std::size_t>(std::count_if(headers_.begin(), headers_.end(), [&](const auto& header) {
    return text::equals_ignoring_ascii_case(header.first, any_case_name);
  }));
}

Result<std::string> FakeRequest::body(std::size_t limit) {
  if (body_.size() > limit) return payload_too_large("The body is too large.");
  return body_;
}

Result<auth::AuthorizationAnswer> FakeService::check_authorization(const auth::AuthorizationParameters& parameters) {
  if (broken) return internal("the disk is full at /secret/path");
  const auto value = [&](const char* name) {
    const auto found = parameters.find(name);
    return found == parameters.end() ? std::string() : found->second;
  };
  const std::string wanted = value("redirect_uri");
  if (value("client_id") != "app")
    return auth::AuthorizationAnswer(
        auth::AuthorizationRefusal{{}, "invalid_request", "No such client: <" + value("client_id") + ">.", {}});
  if (!wanted.empty() && wanted != redirect_uri)
    return auth::AuthorizationAnswer(
        auth::AuthorizationRefusal{{}, "invalid_request", "This redirect_uri is not registered.", {}});
  if (value("response_type") != "code")
    return auth::AuthorizationAnswer(auth::AuthorizationRefusal{redirect_uri, "unsupported_response_type",
                                                                "Only code & \"nothing\" else.", value("state")});
  return auth::AuthorizationAnswer(auth::Authorization{"app", client_name, redirect_uri, !wanted.empty(),
                                                       auth::SessionType::User, value("state"),
                                                       value("code_challenge")});
}

Result<std::variant<std::int64_t, auth::OAuthError>> FakeService::check_password(const auth::Authorization&,
                                                                                 const std::string& login_name,
                                                                                 const std::string& password,
                                                                                 const std::string&) {
  using Checked = std::variant<std::int64_t, auth::OAuthError>;
  passwords_checked.push_back(login_name + ":" + password);
  if (password_refusal) return Checked(*password_refusal);
  if (login_name == "ada" && password == "lovelace") return Checked(std::int64_t{7});
  return Checked(auth::OAuthError{400, "invalid_grant", "Refused because of a secret reason.", 0});
}

Result<std::optional<std::int64_t>> FakeService::find_person_by_login(std::string_view login_name) {
  names_asked.emplace_back(login_name);
  return login_name == "ada" ? std::optional<std::int64_t>(7) : std::nullopt;
}

Result<std::optional<std::string>> FakeService::issue_code(const auth::Authorization&, std::int64_t person,
                                                           const std::string&) {
  if (code) codes_issued.push_back(person);
  return code;
}

std::string Reply::header(const std::string& name) const {
  REQUIRE(headers.count(name) <= 1);
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

Lobby::Lobby(Options options) : options_(std::move(options)) {}

void Lobby::add(std::unique_ptr<Provider> provider) { providers_.push_back(std::move(provider)); }

void Lobby::trust_proxy() {
  ProxyHeaderOptions options{*AddressList::parse({"10.0.0.5"}), "X-Remote-User", secret, {"CORP", "CORP.EXAMPLE"}};
  auto proxy = ProxyHeader::create(std::move(options), service, [this](std::string_view reason, std::string_view from) {
    distrusted.push_back(std::string(from) + ": " + std::string(reason));
  });
  REQUIRE(proxy);
  add(*std::move(proxy));
}

void Lobby::restart() {
  endpoint_ = std::make_unique<AuthorizationEndpoint>(options_, service, Providers(), clock, random, audit);
}

Reply Lobby::send(const std::string& method, const std::string& query, const Headers& headers, const std::string& body,
                  AuthorizationEndpoint::Path path) {
  if (!endpoint_)
    endpoint_ = std::make_unique<AuthorizationEndpoint>(options_, service, std::move(providers_), clock, random, audit);
  FakeRequest request(method, query, headers, body);
  request.remote_address = peer;
  http::Response response;
  endpoint_->handle(path, request, response);
  // What holds for every answer of these urls.
  REQUIRE(http::is_sendable(response));
  Reply reply{response.status, response.body, {response.headers.begin(), response.headers.end()}};
  CHECK(response.content_type == "text/html; charset=utf-8");
  CHECK(reply.header("Cache-Control") == "no-store");
  CHECK(reply.header("Referrer-Policy") == "no-referrer");
  CHECK((reply.status == 303) == !reply.location().empty());
  if (reply.status != 303) {
    CHECK(reply.header("Content-Security-Policy").starts_with("default-src 'none'; style-src 'sha256-"));
    CHECK(reply.header("Content-Security-Policy").ends_with("frame-ancestors 'none'; base-uri 'none'"));
    CHECK(reply.header("X-Frame-Options") == "DENY");
    CHECK(reply.body.find("<script") == std::string::npos);
  }
  return reply;
}

Reply Lobby::post(const std::string& body, const std::string& cookie, const Headers& more) {
  Headers headers{{"Content-Type", "application/x-www-form-urlencoded"}};
  if (!cookie.empty()) headers.emplace_back("Cookie", cookie);
  headers.insert(headers.end(), more.begin(), more.end());
  return send("POST", "", headers, body);
}

Reply Lobby::submit(const Reply& page, const std::string& login_name, const std::string& password) {
  return post(
      "request=" + encoded(pending_of(page)) + "&username=" + encoded(login_name) + "&password=" + encoded(password),
      cookie_of(page));
}

std::string pending_of(const Reply& page) {
  const std::string before = "name=\"request\" value=\"";
  const std::size_t start = page.body.find(before);
  REQUIRE(start != std::string::npos);
  std::string value = page.body.substr(start + before.size());
  value.resize(value.find('"'));
  for (std::size_t at = 0; (at = value.find("&amp;", at)) != std::string::npos; ++at) value.erase(at + 1, 4);
  return value;
}

std::string cookie_of(const Reply& page) {
  const std::string cookie = page.header("Set-Cookie");
  return cookie.substr(0, cookie.find(';'));
}

std::string encoded(const std::string& text) {
  std::string out;
  append_encoded(out, text);
  return out;
}

}  // namespace callisto::sign_in
