// What is kept of a session, and for whom.
#include "engine/records/facts_cache.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::records;

TEST_CASE("what is kept of a session is given to that session alone, while its tables stay as they were") {
  const FactsCache cache;
  auth::Session session{7, auth::SessionType::Analyst, 3, "client", {"Administration"}, {}};
  ReadFacts facts;
  facts.person = std::make_shared<const script::SessionFacts::Person>();
  cache.keep(session, {5}, facts);
  const auto is_known = [&](const storage::Commits& state) {
    return cache.find(session, state).person == facts.person;
  };
  CHECK(is_known({5}));
  CHECK(is_known({5, true}));
  CHECK_FALSE(is_known({6}));
  session.rights.insert("Integration");
  CHECK_FALSE(is_known({5}));
  session.rights.erase("Integration");
  session.type = auth::SessionType::User;
  CHECK_FALSE(is_known({5}));
  session.type = auth::SessionType::Analyst;
  session.person = 4;  // the server itself, for one person and another
  CHECK_FALSE(is_known({5}));
  cache.keep(session, {5}, {});
  session.person = 3;
  CHECK(is_known({5}));
  facts.since -= std::chrono::seconds(1);
  cache.keep(session, {5}, facts);
  CHECK(is_known({5}));
  CHECK_FALSE(is_known({5, true}));
}
