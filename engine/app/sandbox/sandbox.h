// Sandbox: the sample desk in a database of its own, by the rules that are on disk, with a clock that can be moved and
// receivers that it answers itself. It is made of what serves the real desk and knows nothing of that one: nothing
// leaves it, and nothing of it is left. One thread at a time.
#pragma once

#include "engine/api/requester.h"
#include "engine/app/sandbox/answering_transport.h"
#include "engine/app/sandbox/happenings.h"
#include "engine/app/sandbox/moved_clock.h"
#include "engine/app/serving/generation.h"
#include "engine/app/serving/script_monitor.h"
#include "engine/base/temporary_folder.h"
#include "engine/testing/known_sessions.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace callisto::app {

class Sandbox {
 public:
  static constexpr std::chrono::seconds step{10};           // as a server looks: then all that is due is done
  static constexpr std::chrono::milliseconds most{20'000};  // that moving may take

  // `settings` are those of the server; `random` outlives it. Error 400: what is on disk does not load.
  static Result<std::unique_ptr<Sandbox>> begin(const Settings& settings, const webhooks::Schedule& schedule,
                                                Random& random);

  // As that person; nothing of `request` but its path, headers and body counts. Error 400: there is no such person.
  Result<void> handle(const std::string& header, const api::NamedPerson& person, const auth::Session& viewer,
                      http::Request& request, http::Response& response);
  // Step by step, until it is there, `most` is over or the server `stops`.
  Result<void> move(std::chrono::minutes time, const std::atomic<bool>& stops);
  void answer_with(int status) { receivers_->answer_with(status); }
  void write(json::Writer& writer) const;  // members of the object that is open

 private:
  Sandbox(TemporaryFolder folder, Settings settings, std::shared_ptr<records::Model> model, Random& random);
  Result<void> open_desk();
  Result<void> open_webhooks(const webhooks::Schedule& schedule);
  Result<void> open_api();
  Result<void> do_what_is_due();

  const TemporaryFolder folder_;
  const Settings settings_;  // of a desk in that folder
  const std::shared_ptr<records::Model> model_;
  Random& random_;
  MovedClock clock_;
  const Sealer sealer_;
  std::unique_ptr<storage::Database> database_;
  std::unique_ptr<audit::Log> audit_log_;
  std::unique_ptr<testing::KnownSessions> sessions_;
  Happenings happenings_;
  AnsweringTransport* receivers_ = nullptr;  // of webhooks_
  std::unique_ptr<Webhooks> webhooks_;
  std::unique_ptr<ScriptMonitor> scripts_;
  records::DueFigures due_figures_;
  std::optional<Runtime> runtime_;
  std::unique_ptr<sign_in::AuthorizationEndpoint> authorization_;
  std::shared_ptr<Generation> generation_;
  std::unique_ptr<api::Api> api_;
  std::int64_t due_done_ = 0;
  std::set<std::string> problems_;  // why what is due could not be done
  bool is_behind_ = false;          // the last move ended before it was there
};

}  // namespace callisto::app
