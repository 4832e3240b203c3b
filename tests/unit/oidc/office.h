// A relying party, its identity provider, and a browser between them. One thread unless a test says otherwise.
#pragma once

#include "engine/oidc/provider.h"
#include "engine/oidc/refusal.h"
#include "tests/support/fixed_clock.h"
#include "tests/support/identity_provider.h"
#include "tests/support/seeded_random.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>

namespace callisto::testing {

inline const std::string browser_key = "browser-browser-browser-1";

struct Office {
  explicit Office(std::string issuer = "https://login.example/realm", oidc::Fetcher* fetcher = nullptr)
      : idp(clock, issuer), fetcher_(fetcher ? *fetcher : idp) {
    options.name = "Example";
    options.issuer = issuer;
    options.client_id = idp.client_id;
    options.client_secret = idp.client_secret;
    options.redirect_uri = "https://desk.example/oauth/callback";
    open();
  }

  // After a change of options; as if the program had started anew.
  void open() {
    auto made = oidc::Provider::create(options, clock, random, fetcher_);
    REQUIRE(made);
    provider = *std::move(made);
  }

  std::string begin(const std::string& context = {}) {
    auto url = provider->begin(browser_key, context);
    REQUIRE(url);
    return *url;
  }
  oidc::CallbackParameters callback() { return idp.authorize(begin()); }
  Result<oidc::Identity> sign_in() { return provider->finish(callback(), browser_key); }

  FixedClock clock;
  SeededRandom random;
  IdentityProvider idp;
  oidc::Options options;
  std::unique_ptr<oidc::Provider> provider;

 private:
  oidc::Fetcher& fetcher_;
};

// The refusal is of the expected kind, tells the operator what `expected` holds as its detail, and holds no secret.
template <typename T>
void check_refused(const Office& office, const Result<T>& result, const Error& expected) {
  REQUIRE_FALSE(result);
  const Error& error = result.error();
  CHECK(error.status == expected.status);
  CHECK(error.message == expected.message);
  CHECK_THAT(error.log_detail, Catch::Contains(expected.log_detail));
  for (const std::string& secret : office.idp.secrets())
    if (error.log_detail.find(secret) != std::string::npos) FAIL_CHECK("a secret in the log: " + error.log_detail);
}

}  // namespace callisto::testing
