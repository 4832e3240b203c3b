// Signing in to the workbench: a token-mediating backend (RFC 10017). The server itself is the OAuth client
// `workbench`: it begins a sign-in by code with PKCE at its own pages, redeems the code in-process and keeps the
// session by a cookie that no script can read (HttpOnly, SameSite=Strict). The page is given access tokens alone, of
// ten minutes each. One session, and one licence, serves all tabs. Any thread.
#pragma once

#include "engine/auth/service.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/http/message.h"
#include "engine/storage/database.h"
#include "engine/workbench/pages.h"

#include <atomic>
#include <string>

namespace callisto::workbench {

inline constexpr const char* client_id = "workbench";

// Where the client's row is kept.
struct Store {
  storage::Database& database;
  const Clock& clock;
  Random& random;
};

class SigningIn {
 public:
  // References outlive it.
  SigningIn(const Options& options, const Pages& pages, auth::Service& auth, Store store);

  void begin(const http::Request& request, http::Response& response) const;     // GET /workbench/sign-in[?as=User]
  void finish(const http::Request& request, http::Response& response) const;    // GET /workbench/callback
  void token(const http::Request& request, http::Response& response) const;     // POST /workbench/token
  void sign_out(const http::Request& request, http::Response& response) const;  // POST /workbench/sign-out

 private:
  Result<void> keep_client() const;
  bool is_https(const http::Request& request) const;
  bool refuses(const http::Request& request, http::Response& response) const;
  void lead(const http::Request& request, std::string problem, http::Response& response) const;
  Result<std::string> redeem(const http::Request& request, const std::string& way, const std::string& key) const;

  const Options& options_;
  const Pages& pages_;
  auth::Service& auth_;
  const Store store_;
  mutable std::atomic<bool> has_client_ = false;
};

}  // namespace callisto::workbench
