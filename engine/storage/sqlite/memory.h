// Memory for the pages of SQLite's caches. A write by others empties a reader's cache, which reads a hundred pages
// again at once; malloc() would merge the freed pages with their neighbours, and split them again.
#pragma once

namespace callisto::storage {

void keep_freed_pages();  // before SQLite starts; too late it does nothing

}  // namespace callisto::storage
