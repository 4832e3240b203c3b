#include "engine/sign_in/admission.h"

#include "engine/base/text.h"

namespace callisto::sign_in {

Result<std::int64_t> LinkedAdmission::admit(const oidc::Identity& identity) const {
  CALLISTO_TRY(const auto person,
               auth_.find_person_by_identity(identity.issuer, identity.subject, identity.login_name));
  if (person) return *person;
  Error error = forbidden("Nobody with the name that the identity provider vouches for may sign in here.");
  error.log_detail = "nobody active has the link or the login name " + text::quoted(identity.login_name) +
                     " that the identity provider vouches for";
  return error;
}

}  // namespace callisto::sign_in
