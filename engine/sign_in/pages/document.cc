#include "engine/sign_in/pages/document.h"

#include "engine/base/base64.h"
#include "engine/base/sha256.h"
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

}  // namespace

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
  html.text(server_name) << "</span></p>\n<h1>" << title << "</h1>\n" << content << "</main>\n</body>\n</html>\n";
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

Html field(const Field& field) {
  Html html;
  html << "<label for=\"" << field.name << "\">" << field.label << "</label>\n<input id=\"" << field.name
       << "\" name=\"" << field.name << "\"" << field.attributes;
  if (field.value) {
    html << " value=\"";
    html.text(*field.value) << "\"";
  }
  if (field.invalid) html << R"( aria-invalid="true" aria-describedby="problem")";
  if (field.focus) html << " autofocus";
  html << ">\n";
  return html;
}

const std::string& style_source() {
  static const std::string source = "'sha256-" + encode_base64(view(sha256(css)), Base64::Padded) + "'";
  return source;
}

}  // namespace callisto::sign_in
