// callisto audit verify, callisto audit list: what the audit log holds, and whether it is unchanged.
#include "engine/app/commands.h"
#include "engine/app/opening/load.h"
#include "engine/audit/head.h"
#include "engine/audit/log.h"
#include "engine/audit/verify.h"
#include "engine/base/progress.h"

#include <cstdio>
#include <filesystem>

namespace callisto::app {

namespace {

std::string log_of(const Settings& settings) { return settings.data + "/audit.jsonl"; }

std::uint64_t size_of(const std::vector<std::string>& files) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(file, failed);
    bytes += failed ? 0 : size;
  }
  return bytes;
}

void print_good(const audit::Report& report) {
  std::printf("%lld lines are unchanged\n", static_cast<long long>(report.lines));
  if (report.torn > 0)
    std::printf("%lld times a crash or a full disk left a torn line; the next line says so\n",
                static_cast<long long>(report.torn));
  if (report.before.sequence > 0)
    std::printf("the chain began in earlier files: it continues from line %lld, %s\n",
                static_cast<long long>(report.before.sequence), report.before.hash.c_str());
  std::printf("the last is line %lld of the chain, %s\n", static_cast<long long>(report.last.sequence),
              report.last.hash.c_str());
}

bool fits(const json::Node& line, const AuditListOptions& options, const std::optional<DateTime>& since) {
  const auto member = [&](std::string_view name) {
    const json::Node* node = line.find(name);
    return node ? node->text() : std::string();
  };
  if (!options.event.empty() && member("event") != options.event) return false;
  if (!options.person.empty() && member("person") != options.person) return false;
  const auto time = parse_iso8601(member("time"));
  return !since || (time && *time >= *since);
}

}  // namespace

std::unique_ptr<audit::Log> open_audit(const Settings& settings, const Clock& clock) {
  auto log = audit::Log::open(log_of(settings), clock);
  if (log) return *std::move(log);
  print_error(log.error());
  return nullptr;
}

// The head is read first: a server that runs writes on meanwhile.
int audit_verify(const Settings& settings, std::vector<std::string> files) {
  const std::string own = log_of(settings);
  if (files.empty()) files.push_back(own);
  // The one beside the file, wherever that stands; what a rotation renamed has none.
  const bool has_its_name = std::filesystem::path(files.back()).extension() == ".jsonl";
  const auto head = has_its_name ? audit::read_head(audit::head_path(files.back())) : std::optional<audit::Link>();
  auto report = [&] {
    Progress progress("verifying", size_of(files));
    return audit::verify(files, head, [&](std::uint64_t bytes) { progress.advance_to(bytes); });
  }();
  if (!report) {
    print_error(report.error());
    return 1;
  }
  if (!report->broken) {
    print_good(*report);
    return 0;
  }
  const audit::Broken& broken = *report->broken;
  std::printf("%s:%lld: %s\n%lld lines before it are unchanged\n", broken.file.c_str(),
              static_cast<long long>(broken.line), broken.what.c_str(), static_cast<long long>(report->lines));
  return 1;
}

std::string audit_events() {
  std::string text;
  for (int i = 0; i <= static_cast<int>(audit::Kind::RepeatsLeftOut); ++i)
    text += (i == 0 ? "" : i % 5 == 0 ? ",\n" : ", ") + std::string(audit::name(static_cast<audit::Kind>(i)));
  return text;
}

int audit_list(const Settings& settings, const AuditListOptions& options) {
  const auto since = parse_iso8601(options.since);
  if (!options.event.empty() && !audit::kind_of(options.event)) {
    std::fprintf(stderr, "callisto: there is no event %s; callisto audit list --help names them\n",
                 options.event.c_str());
    return 2;
  }
  if (!options.since.empty() && !since) {
    std::fprintf(stderr, "callisto: --since %s: write a date such as 2026-03-15 or 2026-03-15T07:00Z\n",
                 options.since.c_str());
    return 2;
  }
  auto done = audit::each_line(
      options.file.empty() ? log_of(settings) : options.file, [](std::uint64_t) {},
      [&](std::string_view text, bool) {
        const auto line = json::parse(std::string(text));
        if (line && fits(*line, options, since)) std::printf("%.*s\n", static_cast<int>(text.size()), text.data());
        return true;
      });
  if (done) return 0;
  print_error(done.error());
  return 1;
}

}  // namespace callisto::app
