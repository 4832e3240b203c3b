#include "engine/api/traffic.h"

#include "engine/base/access_log.h"
#include "engine/base/log.h"
#include "engine/base/text.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <mutex>

namespace callisto::api {

namespace {

constexpr std::size_t longest_id = 64;
constexpr std::size_t longest_path = 400;
constexpr std::size_t longest_name = 40;
constexpr std::size_t most_names = 16;
// What this server answers with; the last stands for all others.
constexpr int statuses[] = {200, 201, 204, 206, 302, 303, 304, 400, 401, 403, 404, 405, 409,
                            412, 413, 414, 415, 416, 421, 429, 431, 500, 501, 503, 505, 0};

std::size_t index_of(int status) {
  const auto* last = std::end(statuses) - 1;
  return static_cast<std::size_t>(std::find(std::begin(statuses), last, status) - statuses);
}

std::string hex(std::uint64_t number) {
  char digits[16];
  return {digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr};
}

std::uint64_t number_of(const std::string& bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_plain(c); });
}

// Only what looks like the name of an option: never a value, which may be personal or a token, nor what is foreign.
std::string option_names(std::string_view raw_query) {
  std::string names;
  std::size_t count = 0;
  for (const std::string_view pair : text::split(raw_query, '&')) {
    if (pair.empty()) continue;
    if (++count > most_names) return names + ",...";
    const std::string_view name = pair.substr(0, pair.find('='));
    const bool is_option = name.starts_with('$') || name.starts_with("%24");
    const std::string_view word = is_option ? name.substr(name[0] == '$' ? 1 : 3) : name;
    if (!is_option || name.size() > longest_name || !is_plain(word)) names += ",(other)";
    else names += ",$" + std::string(word);
  }
  return names.empty() ? names : names.substr(1);
}

// Methods are what clients write; metrics know those that mean something.
std::string_view known_method(std::string_view method) {
  for (const std::string_view known : {"GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"})
    if (method == known) return known;
  return "other";
}

// What was answered to a client that asked for something wrong: enough to see the reason.
void note_refusal(const http::Response& response) {
  constexpr std::size_t longest = 600;
  const bool is_json = response.content_type.starts_with("application/json");
  if (response.status < 400 || response.status > 499 || !is_json || !log::enabled(log::Level::Debug)) return;
  const std::string_view answer = response.content();
  log::debug("refused with " + std::to_string(response.status) + ": " + std::string(answer.substr(0, longest)) +
             (answer.size() > longest ? "..." : ""));
}

}  // namespace

Traffic::Traffic(Logged logged, std::chrono::milliseconds slow, Random& random)
    : logged_(logged), slow_(slow), prefix_(hex(number_of(random.bytes(4))) + '-') {
  static_assert(std::size(statuses) <= most_statuses);
}

Traffic::~Traffic() { log::flush(); }

// A request's own id where a line of a log can hold it, else that of its trace.
std::string Traffic::id_of(std::string_view given, std::string_view trace) {
  if (!given.empty() && given.size() <= longest_id && is_plain(given)) return std::string(given);
  return trace.empty() ? prefix_ + hex(++number_) : std::string(trace);
}

void Traffic::handle(http::Request& request, http::Response& response, const Next& next) {
  const auto begun = std::chrono::steady_clock::now();
  const TraceContext context = trace_of(request);
  const std::string id = id_of(request.header("X-Request-Id"), context.trace_id());
  RequestTrace trace;
  {
    const log::InRequest in_request(id);
    next(request, response, trace);
    note_refusal(response);
  }
  const auto time = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  if (trace.timed) response.headers.emplace_back("Server-Timing", server_timing(trace, time));
  response.headers.emplace_back("X-Request-Id", id);
  count(request.method, trace.route, response.status, time.count());
  if (slow_.count() > 0 && time >= slow_) {
    const log::InRequest in_request(id);
    note_slow(request, trace, response.status, time);
  }
  const bool is_quiet = trace.probe && response.status < 400 && !logged_.probes;
  if (!logged_.requests || is_quiet || !log::enabled(log::Level::Info)) return;
  log::write({request.method, request.raw_path.substr(0, longest_path), option_names(request.raw_query),
              response.status, time.count(), request.head ? 0 : response.content().size(), trace.person, trace.client,
              request.remote_address, id, context.trace_id() == id ? std::string_view() : context.trace_id()});
}

// Its route and the form of its question, never a value.
void Traffic::note_slow(const http::Request& request, const RequestTrace& trace, int status,
                        std::chrono::microseconds time) {
  slow_requests_.fetch_add(1, std::memory_order_relaxed);
  log::warning("slow: " + std::string(known_method(request.method)) + " " + trace.route + " took " +
               std::to_string(time.count() / 1000) + " ms, status " + std::to_string(status) +
               (trace.slow.empty() ? "" : "; " + trace.slow));
}

void Traffic::refused(http::Response& response) {
  const std::string id = id_of({}, {});
  response.headers.emplace_back("X-Request-Id", id);
  count("other", "malformed", response.status, 0);
  const log::InRequest in_request(id);
  note_refusal(response);
  if (logged_.requests)
    log::write({"-", "(malformed)", {}, response.status, 0, response.content().size(), {}, {}, {}, id, {}});
}

void Traffic::count(std::string_view method, const std::string& route, int status, std::int64_t microseconds) {
  Series& counted = series(known_method(method), route);
  counted.time.observe(microseconds);
  counted.by_status[index_of(status)].fetch_add(1, std::memory_order_relaxed);
}

Traffic::Series& Traffic::series(std::string_view method, const std::string& route) {
  std::string key(method);
  key += ' ';
  key += route;
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = series_.find(key); found != series_.end()) return *found->second;
  }
  const std::unique_lock lock(mutex_);
  auto& made = series_[std::move(key)];
  if (!made) {
    made = std::make_unique<Series>();
    made->method = method;
    made->route = route;
  }
  return *made;
}

Traffic::Totals Traffic::totals() const {
  Totals totals;
  const std::shared_lock lock(mutex_);
  for (const auto& [key, each] : series_) {
    const Histogram::Counts counts = each->time.counts();
    totals.time.microseconds += counts.microseconds;
    for (std::size_t i = 0; i < counts.by_bound.size(); ++i) totals.time.by_bound[i] += counts.by_bound[i];
    for (std::size_t i = 0; i < std::size(statuses); ++i)
      if (statuses[i] >= 500) totals.failed += each->by_status[i].load(std::memory_order_relaxed);
  }
  return totals;
}

void Traffic::append(MetricsText& text) const {
  const std::shared_lock lock(mutex_);
  text.family("callisto_http_requests_total", "counter", "Requests that were answered.");
  for (const auto& [key, each] : series_)
    for (std::size_t i = 0; i < std::size(statuses); ++i)
      if (const std::uint64_t requests = each->by_status[i].load(std::memory_order_relaxed); requests > 0)
        text.sample(static_cast<double>(requests),
                    {{"method", each->method},
                     {"route", each->route},
                     {"status", statuses[i] == 0 ? "other" : std::to_string(statuses[i])}});
  text.counter("callisto_slow_requests_total", "Requests that took longer than log.slow_ms.",
               static_cast<double>(slow_requests_.load(std::memory_order_relaxed)));
  text.family("callisto_http_request_duration_seconds", "histogram",
              "From a request's head to its answer, without sending it.");
  for (const auto& [key, each] : series_)
    text.histogram(each->time.counts(), {{"method", each->method}, {"route", each->route}});
}

}  // namespace callisto::api
