// Why a sign-in fails: `message` is one of a few texts that any browser may see; `log_detail` names what the operator
// or the provider has to fix, and contains no secret, code or token. Any thread.
#pragma once

#include "engine/base/error.h"

#include <string>

namespace callisto::oidc {

Error stale(std::string log_detail);         // 400: expired, or begun elsewhere; starting again helps
Error denied(std::string log_detail);        // 403: the provider, or the person there, said no
Error not_accepted(std::string log_detail);  // 403: the answer breaks a rule; the administrator must look
Error unreachable(std::string log_detail);   // 503: no proper answer now; later perhaps

}  // namespace callisto::oidc
