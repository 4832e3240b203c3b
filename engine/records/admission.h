// Admission: whom an identity provider vouches for becomes a person of this desk as scripts/sign-in.lua says: found by
// an earlier link, else by login name, else made; brought up to date, and given and taken the roles that the rule
// decides on. All of it happens through the entities' own actions, so hooks, events and sessions learn of it.
#pragma once

#include "engine/auth/identity.h"
#include "engine/records/change.h"
#include "engine/records/context.h"

#include <cstdint>
#include <string>

namespace callisto::records {

struct Vouched {
  auth::Subject subject;
  std::string login_name;             // that the rule's LoginId goes before; empty: none
  std::string unverified_email = {};  // which no login name may be taken from
};

struct Admitted {
  std::int64_t person = 0;
  bool is_new_link = false;  // for auth::note_link
};

// Inside of Writer::write, with `answer` of script::State::sign_in. 403 where nobody is admitted: `message` may be
// shown to anybody, `log_detail` is for the operator.
Result<Admitted> admit(const Context& context, Change& change, const Vouched& vouched,
                       const script::SignInAnswer& answer, const storage::Stamp& stamp);

}  // namespace callisto::records
