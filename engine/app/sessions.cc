// callisto session list and end: who is signed in.
#include "engine/app/commands.h"
#include "engine/app/opening/with_desk.h"
#include "engine/auth/admin.h"

#include <cstdio>

namespace callisto::app {

int session_list(const Settings& settings) {
  return read_desk(settings, [](storage::Connection& connection) -> Result<void> {
    const SystemClock clock;
    CALLISTO_TRY(const auto sessions, auth::list_sessions(connection, clock.now()));
    std::vector<std::vector<std::string>> rows;
    rows.reserve(sessions.size());
    for (const auth::ListedSession& each : sessions)
      rows.push_back({std::to_string(each.ref), each.login.empty() ? "-" : each.login, each.client_id,
                      auth::name(each.type), to_iso8601(each.created), to_iso8601(each.last_used),
                      to_iso8601(each.expires), each.address});
    print_table({"REF", "LOGIN", "CLIENT", "TYPE", "SINCE", "LAST USED", "EXPIRES", "ADDRESS"}, rows);
    return {};
  });
}

int session_end(const Settings& settings, const SessionOptions& options) {
  const std::string number = std::to_string(options.ref);
  const std::string beside = "end it there: DELETE " + settings.api_root + "/" + settings.api_versions.front() +
                             "/session/" + number + ", as an administrator";
  const auto end = [&](storage::Connection& connection, const records::Model&, DateTime now, Random&) -> Result<void> {
    CALLISTO_TRY(const bool ended, auth::end_session(connection, options.ref, now));
    if (!ended) return bad_format("there is no session " + number + "; callisto session list shows them");
    return {};
  };
  const int status = change_desk(settings, noted(audit::Kind::SessionEnded, "session", "delete", number), end, beside);
  if (status == 0) std::printf("session %s ended\n", number.c_str());
  return status;
}

}  // namespace callisto::app
