#include "engine/sign_in/exchange.h"

#include "engine/sign_in/answer_url.h"
#include "engine/sign_in/cookie.h"
#include "engine/sign_in/page.h"

namespace callisto::sign_in {

namespace {

std::string policy(const std::string& redirect_uri) {
  std::string text = "default-src 'none'; style-src " + style_source() + "; img-src data:; ";
  // Browsers hold the redirect that answers a form against this list too.
  text += redirect_uri.empty() ? "form-action 'none'; " : "form-action 'self' " + policy_source(redirect_uri) + "; ";
  return text + "frame-ancestors 'none'; base-uri 'none'";
}

void answer(Exchange& exchange, int status) {
  http::Response& response = exchange.response;
  response.status = status;
  response.content_type = "text/html; charset=utf-8";
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
}

}  // namespace

void keep_browser(Exchange& exchange) {
  if (exchange.new_browser)
    exchange.response.headers.emplace_back("Set-Cookie", set_cookie(exchange.browser_key, exchange.https));
}

void answer_page(Exchange& exchange, int status, std::string html, const std::string& redirect_uri) {
  answer(exchange, status);
  exchange.response.headers.emplace_back("Content-Security-Policy", policy(redirect_uri));
  exchange.response.headers.emplace_back("X-Frame-Options", "DENY");  // browsers that do not know frame-ancestors
  exchange.response.body = std::move(html);
}

void answer_redirect(Exchange& exchange, std::string url) {
  answer(exchange, 303);
  exchange.response.headers.emplace_back("Location", std::move(url));
}

void answer_client(Exchange& exchange, const std::string& redirect_uri, Answer answer) {
  // RFC 9207 2: "an authorization server MUST indicate its identity by including the iss parameter in the response"
  answer.emplace_back("iss", exchange.issuer);
  answer_redirect(exchange, answer_url(redirect_uri, answer));
}

}  // namespace callisto::sign_in
