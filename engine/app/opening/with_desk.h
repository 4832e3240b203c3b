// One command's work on a desk: opens it, does the work, prints what went wrong, returns the exit status (see
// commands.h).
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/audit/event.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::app {

using DeskChange =
    std::function<Result<void>(storage::Connection&, const records::Model&, DateTime now, Random& random)>;

// In one transaction, with `event` in the audit log. A running server has the desk to itself: then `beside_server` says
// what does the same there.
int change_desk(const Settings& settings, const audit::Event& event, const DeskChange& change,
                std::string_view beside_server);
// What was done to a record of `entity`, for that log.
audit::Event noted(audit::Kind kind, const char* entity, const char* action, const std::string& name);

// Beside a running server too.
int read_desk(const Settings& settings, const std::function<Result<void>(storage::Connection&)>& read);

// For people: columns under their titles; where standard output is no terminal, for programs: cells parted by tabs.
void print_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);

}  // namespace callisto::app
