// Whether a desk has an administrator: somebody active with the right itself, not one that looks like it.
#include "tests/unit/auth/office.h"

using namespace callisto;
using namespace callisto::auth;

TEST_CASE("an administrator is an active person with a role that has the right Administration") {
  struct Case {
    std::string name;
    std::vector<std::string> rights;
    std::int64_t person;
    bool expected;
  };
  const std::vector<Case> cases{
      {"the right among others", {"*:Read", "Administration"}, 1, true},
      {"no analyst, but the right", {"Administration"}, 2, true},
      {"other rights", {"Integration", "*:Read", "*:Action"}, 1, false},
      {"a longer word", {"Administrations"}, 1, false},
      {"a shorter word", {"Admin"}, 1, false},
      {"other case", {"administration"}, 1, false},
      {"no right", {}, 1, false},
      {"inactive", {"Administration"}, 3, false},
      {"deleted", {"Administration"}, 5, false},
      {"nobody", {"Administration"}, 99, false},
  };
  for (const Case& each : cases) {
    INFO(each.name);
    Office office;
    bool before = true, exists = !each.expected;
    office.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(before, has_administrator(connection));
      const storage::Stamp stamp{office.clock.now(), office.random};
      CALLISTO_TRY(const std::int64_t chief, put_role(connection, {"Chief", each.rights, std::nullopt}, stamp));
      CALLISTO_CHECK(assign_role(connection, each.person, chief, stamp));
      CALLISTO_TRY(exists, has_administrator(connection));
      return {};
    });
    CHECK_FALSE(before);
    CHECK(exists == each.expected);
  }
}
