// Memory for the pages that SQLite's caches hold. What others have written empties a reader's cache, a hundred pages
// that it reads again at once; malloc() joins what it gets back of that size with what is beside it, and splits it
// again.
#pragma once

namespace callisto::storage {

void keep_freed_pages();  // before SQLite starts; too late it does nothing

}  // namespace callisto::storage
