// The data folder belongs to one server: its files, above all the audit log, are one process's. DATA/callisto.pid is
// locked and holds the server's process id while the server lives; afterwards the file is empty, or after a kill holds
// an id that means nothing. Commands work beside the server. Any thread.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/base/file_lock.h"

#include <sys/types.h>

#include <optional>

namespace callisto::app {

Result<void> make_data_folder(const Settings& settings);

// Refuses, with the mend, what anybody on this machine may read or write: the folder, the key, the database, the audit
// log. Warns of a server that runs as root.
Result<void> check_rights(const Settings& settings);

// Refuses a database without a desk beside the files of one: it was lost, or another is meant; unless a new one is
// wanted all the same. Of a desk that is new the log tells where it is made.
Result<void> check_desk_is_there(const Settings& settings);
bool& is_new_desk_wanted();  // false; the command line sets it, before it serves

// Makes the folder where needed. An error, for the operator, where another server has it.
Result<FileLock> claim_data_folder(const Settings& settings);
Result<std::optional<pid_t>> server_of_data_folder(const Settings& settings);

}  // namespace callisto::app
