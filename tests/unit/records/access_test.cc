// What sessions may read, by the rules of the repository's own desk.
#include "engine/records/access.h"

#include "tests/support/own_model.h"

#include <catch2/catch.hpp>

#include <optional>
#include <set>
#include <string>

using namespace callisto;
using namespace callisto::records;

namespace {

class Rules {
 public:
  bool may_read(const std::string& entity, auth::SessionType type, std::optional<std::int64_t> person,
                const std::set<std::string>& rights = {}) const {
    auth::Session session;
    session.type = type;
    session.person = person;
    session.rights = rights;
    const Model& model = *own_.model;
    return records::may_read(model.access.of(model, session), *model.catalog().find(entity));
  }

 private:
  SystemClock clock_;
  SystemRandom random_;
  test::OwnModel own_{clock_, random_};
};

}  // namespace

TEST_CASE("sessions are told apart by type, person and rights, whichever comes first") {
  using auth::SessionType;
  const Rules rules;
  for (int round = 0; round < 2; ++round) {
    // The server's own session for webhooks is an analyst's without a person: no reader of what everybody may read.
    CHECK_FALSE(rules.may_read("knowledge", SessionType::Analyst, std::nullopt));
    CHECK(rules.may_read("knowledge", SessionType::User, std::nullopt));
    CHECK(rules.may_read("knowledge", SessionType::User, 7));
    CHECK_FALSE(rules.may_read("knowledge", SessionType::Analyst, 7));
    CHECK(rules.may_read("knowledge", SessionType::Analyst, 7, {"knowledge:Read"}));
    CHECK_FALSE(rules.may_read("call", SessionType::Analyst, 7, {"knowledge:Read"}));
    CHECK(rules.may_read("call", SessionType::Analyst, 7, {"*:Read"}));
    CHECK_FALSE(rules.may_read("call", SessionType::User, std::nullopt, {"*:Read"}));
  }
}
