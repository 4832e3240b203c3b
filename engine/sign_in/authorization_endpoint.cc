#include "engine/sign_in/authorization_endpoint.h"

#include "engine/base/log.h"
#include "engine/http/base_path.h"
#include "engine/sign_in/answer_url.h"
#include "engine/sign_in/cookie.h"
#include "engine/sign_in/pages/login_form.h"
#include "engine/sign_in/pages/page.h"

#include <utility>

namespace callisto::sign_in {

namespace {

constexpr const char* out_of_date =
    "This page is out of date, or the browser did not keep its cookie. Allow cookies for this site.";

// RFC 6749 4.1.2.1
void refuse(Exchange& exchange, const std::string& redirect_uri, std::string_view error, std::string_view description,
            std::string_view state) {
  answer_client(exchange, redirect_uri, {{"error", error}, {"error_description", description}, {"state", state}});
}

// A registered redirect uri that is a path is one of this server itself, however it is called (the workbench's).
std::string absolute(const Exchange& exchange, const std::string& redirect_uri) {
  const bool is_path = redirect_uri.starts_with('/') && !redirect_uri.starts_with("//");
  return is_path ? exchange.issuer + redirect_uri : redirect_uri;
}

}  // namespace

AuthorizationEndpoint::AuthorizationEndpoint(Options options, auth::Service& auth, Providers providers,
                                             const Clock& clock, Random& random, audit::Sink& audit)
    : options_(std::move(options)),
      action_(std::string(http::path_of_url(options_.base_url)) + options_.oauth_root + "/authorize"),
      auth_(auth),
      providers_(std::move(providers)),
      random_(random),
      audit_(audit),
      pending_(clock, options_.form_key.empty() ? random.bytes(32) : options_.form_key) {}

Exchange AuthorizationEndpoint::exchange_of(http::Request& request, http::Response& response) const {
  Exchange exchange{request, response, options_.base_url, false, {}, false};
  if (exchange.issuer.empty()) exchange.issuer = request.origin();
  exchange.https = request.secure || exchange.issuer.starts_with("https:");
  exchange.browser_key = read_cookie(request, sign_in_cookie, exchange.https);
  exchange.new_browser = exchange.browser_key.empty();
  if (exchange.new_browser) exchange.browser_key = make_browser_key(random_);
  return exchange;
}

void AuthorizationEndpoint::handle(Path path, http::Request& request, http::Response& response) const {
  Exchange exchange = exchange_of(request, response);
  const auto done = dispatch(path, exchange);
  if (done) return;
  const Error& error = done.error();
  if (!error.log_detail.empty()) log::error(error.log_detail);
  for (const auto& header : error.headers) response.headers.push_back(header);
  show_problem(exchange, error.status, error.status == 500 ? "Something went wrong on this server." : error.message);
}

Result<void> AuthorizationEndpoint::dispatch(Path path, Exchange& exchange) const {
  const std::string_view method = exchange.request.method;
  if (path == Path::Callback) return method == "GET" ? resume(exchange) : method_not_allowed("Use GET here.", "GET");
  // RFC 6749 3.1: "The authorization server MUST support the use of the HTTP GET method". Not HEAD: a GET may make a
  // code.
  if (method == "GET") return begin(exchange);
  if (method == "POST") return submit(exchange);
  return method_not_allowed("This url supports GET and POST.", "GET, POST");
}

Result<void> AuthorizationEndpoint::begin(Exchange& exchange) const {
  CALLISTO_TRY(Parameters parameters, read_parameters(exchange.request.raw_query));
  CALLISTO_TRY(const auto pending, check(exchange, std::move(parameters)));
  return pending ? ask_providers(exchange, *pending) : Result<void>();
}

Result<void> AuthorizationEndpoint::submit(Exchange& exchange) const {
  CALLISTO_TRY(const LoginForm form, read_login_form(exchange.request));
  auto opened = is_cross_site(exchange.request) ? std::nullopt : pending_.open(form.pending, exchange.browser_key);
  if (!opened) return bad_format(out_of_date);
  const bool expired = opened->expired;
  CALLISTO_TRY(const auto pending, check(exchange, std::move(opened->parameters)));
  if (!pending) return {};
  const auto again = [&](int status, const std::string& problem) {
    show_login(exchange, *pending, status, form.login_name, problem);
    return Result<void>();
  };
  if (expired) return again(400, "This page was open for a long time. Please sign in again.");
  if (form.login_name.empty() || form.password.empty()) return again(400, "Enter your user name and your password.");
  CALLISTO_TRY(const auto checked, auth_.check_password(pending->authorization, form.login_name, form.password,
                                                        std::string(exchange.request.remote_address)));
  if (const auto* refusal = std::get_if<auth::OAuthError>(&checked)) {
    if (refusal->retry_after_seconds > 0)
      exchange.response.headers.emplace_back("Retry-After", std::to_string(refusal->retry_after_seconds));
    return again(refusal->status, words_for(*refusal));
  }
  CALLISTO_TRY(const bool finished, finish(exchange, *pending, std::get<std::int64_t>(checked)));
  return finished ? Result<void>() : again(400, words_for({}));
}

Result<void> AuthorizationEndpoint::resume(Exchange& exchange) const {
  for (const auto& provider : providers_) {
    CALLISTO_TRY(const auto returned, provider->resume(exchange.request, exchange.browser_key));
    if (!returned) continue;
    auto opened = pending_.open(returned->pending, exchange.browser_key);
    if (!opened || opened->expired) return bad_format(out_of_date);
    CALLISTO_TRY(const auto pending, check(exchange, std::move(opened->parameters)));
    return pending ? follow(exchange, *pending, returned->verdict) : Result<void>();
  }
  return bad_format("No sign-in that began here ends at this url.");
}

Result<std::optional<AuthorizationEndpoint::Pending>> AuthorizationEndpoint::check(Exchange& exchange,
                                                                                   Parameters parameters) const {
  const std::optional<Pending> answered;
  CALLISTO_TRY(auto answer, auth_.check_authorization(parameters.values));
  if (const auto* refusal = std::get_if<auth::AuthorizationRefusal>(&answer)) {
    // RFC 6749 4.1.2.1: "MUST NOT automatically redirect the user-agent to the invalid redirection URI."
    const std::string answer_to = refusal->redirect_uri ? absolute(exchange, *refusal->redirect_uri) : "";
    if (!is_redirectable(answer_to)) show_problem(exchange, 400, refusal->description);
    else refuse(exchange, answer_to, refusal->error, refusal->description, refusal->state);
    return answered;
  }
  auto& authorization = std::get<auth::Authorization>(answer);
  std::string answer_to = absolute(exchange, authorization.redirect_uri);
  if (!is_redirectable(answer_to)) {
    show_problem(exchange, 400, "A browser cannot be sent to this redirect_uri.");
    return answered;
  }
  // OpenID Connect Core 3.1.2.1: "If this parameter contains none with any other value, an error is returned."
  if (parameters.has_prompt("none") && parameters.get("prompt") != "none")
    parameters.problem = "The parameter prompt has 'none' together with other words.";
  if (!parameters.problem.empty()) {
    refuse(exchange, answer_to, "invalid_request", parameters.problem, authorization.state);
    return answered;
  }
  return std::optional(Pending{std::move(parameters), std::move(authorization), std::move(answer_to)});
}

Result<void> AuthorizationEndpoint::ask_providers(Exchange& exchange, const Pending& pending) const {
  const Parameters& parameters = pending.parameters;
  const std::string sealed = pending_.seal(parameters, exchange.browser_key);
  const bool fresh = parameters.has_prompt("login") || parameters.has_prompt("select_account");
  const bool silent = parameters.has_prompt("none");
  const Attempt attempt{exchange.request, pending.authorization, exchange.issuer, exchange.browser_key,
                        sealed,           parameters.get("idp"), fresh,           silent};
  for (const auto& provider : providers_) {
    CALLISTO_TRY(const Verdict verdict, provider->ask(attempt));
    if (!std::holds_alternative<NotMine>(verdict)) return follow(exchange, pending, verdict);
  }
  return follow(exchange, pending, NotMine{});
}

Result<void> AuthorizationEndpoint::follow(Exchange& exchange, const Pending& pending, const Verdict& verdict) const {
  const auto& [parameters, authorization, answer_to] = pending;
  if (const auto* signed_in = std::get_if<SignedIn>(&verdict)) {
    CALLISTO_TRY(const bool finished, finish(exchange, pending, signed_in->person));
    if (!finished)
      refuse(exchange, answer_to, "access_denied", "This person cannot sign in here at the moment.",
             authorization.state);
  } else if (const auto* refused = std::get_if<Refused>(&verdict)) {
    note(exchange, pending, *refused);
    refuse(exchange, answer_to, refused->error, refused->description, authorization.state);
  } else if (const auto* elsewhere = std::get_if<SendTo>(&verdict)) {
    for (const auto& header : elsewhere->headers) exchange.response.headers.push_back(header);
    keep_browser(exchange);
    answer_redirect(exchange, elsewhere->url);
  } else if (parameters.has_prompt("none")) {
    refuse(exchange, answer_to, "login_required", "Nobody is signed in.", authorization.state);
  } else {
    show_login(exchange, pending, 200, parameters.get("login_hint"), {});
  }
  return {};
}

void AuthorizationEndpoint::note(const Exchange& exchange, const Pending& pending, const Refused& refused) const {
  audit::Event event;
  event.kind = audit::Kind::SignInRefused;
  event.client = pending.authorization.client_id;
  event.address = exchange.request.remote_address;
  event.login = refused.login;
  event.action = refused.way;
  event.reason = refused.reason;
  audit_.note(event);
}

// False where the person may not hold such a session, which the service has noted.
Result<bool> AuthorizationEndpoint::finish(Exchange& exchange, const Pending& pending, std::int64_t person) const {
  const auth::Authorization& authorization = pending.authorization;
  CALLISTO_TRY(const auto code, auth_.issue_code(authorization, person, std::string(exchange.request.remote_address)));
  if (!code) return false;
  // RFC 6749 4.1.2
  answer_client(exchange, pending.answer_to, {{"code", *code}, {"state", authorization.state}});
  return true;
}

void AuthorizationEndpoint::show_login(Exchange& exchange, const Pending& pending, int status,
                                       const std::string& login_name, const std::string& problem) const {
  const auth::Authorization& authorization = pending.authorization;
  SignInPage page;
  page.server_name = options_.server_name;
  page.client_name = authorization.client_name.empty() ? authorization.client_id : authorization.client_name;
  page.destination = destination_of(pending.answer_to);
  page.action = action_;
  page.pending = pending_.seal(pending.parameters, exchange.browser_key);
  page.login_name = login_name;
  page.problem = problem;
  page.cancel_url = answer_url(pending.answer_to,
                               {{"error", "access_denied"}, {"state", authorization.state}, {"iss", exchange.issuer}});
  for (const auto& provider : providers_) {
    const auto offer = provider->offer();
    if (!offer) continue;
    Parameters chosen = pending.parameters;
    chosen.values["idp"] = offer->id;
    page.offers.push_back({offer->label, action_ + "?" + to_query(chosen)});
  }
  keep_browser(exchange);
  // Browsers hold the redirect that answers the form against form-action too.
  answer_page(exchange.response, status, render(page), "'self' " + policy_source(pending.answer_to));
}

void AuthorizationEndpoint::show_problem(Exchange& exchange, int status, const std::string& problem) const {
  answer_page(exchange.response, status, render(ProblemPage{options_.server_name, problem}));
}

}  // namespace callisto::sign_in
