// An OpenID Connect provider as a way to sign in: a button on the login page, the redirect there, and on the way back
// the person whom it vouches for (admission.h). Any thread.
#pragma once

#include "engine/auth/service.h"
#include "engine/oidc/provider.h"
#include "engine/sign_in/admission.h"
#include "engine/sign_in/provider.h"

#include <memory>
#include <string>
#include <utility>

namespace callisto::sign_in {

class IdentityProvider final : public Provider {
 public:
  // References outlive this.
  IdentityProvider(std::unique_ptr<oidc::Provider> provider, auth::Service& auth, Admissions& admissions)
      : provider_(std::move(provider)), auth_(auth), admissions_(admissions) {}

  Result<Verdict> ask(const Attempt& attempt) override;
  Result<std::optional<Returned>> resume(http::Request& request, const std::string& browser_key) override;
  std::optional<Offer> offer() const override;

 private:
  Result<void> take_attempt(const http::Request& request);
  Result<Verdict> verdict_of(const oidc::CallbackParameters& callback, const std::string& browser_key);

  const std::unique_ptr<oidc::Provider> provider_;
  auth::Service& auth_;
  Admissions& admissions_;
};

}  // namespace callisto::sign_in
