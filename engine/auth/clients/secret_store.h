// The Secrets of persons and clients. References outlive it; any thread.
#pragma once

#include "engine/auth/grants/grant.h"
#include "engine/auth/people/guesses.h"
#include "engine/auth/secrets.h"

namespace callisto::auth {

class SecretStore final : public Secrets {
 public:
  explicit SecretStore(const GrantContext& context) : context_(context) {}

  Result<void> admit(const Session& session, std::string_view action) override;
  Result<std::string> hash(std::string_view secret) override;
  Result<Guess> compare(std::string_view entity, std::int64_t key, std::string_view secret) override;
  Result<bool> judge(storage::Connection& connection, const Session& session, std::string_view entity, std::int64_t key,
                     const Guess& guess) override;
  Result<void> note_wrong_guess(std::string_view entity, std::int64_t key, const Session& session,
                                std::string_view action) override;
  Result<void> keep(storage::Connection& connection, std::string_view entity, std::int64_t key,
                    const std::string& hash) override;

 private:
  Result<Guesses> guesses_of(storage::Connection& connection, const Session& session, std::int64_t person) const;

  const GrantContext& context_;
};

}  // namespace callisto::auth
