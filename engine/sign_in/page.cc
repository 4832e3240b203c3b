#include "engine/sign_in/page.h"

#include "engine/auth/base64.h"
#include "engine/auth/token.h"
#include "engine/sign_in/answer_url.h"
#include "engine/sign_in/html.h"
#include "sign_in_texts.h"

namespace callisto::sign_in {

namespace {

constexpr std::string_view css = embedded::sign_in_texts::files.front().second;
constexpr HtmlLiteral style(css);

// A moon with its craters.
constexpr HtmlLiteral mark(
    R"(<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><circle class="moon" cx="16" cy="16" r="15"/>)"
    R"(<g class="crater"><circle cx="11" cy="11" r="4"/><circle cx="21.5" cy="18" r="2.6"/>)"
    R"(<circle cx="12.5" cy="22" r="2"/><circle cx="20" cy="8.5" r="1.4"/></g></svg>)");

constexpr HtmlLiteral icon(
    R"(<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E)"
    R"(%3Ccircle cx='16' cy='16' r='15' fill='%234557d6'/%3E%3Cg fill='%23fff' fill-opacity='.45'%3E)"
    R"(%3Ccircle cx='11' cy='11' r='4'/%3E%3Ccircle cx='21.5' cy='18' r='2.6'/%3E)"
    R"(%3Ccircle cx='12.5' cy='22' r='2'/%3E%3C/g%3E%3C/svg%3E">)");

std::string document(HtmlLiteral title, const std::string& server_name, const Html& content) {
  Html html;
  html << R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>)"
       << title << " – ";
  html.text(server_name) << "</title>\n"
                         << icon << "\n<style>" << style << "</style>\n</head>\n<body>\n<main>\n"
                         << "<p class=\"brand\">" << mark << "<span>";
  html.text(server_name) << "</span></p>\n" << content << "</main>\n</body>\n</html>\n";
  return html.str();
}

Html problem(const std::string& words) {
  Html html;
  if (words.empty()) return html;
  html << R"(<p class="problem" id="problem" role="alert"><svg viewBox="0 0 20 20" aria-hidden="true">)"
       << R"(<path d="M10 1a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-1.1 4.5h2.2v6H8.9zm0 7.4h2.2v2.2H8.9z"/></svg><span>)";
  html.text(words) << "</span></p>\n";
  return html;
}

// Focus goes to the first field that is empty; after a refusal to the password, which has to be typed again.
Html fields(const SignInPage& page) {
  const bool named = !page.login_name.empty();
  const Html invalid = page.problem.empty() ? Html() : Html(R"( aria-invalid="true" aria-describedby="problem")");
  const Html focus(" autofocus");
  Html html;
  html << R"(<label for="username">User name</label>
<input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false")"
       << R"( required value=")";
  html.text(page.login_name) << "\"" << invalid << (named ? Html() : focus) << ">\n";
  html << R"(<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required)"
       << invalid << (named ? focus : Html()) << ">\n";
  return html;
}

Html form(const SignInPage& page) {
  Html html;
  html << R"(<form method="post" action=")";
  html.text(page.action) << "\">\n<input type=\"hidden\" name=\"request\" value=\"";
  html.text(page.pending) << "\">\n" << fields(page) << "<button type=\"submit\">Sign in</button>\n</form>\n";
  return html;
}

Html offers(const SignInPage& page) {
  Html html;
  if (!page.offers.empty()) html << "<p class=\"or\"><span>or</span></p>\n";
  for (const SignInPage::Link& link : page.offers) {
    html << "<a class=\"offer\" href=\"";
    html.text(link.url) << "\">Continue with <bdi>";
    html.text(link.label) << "</bdi></a>\n";
  }
  return html;
}

}  // namespace

std::string render(const SignInPage& page) {
  Html html;
  html << "<h1>Sign in</h1>\n<p class=\"lead\">to continue to <strong><bdi>";
  html.text(page.client_name) << "</bdi></strong></p>\n";
  html << problem(page.problem) << form(page) << offers(page);
  html << "<p class=\"foot\"><span>You will return to <bdi>";
  html.text(page.destination) << "</bdi></span>\n<a href=\"";
  html.text(page.cancel_url) << "\">Cancel</a></p>\n";
  return document("Sign in", page.server_name, html);
}

std::string render(const ProblemPage& page) {
  Html html;
  html << "<h1>This sign-in cannot go on</h1>\n"
       << problem(page.problem) << "<p class=\"foot\">Go back to the application you came from and start again there. "
       << "If that does not help, tell its administrator what stands above.</p>\n";
  return document("Sign-in problem", page.server_name, html);
}

std::string destination_of(const std::string& redirect_uri) {
  const std::string_view authority = authority_of(redirect_uri);
  if (!redirect_uri.starts_with("http") || authority.empty()) return "an app on this device";
  for (const std::string_view loopback : {"127.0.0.1", "[::1]", "localhost"})
    if (authority.starts_with(loopback) && (authority.size() == loopback.size() || authority[loopback.size()] == ':'))
      return "a program on this device";
  return std::string(authority);
}

const std::string& style_source() {
  static const std::string source = [] {
    const auth::Digest digest = auth::digest_of(css);
    const std::string bytes(digest.begin(), digest.end());
    return "'sha256-" + auth::encode_base64(bytes, auth::Base64::Standard) + "='";
  }();
  return source;
}

}  // namespace callisto::sign_in
