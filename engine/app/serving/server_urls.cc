#include "engine/app/serving/server_urls.h"

#include "engine/api/links.h"
#include "engine/api/render_error.h"
#include "engine/api/requester.h"
#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/http/url.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace callisto::app {

namespace {

using Parameters = ServerUrls::Parameters;

constexpr std::string_view names[] = {"$health", "$audit", "$source", "$changes", "$specs", "$reload", "$sandbox"};
constexpr std::int64_t most_lines = 1000;
constexpr std::int64_t most_minutes = 366 * 24 * 60;
constexpr std::int64_t least_status = 200, last_status = 599;

std::vector<std::string> segments_of(std::string_view path) {
  auto segments = http::decode_path(path);
  return segments ? *std::move(segments) : std::vector<std::string>();
}

const std::string* find(const Parameters& parameters, std::string_view name) {
  for (const auto& [given, value] : parameters)
    if (text::equals_ignoring_ascii_case(given, name)) return &value;
  return nullptr;
}

Result<std::optional<std::int64_t>> number(const Parameters& parameters, const std::string& name, std::int64_t most) {
  const std::string* text = find(parameters, name);
  if (!text) return std::optional<std::int64_t>();
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (problem == std::errc() && end == text->data() + text->size() && value >= 1 && value <= most)
    return std::optional(value);
  return bad_option(name, name + " must be a whole number from 1 to " + std::to_string(most) + ".");
}

Result<AuditQuestion> audit_question(const Parameters& parameters) {
  AuditQuestion question;
  if (const std::string* event = find(parameters, "event")) question.event = *event;
  if (!question.event.empty() && !audit::kind_of(question.event))
    return bad_option("event", "There is no event " + text::quoted(question.event) +
                                   " in an audit log; `callisto audit list --help` names them.");
  CALLISTO_TRY(question.person, number(parameters, "person", INT64_MAX));
  if (const std::string* since = find(parameters, "since")) {
    question.since = parse_iso8601(*since);
    if (!question.since) return bad_option("since", "since must be a date such as 2026-03-15 or 2026-03-15T07:00Z.");
  }
  CALLISTO_TRY(question.after, number(parameters, "$after", INT64_MAX));
  CALLISTO_TRY(const auto top, number(parameters, "$top", most_lines));
  if (top) question.top = static_cast<std::size_t>(*top);
  return question;
}

// The same question, behind the last line of this page.
std::string next_url(std::string url, const Parameters& parameters, std::int64_t after) {
  std::string query;
  for (const auto& [name, value] : parameters)
    if (!text::equals_ignoring_ascii_case(name, "$after")) append_field(query, name, value);
  return url + "?" + query + (query.empty() ? "" : "&") + "$after=" + std::to_string(after);
}

Result<void> write_audit(DeskKeeper& keeper, const std::string& self, const Parameters& parameters,
                         json::Writer& writer) {
  CALLISTO_TRY(const AuditQuestion question, audit_question(parameters));
  CALLISTO_TRY(const auto next, keeper.tell_audit(question, writer));
  if (!next) return {};
  writer.key("_links").begin_object().key("Next").begin_array().begin_object();
  writer.key("_self").string(next_url(self, parameters, *next));
  writer.end_object().end_array().end_object();
  return {};
}

Error refusal() { return forbidden("That is told to whoever has the right Administration."); }

std::string methods_of(std::string_view name) {
  if (name == "$reload") return "GET, HEAD, OPTIONS, POST";
  return name == "$sandbox" ? "DELETE, GET, HEAD, OPTIONS, POST, PUT" : "GET, HEAD, OPTIONS";
}

Result<bool> asks_force(const Parameters& parameters) {
  const std::string* force = find(parameters, "force");
  if (force && *force != "true" && *force != "false") return bad_option("force", "force must be true or false.");
  return force && *force == "true";
}

}  // namespace

ServerUrls::ServerUrls(const Runtime& runtime, const api::Options& options, DeskKeeper& keeper, Sandboxes& sandboxes)
    : runtime_(runtime),
      options_(options),
      keeper_(keeper),
      sandboxes_(sandboxes),
      root_(segments_of(options.api_root)) {}

bool ServerUrls::handle(const http::Request& request, http::Response& response, api::RequestTrace& trace) const {
  if (request.raw_path.find('$') == request.raw_path.npos && request.raw_path.find("%24") == request.raw_path.npos)
    return false;
  std::vector<std::string> segments = segments_of(request.raw_path);
  if (segments.size() < root_.size() || !std::equal(root_.begin(), root_.end(), segments.begin())) return false;
  segments.erase(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(root_.size()));
  const auto is_version = [&segments](std::string_view version) {
    return text::equals_ignoring_ascii_case(segments.front(), version);
  };
  if (segments.size() == 2 && std::any_of(options_.versions.begin(), options_.versions.end(), is_version))
    segments.erase(segments.begin());
  if (segments.size() != 1) return false;
  for (const std::string_view name : names) {
    if (!text::equals_ignoring_ascii_case(segments.front(), name)) continue;
    trace.route = name;
    if (auto done = answer(std::string(name), request, response, trace); !done)
      api::render_error(done.error(), response);
    return true;
  }
  return false;
}

Result<void> ServerUrls::answer(const std::string& name, const http::Request& request, http::Response& response,
                                api::RequestTrace& trace) const {
  CALLISTO_TRY(const api::Requester asks, api::requester_of(request, options_, runtime_.auth, runtime_.audit_log));
  const auto& session = asks.signed_in;
  trace.person = session->person;
  trace.session_type = auth::name(session->type);
  trace.client = session->client_id;
  const bool reads = request.reads();
  const std::string allowed = methods_of(name);
  if (request.method == "OPTIONS") {
    response.headers.emplace_back("Allow", allowed);
    response.status = 204;
    return {};
  }
  const auto methods = text::split(allowed, ' ');
  const auto is_it = [&](std::string_view each) { return each.substr(0, each.find(',')) == request.method; };
  if (std::none_of(methods.begin(), methods.end(), is_it))
    return method_not_allowed("This url knows " + allowed + ".", allowed);
  if (asks.views() && !asks.seen_as->may("Administration")) return refusal();
  if (!session->may("Administration")) return denied(name, *session, request);
  std::string body;
  json::Writer writer(body);
  const std::string self = api::link(options_.versions.front(), name);
  writer.begin_object().key("_self").string(self);
  CALLISTO_TRY(const Parameters parameters, http::decode_query(request.raw_query));
  if (!reads) CALLISTO_CHECK(change(name, parameters, *session, request));
  const bool is_done = reads || name != "$reload";  // a reload is done behind the answer
  if (is_done) CALLISTO_CHECK(tell(name, self, parameters, writer));
  writer.end_object();
  response.status = is_done ? 200 : 202;
  response.compressible = reads;
  response.content_type = "application/json; charset=utf-8";
  response.body = std::move(body);
  return {};
}

Result<void> ServerUrls::tell(const std::string& name, const std::string& self, const Parameters& parameters,
                              json::Writer& writer) const {
  if (name == "$health") return keeper_.tell_health(writer);
  if (name == "$audit") return write_audit(keeper_, self, parameters, writer);
  if (name == "$changes") return keeper_.tell_changes(writer);
  if (name == "$specs") return keeper_.tell_specs(writer);
  if (name == "$reload") return keeper_.tell_reload(writer);
  if (name == "$sandbox") return sandboxes_.tell(writer);
  const std::string* file = find(parameters, "file");
  return keeper_.tell_source(file ? *file : std::string(), writer);
}

Error ServerUrls::denied(const std::string& name, const auth::Session& session, const http::Request& request) const {
  Error refused = refusal();
  audit::Event event = api::event_of(request, session, audit::Kind::ActionDenied);
  event.action = name;
  event.reason = refused.message;
  runtime_.audit_log.note(event);
  return refused;
}

Result<void> ServerUrls::change(const std::string& name, const Parameters& parameters, const auth::Session& session,
                                const http::Request& request) const {
  return name == "$reload" ? reload(parameters, session, request) : change_sandbox(parameters, request.method);
}

Result<void> ServerUrls::change_sandbox(const Parameters& parameters, std::string_view method) const {
  if (method == "POST") return sandboxes_.begin();
  if (method == "DELETE") return sandboxes_.end();
  CALLISTO_TRY(const auto minutes, number(parameters, "minutes", most_minutes));
  CALLISTO_TRY(const auto status, number(parameters, "receivers", last_status));
  if (status && *status < least_status) return bad_option("receivers", "receivers must be a status from 200 to 599.");
  if (!minutes && !status)
    return bad_option("minutes", "Say how far the clock goes, minutes=60, or how receivers answer, receivers=503.");
  const std::optional<int> receivers = status ? std::optional(static_cast<int>(*status)) : std::nullopt;
  return sandboxes_.change(std::chrono::minutes(minutes.value_or(0)), receivers);
}

Result<void> ServerUrls::reload(const Parameters& parameters, const auth::Session& session,
                                const http::Request& request) const {
  CALLISTO_TRY(const bool forced, asks_force(parameters));
  audit::Event event = api::event_of(request, session, audit::Kind::ScriptsChanged);
  event.action = "reload";
  event.reason = forced ? "asked for, forced" : "asked for";
  runtime_.audit_log.note(event);
  return keeper_.reload(forced);
}

}  // namespace callisto::app
