#include "engine/auth/relied_on.h"

namespace callisto::auth {

const std::vector<catalog::ReliedOn>& relied_on() {
  using catalog::DataType;
  constexpr std::string_view purpose = "signing in";
  static const std::vector<catalog::ReliedOn> list{
      {"person", purpose, DataType::Text, {"FirstName", "LastName", "Name", "LoginId"}},
      {"person", purpose, DataType::Boolean, {"IsActive", "IsAnalyst", "IsUser", "IsLoggedIn"}},
      {"person", purpose, DataType::DateTime, {"LastLoginDate"}},
      {"client", purpose, DataType::Text, {"ClientId", "Name", "Description", "SessionType", "Grants", "RedirectUris"}},
      {"client", purpose, DataType::Boolean, {"IsEnabled", "HasSecret"}},
      {"client", purpose, DataType::Lookup, {"Role"}},
      {"session", purpose, DataType::Lookup, {"Person", "Client"}},
      {"session", purpose, DataType::Text, {"SessionType", "Address"}},
      {"session", purpose, DataType::DateTime, {"LastUsed", "ExpiresDate"}},
      {"role", purpose, DataType::Text, {"Name", "Rights"}},
      {"role", purpose, DataType::Boolean, {"AllPartitions"}},
      {"person-role", purpose, DataType::Lookup, {"Person", "Role"}},
      {"identity-link", purpose, DataType::Lookup, {"Person"}},
      {"identity-link", purpose, DataType::Text, {"Issuer", "Subject"}},
      {"role-partition", purpose, DataType::Lookup, {"Role", "Partition"}},
  };
  return list;
}

}  // namespace callisto::auth
