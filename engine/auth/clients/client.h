// OAuth clients (API rule 6.2): which programs may ask for tokens, by which grants, for which sessions, and how they
// prove who they are. They are rows of the entity table `client`, and client_store.cc is the only file of the folder
// that knows its columns; secrets are kept apart, where no query of the API reaches. Writing: admin.h. Any thread.
#pragma once

#include "engine/auth/service.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace callisto::auth {

struct Client {
  std::string id, name;
  std::optional<std::string> secret_hash;  // nothing: a public client
  std::optional<SessionType> only;         // nothing: Any
  bool enabled = true;
  std::vector<std::string> grants, redirect_uris;
  std::string description;
  std::optional<std::int64_t> role;  // whose partitions its sessions without a person see
  std::int64_t ref = 0;
  bool allows(std::string_view grant) const;
};

struct ClientCredentials {
  std::string id;
  std::optional<std::string> secret;
  // HTTP Basic of clients that do not form-encode it (curl -u, Postman): tried where the decoded one is wrong.
  std::optional<std::pair<std::string, std::string>> plain = {};
};

// From the form or from HTTP Basic.
std::variant<ClientCredentials, OAuthError> read_client_credentials(const LoginRequest& request);

Result<std::optional<Client>> find_client(storage::Connection& connection, const std::string& id);
Result<std::optional<Client>> find_client(storage::Connection& connection, std::int64_t ref);
// Whether another client than `ref` has that client_id.
Result<bool> has_twin(storage::Connection& connection, std::int64_t ref, const std::string& id);

// A new secret of a client; inside a storage::WriteFunction.
Result<void> put_client_secret(storage::Connection& connection, std::int64_t client, const std::string& hash);

// The client itself when it is enabled and has proved who it is. A secret that must be hashed costs the address an
// attempt, as a password does, unless the request has cost it one already.
struct GrantContext;
enum class Attempt { Due, Taken };
Result<std::variant<Client, OAuthError>> authenticate_client(const GrantContext& context,
                                                             const ClientCredentials& credentials,
                                                             const std::string& address, Attempt attempt);

}  // namespace callisto::auth
