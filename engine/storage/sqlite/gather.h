// A file system for the one connection that writes a SQLite database. SQLite writes the frames of its log one after the
// other, by two system calls each; here they become one write before a flush, or before the log is read. Nobody else
// looks at frames before they are flushed, as long as SQLite flushes before it publishes them: synchronous must be
// FULL. Everything else goes to the default file system at the time the connection opens.
#pragma once

namespace callisto::storage {

const char* gathering_file_system();  // its name, for sqlite3_open_v2; any thread

}  // namespace callisto::storage
