#include "engine/app/describing/promises.h"

#include "engine/app/describing/description.h"
#include "engine/app/describing/matrix.h"
#include "engine/base/html.h"
#include "engine/base/text.h"

#include <algorithm>
#include <filesystem>

namespace callisto::app {

namespace {

constexpr HtmlLiteral head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>What this desk promises</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1, h2, h3 { line-height: 1.2 }
h2 { margin-top: 3rem; border-bottom: 1px solid color-mix(in srgb, currentColor 30%, transparent) }
ul { padding-left: 1.2rem }
pre { overflow-x: auto; font-size: .85rem }
.place { font-size: .8rem; opacity: .75 }
.broken { font-weight: 600; color: light-dark(#a00, #f88) }
@media print { details { display: none } }
</style>
</head>
<body>
<h1>What this desk promises</h1>
)";

std::string capitalized(const std::string& words) {
  std::size_t first = std::min<std::size_t>(1, words.size());
  while (first < words.size() && (static_cast<unsigned char>(words[first]) & 0xC0) == 0x80)
    ++first;  // of one character
  return text::upper(words.substr(0, first)) + words.substr(first);
}

// scripts/call/spec/close_spec.lua -> call; empty: the spec lies elsewhere
std::string entity_of_spec(const std::string& file) {
  const std::size_t end = file.rfind("/spec/");
  return end == std::string::npos ? std::string() : std::filesystem::path(file.substr(0, end)).filename().string();
}

// scripts/call/hooks.lua, scripts/call/actions/close.lua -> call
std::string entity_of_rule(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  const bool is_deeper =
      folder.filename() == "actions" || folder.filename() == "augmenters" || folder.filename() == "lib";
  return is_deeper ? folder.parent_path().filename() : folder.filename();
}

class Page {
 public:
  explicit Page(const Promises& promises) : promises_(promises) {}

  std::string write() && {
    html_ << head;
    write_sums();
    write_list_of_chapters();
    for (const auto& [entity, outcomes] : chapters()) write_chapter(entity, outcomes);
    if (promises_.mutation) write_mutants(*promises_.mutation);
    html_ << "</body>\n</html>\n";
    return html_.str();
  }

 private:
  using Outcomes = std::vector<std::size_t>;  // numbers in the report

  std::map<std::string, Outcomes> chapters() const {
    std::map<std::string, Outcomes> chapters;
    for (std::size_t i = 0; i < promises_.report.outcomes.size(); ++i)
      chapters[entity_of_spec(promises_.report.outcomes[i].spec.place.file)].push_back(i);
    return chapters;
  }

  const catalog::Entity* entity(const std::string& name) const { return promises_.model.catalog().find(name); }

  std::string title_of(const std::string& name) const {
    if (const catalog::Entity* known = entity(name)) return known->display_name;
    return name == "common" ? "What holds for all records" : name.empty() ? "Other promises" : name;
  }

  void paragraph(const std::string& words) { (html_ << "<p>").text(words) << "</p>\n"; }

  void write_sums() {
    const std::size_t all = promises_.report.outcomes.size(), failed = promises_.report.failed();
    paragraph(std::to_string(all - failed) + " of " + std::to_string(all) +
              " promises were kept when their specs ran against the sample desk.");
    paragraph(capitalized(sum_of(promises_.coverage)));
    if (const Mutation* mutation = promises_.mutation)
      paragraph(std::to_string(mutation->judged) + " rules were changed, one at a time; a spec noticed " +
                std::to_string(mutation->judged - mutation->survivors.size()) + " of these changes.");
  }

  void write_list_of_chapters() {
    html_ << "<nav><ul>\n";
    for (const auto& [name, outcomes] : chapters()) {
      (html_ << "<li><a href=\"#").text("entity-" + name) << "\">";
      html_.text(title_of(name)) << "</a> ";
      html_.text("(" + std::to_string(outcomes.size()) + ")") << "</li>\n";
    }
    html_ << "</ul></nav>\n";
  }

  void write_chapter(const std::string& name, const Outcomes& outcomes) {
    (html_ << "<section id=\"").text("entity-" + name) << "\">\n<h2>";
    html_.text(title_of(name)) << "</h2>\n";
    const catalog::Entity* known = entity(name);
    if (known && !known->description.empty()) paragraph(known->description);
    write_promises(outcomes);
    if (known) write_actions(*known, outcomes);
    write_missing(name);
    if (known) write_rules(*known);
    html_ << "</section>\n";
  }

  // "closing a call > needs a description": what stands before the last part is a heading.
  void write_promises(const Outcomes& outcomes) {
    std::string topic;
    bool is_open = false;
    for (const std::size_t number : outcomes) {
      const testing::Outcome& outcome = promises_.report.outcomes[number];
      const std::size_t at = outcome.spec.sentence.rfind(" > ");
      const std::string above = at == std::string::npos ? std::string() : outcome.spec.sentence.substr(0, at);
      if (!is_open || above != topic) {
        if (is_open) html_ << "</ul>\n";
        if (!above.empty()) (html_ << "<h3>").text(capitalized(above)) << "</h3>\n";
        html_ << "<ul>\n";
        topic = above;
        is_open = true;
      }
      write_promise(outcome, at == std::string::npos ? outcome.spec.sentence : outcome.spec.sentence.substr(at + 3),
                    promises_.done[number]);
    }
    if (is_open) html_ << "</ul>\n";
  }

  void write_promise(const testing::Outcome& outcome, const std::string& sentence,
                     const std::vector<std::string>& done) {
    if (outcome.failure) html_ << "<li class=\"broken\">Broken: ";
    else html_ << "<li>";
    html_.text(capitalized(sentence)) << " <span class=\"place\">";
    std::string words;
    for (const std::string& action : done) words += (words.empty() ? "does " : ", ") + action;
    html_.text((words.empty() ? "" : words + "; ") + outcome.spec.place.file + ":" +
               std::to_string(outcome.spec.place.line))
        << "</span></li>\n";
  }

  void write_actions(const catalog::Entity& known, const Outcomes& outcomes) {
    html_ << "<h3>Its actions</h3>\n<ul>\n";
    for (const catalog::Action* action : known.actions) {
      if (!action->supported || action->is_read()) continue;
      const auto promised = std::count_if(outcomes.begin(), outcomes.end(), [&](std::size_t number) {
        const auto& done = promises_.done[number];
        return std::find(done.begin(), done.end(), action->name) != done.end();
      });
      (html_ << "<li><strong>").text(action->title) << "</strong>: ";
      html_.text(action->description + (action->description.empty() ? "" : " ") +
                 (promised == 0 ? "No promise here does it."
                                : "Done in " + std::to_string(promised) + (promised == 1 ? " promise." : " promises.")))
          << "</li>\n";
    }
    html_ << "</ul>\n";
  }

  void write_missing(const std::string& name) {
    Html lines;
    for (const auto& [file, points] : promises_.coverage) {
      if (entity_of_rule(file) != name) continue;
      for (const std::string& line : Coverage::missing(points)) {
        lines << "<li>";
        lines.text(line) << " <span class=\"place\">";
        lines.text(file) << "</span></li>\n";
      }
    }
    if (!lines.empty()) html_ << "<h3>What no promise reaches</h3>\n<ul>\n" << lines << "</ul>\n";
  }

  void write_rules(const catalog::Entity& known) {
    const std::string matrix = matrix_of(promises_.model, {&known});
    if (!matrix.empty()) (html_ << "<h3>Who may do what in which state</h3>\n<pre>").text(matrix) << "</pre>\n";
    html_ << "<details><summary>All of its rules, with their files</summary>\n<pre>";
    html_.text(description_text(*promises_.model.program, known)) << "</pre></details>\n";
  }

  void write_mutants(const Mutation& mutation) {
    html_ << "<section id=\"mutants\">\n<h2>Changes that no promise notices</h2>\n";
    if (mutation.survivors.empty()) paragraph("There are none.");
    html_ << "<ul>\n";
    for (const Mutation::Survivor& each : mutation.survivors) {
      (html_ << "<li>").text("When " + each.words + ": ") << "<code>";
      html_.text(each.source) << "</code> <span class=\"place\">";
      html_.text(each.file + ":" + std::to_string(each.line)) << "</span></li>\n";
    }
    html_ << "</ul>\n</section>\n";
  }

  const Promises& promises_;
  Html html_;
};

}  // namespace

std::string page_of(const Promises& promises) { return Page(promises).write(); }

}  // namespace callisto::app
