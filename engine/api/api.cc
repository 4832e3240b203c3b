#include "engine/api/api.h"

#include "engine/api/oauth/oauth_form.h"
#include "engine/api/render_error.h"
#include "engine/api/requester.h"
#include "engine/api/requests/answer_options.h"
#include "engine/auth/attempts.h"
#include "engine/base/text.h"
#include "engine/http/url.h"

#include <algorithm>
#include <charconv>
#include <functional>

namespace callisto::api {

namespace {

struct OAuthEndpoint {
  std::string_view name;
  void (*handle)(http::Request&, http::Response&, auth::Service&);
};
constexpr OAuthEndpoint oauth_endpoints[] = {
    {"login", handle_login}, {"logout", handle_logout}, {"revoke", handle_revoke}};

Result<void> sign_in(const OAuthEndpoint& endpoint, http::Request& request, http::Response& response,
                     auth::Service& auth, RequestTrace& trace) {
  trace.route = "oauth/" + std::string(endpoint.name);
  endpoint.handle(request, response, auth);
  return {};
}

std::vector<std::string> segments_of(const std::string& path) {
  auto segments = http::decode_path(path);
  return segments ? *std::move(segments) : std::vector<std::string>{};
}

// True, and `segments` cut, when the path stands below `root`.
bool take_root(std::vector<std::string>& segments, const std::vector<std::string>& root) {
  if (segments.size() < root.size() || !std::equal(root.begin(), root.end(), segments.begin())) return false;
  segments.erase(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(root.size()));
  return true;
}

const OAuthEndpoint* oauth_endpoint(std::string_view name) {
  for (const OAuthEndpoint& endpoint : oauth_endpoints)
    if (text::equals_ignoring_ascii_case(name, endpoint.name)) return &endpoint;
  return nullptr;
}

// Below the api root, too: many clients know one url of a server and no other. v1/oauth/login; no entity has such a
// key.
const OAuthEndpoint* oauth_below(const std::vector<std::string>& segments, const Options& options) {
  if (segments.size() < 2 || segments.size() > 3) return nullptr;
  const auto is_version = [&](std::string_view version) {
    return text::equals_ignoring_ascii_case(segments.front(), version);
  };
  if (segments.size() == 3 && std::none_of(options.versions.begin(), options.versions.end(), is_version))
    return nullptr;
  const std::string folder = sign_in_path(options.oauth_root);
  const bool is_below = "/" + segments[segments.size() - 2] == folder;
  return is_below ? oauth_endpoint(segments.back()) : nullptr;
}

// API rule 1.5: both views work as a query flag too. A broken query is the handler's to refuse.
Route::View view_in_query(std::string_view raw_query) {
  if (raw_query.empty()) return Route::View::Resource;
  const auto pairs = http::decode_query(raw_query);
  if (!pairs) return Route::View::Resource;
  Route::View view = Route::View::Resource;
  for (const auto& [name, value] : *pairs) {
    if (value == "false") continue;
    if (text::equals_ignoring_ascii_case(name, "$metadata")) return Route::View::Metadata;
    if (text::equals_ignoring_ascii_case(name, "$options")) view = Route::View::Options;
  }
  return view;
}

// Whether a query is worth decoding for a view: '$' before $metadata's or $options' letters, or before an escape.
bool may_hold_view(std::string_view raw_query) {
  for (std::size_t at = 0; (at = raw_query.find_first_of("$%", at)) != raw_query.npos; ++at) {
    const std::string_view rest = raw_query.substr(at);
    if (rest[0] == '%' && !rest.starts_with("%24")) continue;
    const std::string_view name = rest.substr(std::min<std::size_t>(rest[0] == '$' ? 1 : 3, rest.size()));
    const auto has = [name](std::size_t i, std::string_view set) {
      return i < name.size() && set.find(name[i]) != set.npos;
    };
    if (has(0, "mM%") || (has(0, "oO") && has(1, "pP%"))) return true;
  }
  return false;
}

// The two urls below the oauth root that browsers visit.
std::optional<sign_in::AuthorizationEndpoint::Path> browser_path(std::vector<std::string> segments,
                                                                 const std::vector<std::string>& root) {
  using Path = sign_in::AuthorizationEndpoint::Path;
  if (!take_root(segments, root) || segments.size() != 1) return std::nullopt;
  if (text::equals_ignoring_ascii_case(segments.front(), "authorize")) return Path::Authorize;
  if (text::equals_ignoring_ascii_case(segments.front(), "callback")) return Path::Callback;
  return std::nullopt;
}

// API rule 5.1: what the entity does not support at all is another refusal than a method that is wrong for the url.
Error wrong_method(const Call& call, Route::View view, const Methods& allowed) {
  const Route& route = call.route;
  const std::string_view method = call.request.method;
  const bool is_own_url = view == Route::View::Resource && route.entity && !route.sub && !route.action &&
                          (route.key ? method == "PUT" || method == "DELETE" : method == "POST");
  if (is_own_url)
    return not_supported("Records of " + route.entity->name + " cannot be changed this way.", allowed.text());
  return method_not_allowed("This url knows " + allowed.text() + ".", allowed.text());
}

// API rule 6.10: of an entity that it may not read, a session sees nothing, not even what is missing.
Result<void> check_readable(const Call& call) {
  for (const catalog::Entity* entity : {call.route.entity, call.route.sub ? call.route.sub->entity : nullptr})
    if (entity && !records::may_read(call.access, *entity))
      return forbidden("This session may not read " + entity->name + ".");
  return {};
}

// How long which script took is for those who may change them.
bool asks_for_timing(const http::Request& request, const auth::Session& session) {
  return request.header("X-Server-Timing") == "1" && session.may("Administration");
}

std::string action_of(const Call& call, std::optional<std::int64_t> key) {
  if (call.route.action) return call.route.action->name;
  if (call.route.view == Route::View::Batch && key) return "update";
  if (call.request.method == "POST") return "create";
  if (call.request.method == "PUT") return "update";
  return call.request.method == "DELETE" ? "delete" : "read";
}

audit::Event denied(const Call& call, std::optional<std::int64_t> key, const std::string& reason) {
  audit::Event event = event_of(call.request, call.session, audit::Kind::ActionDenied);
  if (call.route.entity) event.entity = call.route.entity->name;
  event.key = key;
  event.action = action_of(call, key);
  event.reason = reason;
  return event;
}

// Whose turn it is: a person's, whatever sessions he has, or that of the network of a client that signed in for itself.
FairTurns::Owner owner_of(const Call& call) {
  constexpr FairTurns::Owner networks = FairTurns::Owner{1} << 63;
  if (call.session.person) return static_cast<FairTurns::Owner>(*call.session.person);
  const std::string network = auth::address_group(std::string(call.request.remote_address));
  return networks | std::hash<std::string>{}(network);
}

Result<void> answer(const Call& call) {
  Route::View view = call.route.view;
  if (view == Route::View::Resource && may_hold_view(call.request.raw_query))
    view = view_in_query(call.request.raw_query);
  const bool has_methods = view == Route::View::Resource || view == Route::View::Batch;
  const Methods allowed = has_methods ? allowed_methods(call.route) : Methods();
  if (call.request.method == "OPTIONS") {
    call.response.headers.emplace_back("Allow", allowed.text());
    call.response.status = 204;
    return {};
  }
  const bool reads = call.request.reads();
  if (reads && (view == Route::View::Count || view == Route::View::Groups)) {
    CALLISTO_CHECK(check_readable(call));
    return view == Route::View::Count ? handle_count(call) : handle_search(call);
  }
  if (reads && view == Route::View::Rules) return handle_rules(call);
  if (reads && (!has_methods || !call.route.entity)) return handle_discovery(call, view);
  if (!allowed.has(call.request.method)) return wrong_method(call, view, allowed);
  if (call.route.key || reads) CALLISTO_CHECK(check_readable(call));
  if (view == Route::View::Batch) return handle_batch(call);
  if (!reads) CALLISTO_CHECK(check_answer_options(call));
  const bool acts = call.route.action != nullptr;
  if (call.route.content || (call.route.sub && !reads && !acts)) return handle_files(call);
  if (!reads) return handle_write(call);
  const bool one_record = call.route.sub ? call.route.sub_key.has_value() : call.route.key.has_value();
  return one_record ? handle_record(call) : handle_search(call);
}

}  // namespace

Api::Api(Options options, std::shared_ptr<Served> served, auth::Service& auth, audit::Sink& audit,
         const sign_in::AuthorizationEndpoint& authorization)
    : options_(std::move(options)),
      api_segments_(segments_of(options_.api_root)),
      oauth_segments_(segments_of(options_.oauth_root)),
      served_(std::move(served)),
      auth_(auth),
      audit_(audit),
      authorization_(authorization) {}

std::shared_ptr<Served> Api::served() {
  const std::lock_guard lock(mutex_);
  return served_;
}

// The previous one is destroyed by its last request, outside the lock.
void Api::replace(std::shared_ptr<Served> served) {
  const std::lock_guard lock(mutex_);
  served_.swap(served);
}

void Api::handle(http::Request& request, http::Response& response, RequestTrace& trace) {
  if (options_.answers) response.memory = MemoryBudget::Share(*options_.answers);
  if (auto done = dispatch(request, response, trace); !done) render_error(done.error(), response);
}

Result<void> Api::dispatch(http::Request& request, http::Response& response, RequestTrace& trace) {
  CALLISTO_TRY(std::vector<std::string> segments, http::decode_path(request.raw_path));
  if (take_root(segments, api_segments_)) return dispatch_api(request, response, std::move(segments), trace);
  if (const auto path = browser_path(segments, oauth_segments_)) {
    trace.route = *path == sign_in::AuthorizationEndpoint::Path::Authorize ? "oauth/authorize" : "oauth/callback";
    authorization_.handle(*path, request, response);
    return {};
  }
  // API rule 1.2: the folder above the api root answers the root metadata too.
  if (segments.size() + 1 == api_segments_.size() &&
      std::equal(segments.begin(), segments.end(), api_segments_.begin()))
    return dispatch_api(request, response, {}, trace);
  CALLISTO_TRY(const bool is_metadata, handle_oauth_metadata(request, response, options_));
  if (is_metadata) return {};
  if (take_root(segments, oauth_segments_) && segments.size() == 1)
    if (const OAuthEndpoint* endpoint = oauth_endpoint(segments.front()))
      return sign_in(*endpoint, request, response, auth_, trace);
  return resource_not_found("There is nothing at this path. The API starts at " + options_.api_root + ".");
}

Result<void> Api::dispatch_api(http::Request& request, http::Response& response, std::vector<std::string> segments,
                               RequestTrace& trace) {
  if (const OAuthEndpoint* endpoint = oauth_below(segments, options_))
    return sign_in(*endpoint, request, response, auth_, trace);
  trace.route = "api";
  // API rule 4.5 fixes the order of refusals: 401, unknown path 404, method 405, and then the rest.
  CALLISTO_TRY(const Requester asks, requester_of(request, options_, auth_, audit_));
  const auth::Session& session = *asks.signed_in;
  // Tokens and new secrets are what a POST answers; whoever reads sends his token in a header, which no other page can.
  response.compressible = request.method == "GET" || request.method == "HEAD";
  trace.person = session.person;
  trace.session_type = auth::name(session.type);
  trace.client = session.client_id;
  trace.timed = asks_for_timing(request, session);
  const std::shared_ptr<Served> now = served();
  CALLISTO_TRY(const Route found, route(now->model->catalog(), std::move(segments), options_.versions));
  trace.route = route_template(found);
  const Call call{.request = request,
                  .response = response,
                  .options = options_,
                  .served = *now,
                  .session = *asks.seen_as,
                  .route = found,
                  .trace = &trace};
  auto done = answer(call);
  if (asks.views()) return done;  // it is told already, and that person did not ask
  if (!done && done.error().status == 403) audit_.note(denied(call, found.key, done.error().message));
  for (const RequestTrace::Denied& each : trace.denied) audit_.note(denied(call, each.key, each.reason));
  return done;
}

Result<TimedSlot> borrow_slot(const Call& call, const CompiledQuery* query) {
  using Turn = records::Slots::Turn;
  const FairTurns::Owner owner = owner_of(call);
  auto lease = call.served.slots.try_borrow(owner);
  const bool is_quick = query && query->time.is_below(records::SpareSlots::quick);
  records::SpareSlots* const spare = is_quick ? call.served.spare_slots.get() : nullptr;
  if (!lease && spare)
    lease = spare->try_borrow({owner, call.served.slots.is_alone(owner), call.served.writer.commits()});
  if (!lease) {
    const records::SpareSlots::Waiting waiting(spare);
    lease = call.served.slots.borrow(owner, call.options.slot_patience, call.has_waited ? Turn::Next : Turn::Last);
  }
  if (!lease) return unavailable("The server is over capacity. Try again shortly.", 1);
  CALLISTO_CHECK(lease->connection->set_patience(lease.patience()));
  return TimedSlot(std::move(lease), call.trace);
}

Result<void> take_memory(const Call& call, std::size_t bytes) {
  constexpr int retry_after = 5;
  if (call.response.memory.grow_to(bytes)) return {};
  return unavailable(
      "The answers that are being made and sent use all the memory they may have. Try again, or ask for fewer rows.",
      retry_after);
}

int hops_of(const Options& options, const http::Request& request) {
  const std::string_view text = request.header("Callisto-Hop");
  if (text.empty() || !options.proves_delivery || !options.proves_delivery(request.header("Callisto-Delivery-Proof")))
    return 0;
  int hops = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), hops);
  return problem == std::errc() && end == text.data() + text.size() ? std::max(0, hops) : 0;
}

events::Cause cause_of(const Options& options, const http::Request& request) {
  return {hops_of(options, request), trace_of(request)};
}

}  // namespace callisto::api
