#include "engine/sign_in/pages/setup_page.h"

#include "engine/sign_in/pages/document.h"

namespace callisto::sign_in {

namespace {

// Focus goes to the name while it is missing or at fault, otherwise to the first password: both have to be typed again.
Html fields(const SetupPage& page) {
  const bool named = !page.login_name.empty() && page.at_fault != "username";
  constexpr HtmlLiteral name(R"( type="text" autocomplete="username" autocapitalize="none" spellcheck="false")"
                             R"( maxlength="80" required)");
  constexpr HtmlLiteral secret(
      R"( type="password" autocomplete="new-password" minlength="8" maxlength="1024" required)");
  Html html;
  html << field({"username", "User name", name, &page.login_name, page.at_fault == "username", !named})
       << field({"password", "Password <small>at least 8 characters</small>", secret, nullptr,
                 page.at_fault == "password", named})
       << field({"repeated", "The password again", secret, nullptr, page.at_fault == "repeated", false});
  return html;
}

}  // namespace

std::string render(const SetupPage& page) {
  Html html;
  html << "<p class=\"lead\">There is none yet. This account may do everything; it can make the others.</p>\n"
       << problem(page.problem) << "<form method=\"post\" action=\"";
  html.text(page.action) << "\">\n<input type=\"hidden\" name=\"token\" value=\"";
  html.text(page.token) << "\">\n"
                        << fields(page) << "<button type=\"submit\">Make the administrator</button>\n</form>\n"
                        << "<p class=\"foot\">This page works once.</p>\n";
  return document("Make the first administrator", page.server_name, html);
}

std::string render_setup_done(const std::string& server_name, const std::string& login_name,
                              const std::string& client) {
  Html html;
  html << R"(<p class="done" role="status"><svg viewBox="0 0 20 20" aria-hidden="true">)"
       << R"(<path d="M10 1a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.7 14.2 4.9 10.4l1.5-1.5 2.3 2.3 5-5 1.5 1.5z"/></svg>)"
       << "<span><strong><bdi>";
  html.text(login_name) << "</bdi></strong> can sign in now, through ";
  if (client.empty()) html << "any client of this server.</span></p>\n";
  else {
    html << "the client <code>";
    html.text(client)
        << "</code>.</span></p>\n"
        << "<p class=\"foot\"><span>It was made as well, since nobody signs in without one. Switch it off "
        << "when you have made others.</span></p>\n";
  }
  return document("The administrator is made", server_name, html);
}

std::string render_setup_gone(const std::string& server_name) {
  return document("There is nothing here", server_name,
                  Html("<p class=\"lead\">The link is wrong, was used, or is older than an hour.</p>\n"
                       "<p class=\"foot\">While there is no administrator, each start of the server prints a new "
                       "link.</p>\n"));
}

std::string render_setup_failed(const std::string& server_name) {
  return document("That did not work", server_name,
                  problem("The server could not store the administrator. Its log says why. Go back and try again."));
}

}  // namespace callisto::sign_in
