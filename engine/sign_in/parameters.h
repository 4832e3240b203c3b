// The parameters of an authorization request (RFC 6749 4.1.1), as they came. Pure; any thread.
#pragma once

#include "engine/auth/authorize.h"
#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace callisto::sign_in {

struct Parameters {
  auth::AuthorizationParameters values;  // of the names that somebody here reads; empty values are not among them
  // What is wrong with the request whatever it asks for: "The parameter state stands there twice."; else empty. The
  // parameter at fault is not among `values`.
  std::string problem;

  std::string get(std::string_view name) const;
  bool has_prompt(std::string_view word) const;  // prompt is a list of words (OpenID Connect Core 3.1.2.1)
};

// 400 where the query cannot be decoded, or client_id or redirect_uri are at fault. Unknown parameters are ignored,
// also where they stand there twice.
Result<Parameters> read_parameters(std::string_view raw_query);

// The same as a query; what read_parameters() makes `values` of again.
std::string to_query(const Parameters& parameters);

}  // namespace callisto::sign_in
