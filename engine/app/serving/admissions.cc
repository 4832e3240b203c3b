#include "engine/app/serving/admissions.h"

#include "engine/auth/server_session.h"
#include "engine/records/admission.h"

#include <utility>

namespace callisto::app {

namespace {

constexpr std::chrono::milliseconds slot_patience{5000};

class ScriptedAdmission final : public sign_in::Admission {
 public:
  ScriptedAdmission(const Runtime& runtime, std::shared_ptr<Generation> generation)
      : runtime_(runtime), generation_(std::move(generation)) {}

  const std::vector<std::string>& claims() const override { return generation_->model().program->sign_in->claims; }

  Result<std::int64_t> admit(const oidc::Identity& identity) const override {
    CALLISTO_TRY(const script::SignInAnswer answer, ask(identity));
    const records::Vouched vouched{{identity.issuer, identity.subject},
                                   identity.login_name,
                                   identity.email_verified ? std::string() : identity.email};
    records::Admitted admitted;
    const auto done = generation_->writer().write(
        auth::server_session(), [&](const records::Context& context, records::Change& change) -> Result<void> {
          CALLISTO_TRY(admitted,
                       records::admit(context, change, vouched, answer, {runtime_.clock.now(), runtime_.random}));
          return {};
        });
    if (!done) return done.error();
    if (admitted.is_new_link) auth::note_link(runtime_.audit_log, admitted.person, vouched.subject);
    return admitted.person;
  }

 private:
  Result<script::SignInAnswer> ask(const oidc::Identity& identity) const {
    const auto slot = generation_->slots().borrow(FairTurns::nobody, slot_patience);
    if (!slot) return unavailable("The server is too busy to sign anybody in.", 1);
    auto answer = slot->scripts->sign_in(identity.claims);
    if (answer) return answer;
    Error error = forbidden(answer.error().message);  // the rule's own sentence
    error.log_detail = "scripts/sign-in.lua refuses: " + answer.error().message;
    if (answer.error().status < 500) return error;
    error.message = "Signing in by the identity provider fails at the moment. Tell your administrator.";
    error.log_detail = "scripts/sign-in.lua failed: " + answer.error().message + " " + answer.error().log_detail;
    return error;
  }

  const Runtime& runtime_;
  const std::shared_ptr<Generation> generation_;
};

}  // namespace

std::shared_ptr<const sign_in::Admission> ScriptedAdmissions::current() {
  auto generation = current_();
  if (!generation->model().program->sign_in) return std::make_shared<sign_in::LinkedAdmission>(runtime_.auth);
  return std::make_shared<ScriptedAdmission>(runtime_, std::move(generation));
}

}  // namespace callisto::app
