// OAuth clients (decisions.md 6.2): which programs may ask for tokens, by which grants, for which sessions, and how
// they prove who they are. Reads only; see admin.h for writing. Any thread.
#pragma once

#include "engine/auth/password.h"
#include "engine/auth/reader.h"
#include "engine/auth/service.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace callisto::auth {

struct Client {
  std::string id, name;
  std::optional<std::string> secret_hash;  // nothing: a public client
  std::optional<SessionType> only;         // nothing: Any
  bool enabled = true;
  std::vector<std::string> grants, redirect_uris;
  bool allows(std::string_view grant) const;
};

struct ClientCredentials {
  std::string id;
  std::optional<std::string> secret;
};

// From the form or from HTTP Basic.
std::variant<ClientCredentials, OAuthError> read_client_credentials(const LoginRequest& request);

Result<std::optional<Client>> find_client(storage::Connection& connection, const std::string& id);

// The client itself when it is enabled and has proved who it is.
Result<std::variant<Client, OAuthError>> authenticate_client(Reader& reader, Hasher& hasher,
                                                             const ClientCredentials& credentials);

}  // namespace callisto::auth
