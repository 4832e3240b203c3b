#include "engine/sign_in/setup_page.h"

#include "engine/sign_in/html.h"

namespace callisto::sign_in {

namespace {

std::string document(HtmlLiteral title, const Html& content) {
  Html html;
  html << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
       << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
       << "<meta name=\"robots\" content=\"noindex\">\n<title>" << title << "</title>\n</head>\n<body>\n<main>\n<h1>"
       << title << "</h1>\n"
       << content << "</main>\n</body>\n</html>\n";
  return html.str();
}

Html password_field(HtmlLiteral name, HtmlLiteral label) {
  Html html;
  html << "<p><label for=\"" << name << "\">" << label << "</label><br>\n<input id=\"" << name << "\" name=\"" << name
       << "\" type=\"password\" autocomplete=\"new-password\" minlength=\"8\" maxlength=\"1024\" required></p>\n";
  return html;
}

}  // namespace

std::string render(const SetupPage& page) {
  Html html;
  html << "<p class=\"lead\">This person may do everything. This page works once.</p>\n";
  if (!page.problem.empty()) {
    html << "<p class=\"problem\" role=\"alert\">";
    html.text(page.problem) << "</p>\n";
  }
  html << "<form method=\"post\" action=\"";
  html.text(page.action) << "\">\n<input type=\"hidden\" name=\"token\" value=\"";
  html.text(page.token) << "\">\n<p><label for=\"username\">User name</label><br>\n"
                        << "<input id=\"username\" name=\"username\" type=\"text\" autocomplete=\"username\" "
                        << "autocapitalize=\"none\" spellcheck=\"false\" maxlength=\"80\" required value=\"";
  html.text(page.login_name) << "\"></p>\n"
                             << password_field("password", "Password, at least 8 characters")
                             << password_field("repeated", "The password again")
                             << "<p><button type=\"submit\">Make the administrator</button></p>\n</form>\n";
  return document("The first administrator", html);
}

std::string render_setup_done(const std::string& login_name) {
  Html html;
  html << "<p><strong><bdi>";
  html.text(login_name) << "</bdi></strong> can sign in now, through any client of this server. Where there is none "
                        << "yet, <code>callisto client add</code> makes one.</p>\n";
  return document("The administrator is made", html);
}

std::string render_setup_gone() {
  return document("There is nothing here",
                  Html("<p>The link is not right, was used, or is older than an hour. While there is no administrator, "
                       "each start of the server prints a new one.</p>\n"));
}

std::string render_setup_failed() {
  return document("That did not work", Html("<p>The server could not store it. Its log says why. Try again.</p>\n"));
}

}  // namespace callisto::sign_in
