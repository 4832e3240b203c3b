#include "engine/workbench/pages.h"

#include "engine/base/hex.h"
#include "engine/base/html.h"
#include "engine/base/running_digest.h"
#include "engine/http/base_path.h"
#include "workbench_pages.h"

#include <set>
#include <vector>

namespace callisto::workbench {

namespace {

constexpr std::string_view entry = "app.js";
constexpr std::string_view first = "first.js";
constexpr std::string_view start = "start";  // the page of an url that names none

// Nothing inline, nothing from elsewhere, no text that becomes markup or script. Rich text of records is set by the
// browser's own sanitizer, or shown as text.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'";

std::string_view content_type_of(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/octet-stream";
}

std::string digest_of_all() {
  RunningDigest digest;
  for (const auto& [name, compressed] : embedded::workbench_pages::files) digest.add(compressed);
  constexpr std::size_t enough = 16;
  return digest.hex().substr(0, enough);
}

using Modules = std::set<std::string_view>;

// A module and all that comes with it, since what it imports imports more.
Modules closure_of(std::string_view module) {
  Modules found{module};
  std::vector<std::string_view> left{module};
  while (!left.empty()) {
    const std::string_view importing = left.back();
    left.pop_back();
    for (const auto& [name, imported] : embedded::workbench_pages::imports)
      if (name == importing && found.insert(imported).second) left.push_back(imported);
  }
  return found;
}

// What the pages are told of the server stands at the root, where a script finds it before there is a body; text()
// escapes what is foreign.
Html opening_of(const Options& options) {
  Html page("<!doctype html>\n<html lang=\"en\" data-base=\"");
  page.text(base_path(options));
  page << "\" data-api=\"";
  page.text(options.api_root + "/" + options.version);
  page << "\" data-server=\"";
  page.text(options.server_name);
  page << "\" data-version=\"";
  page.text(options.program_version);
  page << "\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" "
          "content=\"no-referrer\">\n<title>";
  page.text(options.server_name);
  page << "</title>\n";
  return page;
}

// The document, which has the `modules` loaded at once.
Html shell_of(const Options& options, const std::string& files, const Modules& modules) {
  Html page = opening_of(options);
  page << "<link rel=\"icon\" href=\"";
  page.text(files + "moon.svg");
  page << "\">\n<link rel=\"stylesheet\" href=\"";
  page.text(files + "workbench.css");
  page << "\">\n";
  page << "<script type=\"module\" async src=\"";  // it waits for no other module
  page.text(files + std::string(first));
  page << "\"></script>\n";
  for (const std::string_view module : modules) {
    if (module == entry || module == first) continue;
    page << "<link rel=\"modulepreload\" href=\"";
    page.text(files + std::string(module));
    page << "\">\n";
  }
  page << "<script type=\"module\" src=\"";
  page.text(files + std::string(entry));
  page << "\"></script>\n</head>\n<body>\n"
          "<noscript>This page is drawn by its script: allow scripts for this site.</noscript>\n</body>\n</html>\n";
  return page;
}

}  // namespace

std::string base_path(const Options& options) { return std::string(http::path_of_url(options.base_url)); }

Pages::Pages(const Options& options) : name_(options.server_name), digest_(digest_of_all()) {
  const std::string place = base_path(options) + "/workbench/files/" + digest_ + "/";
  const Modules of_all = closure_of(entry);
  const auto shell = [&](const Modules& modules) {
    return std::make_shared<const std::string>(shell_of(options, place, modules).str());
  };
  plain_shell_ = shell(of_all);
  for (const auto& [name, compressed] : embedded::workbench_pages::files) {
    files_.emplace(std::string(name), File{content_type_of(name), std::make_shared<const std::string>(compressed)});
    if (!name.ends_with(".js") || of_all.contains(name)) continue;
    Modules modules = closure_of(name);
    modules.insert(of_all.begin(), of_all.end());
    shells_.emplace(std::string(name.substr(0, name.rfind('.'))), shell(modules));
  }
}

void Pages::answer_shell(std::string_view page, http::Response& response) const {
  const std::string_view name = page.substr(0, page.find('/'));
  const auto found = shells_.find(name.empty() ? start : name);
  response.content_type = "text/html; charset=utf-8";
  response.headers.emplace_back("Content-Security-Policy", policy);
  response.headers.emplace_back("X-Frame-Options", "DENY");
  response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  response.headers.emplace_back("Cache-Control", "no-cache");
  response.compressible = true;
  response.kept = found == shells_.end() ? plain_shell_ : found->second;
}

void Pages::answer_file(std::string_view name, http::Response& response) const {
  const std::size_t slash = std::min(name.find('/'), name.size());
  const auto found = files_.find(name.substr(std::min(slash + 1, name.size())));
  if (found == files_.end() || name.substr(0, slash) != digest_)
    return answer_problem(404, "This file belongs to another version. Load the page again", response);
  response.content_type = found->second.content_type;
  response.headers.emplace_back("Content-Encoding", "gzip");
  response.headers.emplace_back("Cache-Control", "public, max-age=31536000, immutable");
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  response.kept = found->second.compressed;
}

void Pages::answer_problem(int status, std::string_view problem, http::Response& response) const {
  Html page("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>");
  page.text(name_);
  page << "</title><p>";
  page.text(problem);
  page << ".</p></html>\n";
  response.status = status;
  response.content_type = "text/html; charset=utf-8";
  response.body = page.str();
}

}  // namespace callisto::workbench
