#include "engine/sign_in/pages/page.h"

#include "engine/sign_in/answer_url.h"
#include "engine/sign_in/pages/document.h"

namespace callisto::sign_in {

namespace {

// Focus goes to the first field that is empty; after a refusal to the password, which has to be typed again.
Html fields(const SignInPage& page) {
  const bool named = !page.login_name.empty(), invalid = !page.problem.empty();
  Html html;
  html << field({"username", "User name",
                 R"( type="text" autocomplete="username" autocapitalize="none" spellcheck="false" required)",
                 &page.login_name, invalid, !named})
       << field({"password", "Password", R"( type="password" autocomplete="current-password" required)", nullptr,
                 invalid, named});
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
  html << "<p class=\"lead\">to continue to <strong><bdi>";
  html.text(page.client_name) << "</bdi></strong></p>\n";
  html << problem(page.problem) << form(page) << offers(page);
  html << "<p class=\"foot\"><span>You will return to <bdi>";
  html.text(page.destination) << "</bdi></span>\n<a href=\"";
  html.text(page.cancel_url) << "\">Cancel</a></p>\n";
  return document("Sign in", page.server_name, html);
}

std::string render(const ProblemPage& page) {
  Html html;
  html << problem(page.problem) << "<p class=\"foot\">Go back to the application you came from and start again there. "
       << "If that does not help, tell its administrator what it says above.</p>\n";
  return document("This sign-in cannot continue", page.server_name, html);
}

std::string destination_of(const std::string& redirect_uri) {
  const std::string_view authority = authority_of(redirect_uri);
  if (!redirect_uri.starts_with("http") || authority.empty()) return "an app on this device";
  for (const std::string_view loopback : {"127.0.0.1", "[::1]", "localhost"})
    if (authority.starts_with(loopback) && (authority.size() == loopback.size() || authority[loopback.size()] == ':'))
      return "a program on this device";
  return std::string(authority);
}

}  // namespace callisto::sign_in
