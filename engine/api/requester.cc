#include "engine/api/requester.h"

#include "engine/base/text.h"
#include "engine/http/bearer.h"
#include "engine/http/url.h"

#include <optional>
#include <string>
#include <utility>

namespace callisto::api {

namespace {

constexpr const char* view_header = "Callisto-View-As";

audit::Event view_of(const http::Request& request, const auth::Session& viewer, const auth::Session& seen) {
  audit::Event event = event_of(request, viewer, audit::Kind::ViewedAs);
  event.entity = "person";
  event.key = seen.person;
  event.action = std::string(request.method) + " " + std::string(request.raw_path);
  event.reason = auth::name(seen.type);
  return event;
}

}  // namespace

Result<NamedPerson> person_named_by(const std::string& header, std::string_view value) {
  CALLISTO_TRY(const auto fields, http::decode_query(std::string(value)));
  NamedPerson named;
  for (const auto& [name, given] : fields) {
    if (name == "login" && named.login.empty()) named.login = given;
    else if (name == "type" && !named.type && auth::session_type(given)) named.type = auth::session_type(given);
    else return bad_option(header, "Write the header " + header + " as login=NAME or login=NAME&type=User.");
  }
  if (named.login.empty()) return bad_option(header, "The header " + header + " names no login.");
  return named;
}

Error nobody_named(const std::string& header, const std::string& login) {
  return bad_option(header,
                    "No active person with the login name " + text::quoted(login) + " may hold such a session.");
}

audit::Event event_of(const http::Request& request, const auth::Session& session, audit::Kind kind) {
  audit::Event event;
  event.kind = kind;
  event.person = session.person;
  event.client = session.client_id;
  event.session = session.id;
  event.address = request.remote_address;
  return event;
}

Result<Requester> requester_of(const http::Request& request, const Options& options, auth::Service& auth,
                               audit::Sink& log) {
  auto known = auth.authenticate(http::bearer_of(request));
  if (!known && known.error().status == 401)
    known.error().headers = {{"WWW-Authenticate", bearer_challenge(request, options)}};
  CALLISTO_TRY(auto session, std::move(known));
  const std::string_view header = request.header(view_header);
  if (request.header_count(view_header) == 0) return Requester{session, session};
  if (!session->may("Administration"))
    return forbidden("Only whoever has the right Administration may see what others see. Leave " +
                     std::string(view_header) + " out.");
  if (!request.reads() && request.method != "OPTIONS")
    return forbidden("Nothing is done in the name of another person. Leave the header " + std::string(view_header) +
                     " out to do it in your own.");
  CALLISTO_TRY(const NamedPerson asked, person_named_by(view_header, header));
  CALLISTO_TRY(auto seen, auth.view_as(*session, asked.login, asked.type));
  if (!seen) return nobody_named(view_header, asked.login);
  log.note(view_of(request, *session, *seen));
  return Requester{std::move(session), std::move(seen)};
}

}  // namespace callisto::api
