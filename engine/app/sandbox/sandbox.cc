#include "engine/app/sandbox/sandbox.h"

#include "engine/app/opening/load.h"
#include "engine/app/opening/sample_desk.h"
#include "engine/app/serving/signing_in.h"
#include "engine/app/serving/webhook_actions.h"
#include "engine/base/aes_gcm.h"
#include "engine/base/text.h"
#include "engine/http/inner_request.h"

#include <utility>

namespace callisto::app {

namespace {

constexpr std::size_t most_problems = 20;
constexpr int most_rounds = 10;  // at one moment: what one action makes due for another

// A request of the server as the sandbox gets it: the access token is one of its own.
class SandboxRequest final : public http::InnerRequest {
 public:
  SandboxRequest(http::Request& outer, const std::string& token)
      : http::InnerRequest(outer), bearer_("Bearer " + token) {}

 private:
  std::optional<std::string_view> own_header(std::string_view name) const override {
    if (text::equals_ignoring_ascii_case(name, "Authorization")) return bearer_;
    return std::nullopt;
  }
  const std::string bearer_;
};

bool only_reads(const http::Request& request) { return request.reads() || request.method == "OPTIONS"; }

auth::Options sign_in_without_end(const Settings& settings, const Sealer& sealer) {
  auth::Options options = auth_options(settings, sealer);
  options.sweep_ms = 0;
  options.licences = 0;
  return options;
}

}  // namespace

Sandbox::Sandbox(TemporaryFolder folder, Settings settings, std::shared_ptr<records::Model> model, Random& random)
    : folder_(std::move(folder)),
      settings_(std::move(settings)),
      model_(std::move(model)),
      random_(random),
      clock_(sample_start),
      sealer_(random.bytes(aes_gcm_key_bytes)) {}

Result<std::unique_ptr<Sandbox>> Sandbox::begin(const Settings& given, const webhooks::Schedule& schedule,
                                                Random& random) {
  CALLISTO_TRY(TemporaryFolder folder, TemporaryFolder::make("callisto-sandbox"));
  Settings settings = in_memory(given);
  settings.data = folder.path();
  CALLISTO_TRY(auto read, read_model(settings, SystemClock(), random));
  if (!read.model) return bad_format("What is on disk does not load; $changes tells why. So no sandbox can begin.");
  std::unique_ptr<Sandbox> made(new Sandbox(std::move(folder), std::move(settings), std::move(read.model), random));
  CALLISTO_CHECK(made->open_desk());
  CALLISTO_CHECK(made->open_webhooks(schedule));
  CALLISTO_CHECK(made->open_api());
  return made;
}

Result<void> Sandbox::open_desk() {
  CALLISTO_TRY(database_, open_sample_desk(*model_, clock_, random_));
  CALLISTO_TRY(audit_log_, audit::Log::open(folder_.path() + "/audit.jsonl", clock_));
  CALLISTO_TRY(auto service, auth::Service::create(*database_, clock_, random_, sign_in_without_end(settings_, sealer_),
                                                   *audit_log_));
  sessions_ = std::make_unique<testing::KnownSessions>(std::move(service));
  scripts_ = std::make_unique<ScriptMonitor>(*database_, clock_, random_, model_->catalog().find("script-failure"));
  return {};
}

// Nothing is sent, so that any address will do.
Result<void> Sandbox::open_webhooks(const webhooks::Schedule& schedule) {
  auto receivers = std::make_unique<AnsweringTransport>(
      clock_, [this](SentRequest request) { happenings_.add(clock_.now(), std::move(request)); });
  receivers_ = receivers.get();
  CALLISTO_TRY(webhooks_, Webhooks::create(settings_, schedule, {webhooks::Networks::Intranet, true},
                                           std::move(receivers), *database_, sealer_, clock_, random_));
  return webhooks_->begin_by_hand();
}

Result<void> Sandbox::open_api() {
  runtime_.emplace(Runtime{settings_, *database_, *sessions_, *audit_log_, sealer_, *webhooks_, *scripts_, due_figures_,
                           clock_, random_, [this] { return happenings_.listener(); }});
  authorization_ = std::make_unique<sign_in::AuthorizationEndpoint>(sign_in::Options{}, *sessions_,
                                                                    sign_in::Providers{}, clock_, random_, *audit_log_);
  api::Options options = desk_parts(settings_, model_).api;
  add_webhook_answers(options, *runtime_);
  CALLISTO_TRY(generation_, Generation::create(*runtime_, options, model_));
  api_ = std::make_unique<api::Api>(options, Generation::served(generation_), *sessions_, *audit_log_, *authorization_);
  return {};
}

Result<void> Sandbox::handle(const std::string& header, const api::NamedPerson& person, const auth::Session& viewer,
                             http::Request& request, http::Response& response) {
  CALLISTO_TRY(const auto session, sessions_->view_as(viewer, person.login, person.type));
  if (!session) return api::nobody_named(header, person.login);
  SandboxRequest inner(request, testing::KnownSessions::token_of(sessions_->add(*session)));
  api_->handle(inner, response);
  sessions_->forget();
  if (only_reads(request)) return {};
  webhooks_->send_what_is_due();
  return generation_->index_what_was_written();
}

Result<void> Sandbox::do_what_is_due() {
  for (int round = 0; round < most_rounds; ++round) {
    CALLISTO_TRY(const auto run, generation_->do_what_is_due());
    for (const std::string& failure : run.failures)
      if (problems_.size() < most_problems) problems_.insert(failure);
    due_done_ += static_cast<std::int64_t>(run.done);
    if (run.done == 0) break;
  }
  webhooks_->send_what_is_due();
  return generation_->index_what_was_written();
}

Result<void> Sandbox::move(std::chrono::minutes time, const std::atomic<bool>& stops) {
  const SystemClock watch;
  const std::int64_t end = watch.steady_ms() + most.count();
  is_behind_ = false;
  CALLISTO_CHECK(do_what_is_due());
  for (std::chrono::seconds left = time; left > left.zero() && !is_behind_; left -= step) {
    clock_.move(std::chrono::milliseconds(step).count());
    CALLISTO_CHECK(do_what_is_due());
    is_behind_ = left > step && (stops || watch.steady_ms() >= end);
  }
  return {};
}

void Sandbox::write(json::Writer& writer) const {
  writer.key("now").string(to_iso8601(clock_.now())).key("began").string(to_iso8601(sample_start));
  writer.key("stopped").boolean(is_behind_).key("receivers").integer(receivers_->status());
  writer.key("dueDone").integer(due_done_).key("problems").begin_array();
  for (const std::string& problem : problems_) writer.string(problem);
  writer.end_array();
  happenings_.write(writer);
}

}  // namespace callisto::app
