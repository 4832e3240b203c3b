#include "engine/app/sandbox/sandboxes.h"

#include "engine/api/render_error.h"

#include <utility>

namespace callisto::app {

namespace {

const std::string header = "Callisto-Sandbox";
constexpr std::chrono::seconds patience{2};
constexpr int retry_after_seconds = 5;
constexpr std::chrono::milliseconds idle = std::chrono::hours(1);

Error none_runs() { return resource_not_found("No sandbox runs in this server. POST to $sandbox begins one."); }

}  // namespace

Sandboxes::Sandboxes(const Runtime& runtime, const api::Options& options, webhooks::Schedule schedule)
    : runtime_(runtime), options_(options), schedule_(std::move(schedule)) {}

Result<Sandboxes::Turn> Sandboxes::take_turn() {
  Turn turn(mutex_, patience);
  if (!turn) return unavailable("The sandbox is at work for somebody else. Try again.", retry_after_seconds);
  used_ = runtime_.clock.steady_ms();
  return turn;
}

Result<void> Sandboxes::begin() {
  CALLISTO_TRY(const Turn turn, take_turn());
  CALLISTO_TRY(auto next, Sandbox::begin(runtime_.settings, schedule_, runtime_.random));
  sandbox_ = std::move(next);
  return {};
}

Result<void> Sandboxes::change(std::chrono::minutes time, std::optional<int> receivers) {
  CALLISTO_TRY(const Turn turn, take_turn());
  if (!sandbox_) return none_runs();
  if (receivers) sandbox_->answer_with(*receivers);
  return sandbox_->move(time, stops_);
}

Result<void> Sandboxes::end() {
  CALLISTO_TRY(const Turn turn, take_turn());
  sandbox_.reset();
  return {};
}

Result<void> Sandboxes::tell(json::Writer& writer) {
  CALLISTO_TRY(const Turn turn, take_turn());
  writer.key("runs").boolean(sandbox_ != nullptr);
  if (sandbox_) sandbox_->write(writer);
  return {};
}

void Sandboxes::look() {
  const Turn turn(mutex_, std::try_to_lock);
  if (turn && sandbox_ && runtime_.clock.steady_ms() - used_ > idle.count()) sandbox_.reset();
}

bool Sandboxes::handle(http::Request& request, http::Response& response, api::RequestTrace& trace) {
  if (request.header_count(header) == 0)
    return false;  // however its path is written: nothing meant for it is done here
  trace.route = "sandbox";
  if (const auto done = answer(request, response, trace); !done) api::render_error(done.error(), response);
  return true;
}

Result<void> Sandboxes::answer(http::Request& request, http::Response& response, api::RequestTrace& trace) {
  CALLISTO_TRY(const api::Requester asks, api::requester_of(request, options_, runtime_.auth, runtime_.audit_log));
  trace.person = asks.signed_in->person;
  trace.session_type = auth::name(asks.signed_in->type);
  trace.client = asks.signed_in->client_id;
  if (asks.views()) return bad_option(header, "A request is in the sandbox or a view as somebody else, not both.");
  if (!asks.signed_in->may("Administration"))
    return forbidden("The sandbox is for whoever has the right Administration.");
  CALLISTO_TRY(const api::NamedPerson person, api::person_named_by(header, request.header(header)));
  CALLISTO_TRY(const Turn turn, take_turn());
  if (!sandbox_) return none_runs();
  return sandbox_->handle(header, person, *asks.signed_in, request, response);
}

}  // namespace callisto::app
