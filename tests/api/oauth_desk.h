// A server of a test program's own for signing in and out, its answers taken apart, and what stands in its database.
// Beside the sample clients there is `quick`: a client with the secret `quick-secret`, hashed at the lowest cost, so
// that hundreds of sign-ins by client_credentials take no time. One thread, but for send() and sign_in().
#pragma once

#include "engine/base/sql.h"
#include "server_process.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::tests {

struct Told {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string raw;
  json::Node body;

  std::string operator[](std::string_view member) const;  // "(none)" where there is none
  std::string what() const { return std::to_string(status) + " " + (*this)["error"]; }
};

struct Pair {
  std::string access, refresh;
};

inline const std::string by_quick = "&client_id=quick&client_secret=quick-secret";

class OAuthDesk {
 public:
  explicit OAuthDesk(std::vector<std::string> settings = {});

  // To {oauth}/endpoint as a form. Every answer is JSON, not to be stored.
  Told send(std::string_view endpoint, std::string_view form, ServerProcess::Headers headers = {}) const;
  Told log_out(const std::string& token, const std::string& access) const;
  std::optional<Pair> sign_in(std::string_view form) const;  // nothing where it is refused or nobody answers
  Pair pair(std::string_view login, std::string_view scope = "session-type:User") const;  // by password
  Pair quick() const;                                                                     // by client_credentials
  // Below v1, with an access token.
  Told api(const std::string& access, std::string_view method, const std::string& path,
           std::string_view body = {}) const;

  std::int64_t number(SqlLiteral sql) const;  // the only value of a query of the database, whoever has it open
  void start();                               // again, after stop() or kill_at_once()
  ServerProcess& server() { return *server_; }
  const std::string& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> settings_;
  std::unique_ptr<ServerProcess> server_;
};

}  // namespace callisto::tests
