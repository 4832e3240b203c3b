// Requester: whose session a request is, and as whom its answer is made (API rule 3.16). Any thread.
#pragma once

#include "engine/api/api.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::api {

// Whom a header names, as login=NAME or login=NAME&type=User.
struct NamedPerson {
  std::string login;
  std::optional<auth::SessionType> type;
};
Result<NamedPerson> person_named_by(const std::string& header, std::string_view value);
Error nobody_named(const std::string& header, const std::string& login);  // who might hold such a session

struct Requester {
  std::shared_ptr<const auth::Session> signed_in;
  std::shared_ptr<const auth::Session> seen_as;  // the same, unless the header Callisto-View-As names somebody
  bool views() const { return seen_as != signed_in; }
};

// What the audit log has of whoever asked, for its caller to fill in the rest.
audit::Event event_of(const http::Request& request, const auth::Session& session, audit::Kind kind);

// Notes each view in the audit log. Errors: 401 with its challenge, where the token is none; 400 and 403 for the
// header.
Result<Requester> requester_of(const http::Request& request, const Options& options, auth::Service& auth,
                               audit::Sink& log);

}  // namespace callisto::api
