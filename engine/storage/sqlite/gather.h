// A file system for the one connection that writes a SQLite database. SQLite writes the frames of its log one behind
// the other, by two calls of the system for each; here they become one write before a flush, or before the log is read.
// Nobody else looks at frames that are not flushed yet, as long as SQLite flushes before it tells of them: synchronous
// must be FULL. Everything else goes to the file system that is the default when the connection opens.
#pragma once

namespace callisto::storage {

const char* gathering_file_system();  // its name, for sqlite3_open_v2; any thread

}  // namespace callisto::storage
