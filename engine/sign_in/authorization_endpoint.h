// AuthorizationEndpoint: {oauth}/authorize and {oauth}/callback, where a person signs in by a browser for a client,
// which gets a code (RFC 6749 4.1, RFC 9207; API rule 6.5). It asks the providers in their order, then shows the login
// page. It keeps nothing between requests. Every answer is a page or a redirect, never JSON. handle() is called from
// many threads at once.
#pragma once

#include "engine/audit/event.h"
#include "engine/auth/service.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/http/message.h"
#include "engine/sign_in/exchange.h"
#include "engine/sign_in/pending.h"
#include "engine/sign_in/provider.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace callisto::sign_in {

struct Options {
  std::string base_url;  // https://desk.example, without a slash at the end; empty: as the request addresses it
  std::string oauth_root = "/service.web/oauth";
  std::string server_name = "Callisto";  // as the pages call it
  std::string form_key = {};  // secret, the same on every node of an installation; empty: random, of this process
};

using Providers = std::vector<std::unique_ptr<Provider>>;

class AuthorizationEndpoint {
 public:
  // References outlive this.
  AuthorizationEndpoint(Options options, auth::Service& auth, Providers providers, const Clock& clock, Random& random,
                        audit::Sink& audit);

  enum class Path { Authorize, Callback };
  void handle(Path path, http::Request& request, http::Response& response) const;

 private:
  // A request for a code that is in order, and what it was read from.
  struct Pending {
    Parameters parameters;
    auth::Authorization authorization;
    std::string answer_to;  // its redirect uri, as a browser is sent there
  };

  Exchange exchange_of(http::Request& request, http::Response& response) const;
  Result<void> dispatch(Path path, Exchange& exchange) const;
  Result<void> begin(Exchange& exchange) const;
  Result<void> submit(Exchange& exchange) const;
  Result<void> resume(Exchange& exchange) const;

  // Nothing where the exchange has been answered with what is wrong.
  Result<std::optional<Pending>> check(Exchange& exchange, Parameters parameters) const;
  Result<void> ask_providers(Exchange& exchange, const Pending& pending) const;
  Result<void> follow(Exchange& exchange, const Pending& pending, const Verdict& verdict) const;
  void note(const Exchange& exchange, const Pending& pending, const Refused& refused) const;
  Result<bool> finish(Exchange& exchange, const Pending& pending, std::int64_t person) const;

  void show_login(Exchange& exchange, const Pending& pending, int status, const std::string& login_name,
                  const std::string& problem) const;
  void show_problem(Exchange& exchange, int status, const std::string& problem) const;

  const Options options_;
  const std::string action_;  // path of {oauth}/authorize, as the browser knows it
  auth::Service& auth_;
  const Providers providers_;
  Random& random_;
  audit::Sink& audit_;
  const PendingRequests pending_;
};

}  // namespace callisto::sign_in
