#include "engine/sign_in/exchange.h"

#include "engine/sign_in/answer_url.h"
#include "engine/sign_in/cookie.h"
#include "engine/sign_in/pages/document.h"

namespace callisto::sign_in {

namespace {

std::string policy(std::string_view form_action) {
  std::string text = "default-src 'none'; style-src " + style_source() + "; img-src data:; form-action ";
  text += form_action;
  return text + "; frame-ancestors 'none'; base-uri 'none'";
}

void answer(http::Response& response, int status) {
  response.status = status;
  response.content_type = "text/html; charset=utf-8";
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
}

}  // namespace

void keep_browser(Exchange& exchange) {
  if (exchange.new_browser)
    exchange.response.headers.emplace_back("Set-Cookie",
                                           set_cookie(sign_in_cookie, exchange.browser_key, exchange.https));
}

void answer_page(http::Response& response, int status, std::string html, std::string_view form_action) {
  answer(response, status);
  response.headers.emplace_back("Content-Security-Policy", policy(form_action));
  response.headers.emplace_back("X-Frame-Options", "DENY");  // browsers that do not know frame-ancestors
  response.body = std::move(html);
}

void answer_redirect(Exchange& exchange, std::string url) {
  answer(exchange.response, 303);
  exchange.response.headers.emplace_back("Location", std::move(url));
}

void answer_client(Exchange& exchange, const std::string& redirect_uri, Answer answer) {
  // RFC 9207 2: "an authorization server MUST indicate its identity by including the iss parameter in the response"
  answer.emplace_back("iss", exchange.issuer);
  answer_redirect(exchange, answer_url(redirect_uri, answer));
}

}  // namespace callisto::sign_in
