// Checks that CivetWeb skipped nothing in a request's head. CivetWeb hands out the pieces of a head, not its bytes, and
// silently skips bare line feeds, blanks before a colon, folded lines, and headers after a line it cannot read. It
// parses in place, though, so the gaps between the pieces show what it skipped. Pure; any thread.
#pragma once

#include "engine/http/framing/validator.h"

namespace callisto::http {

// Whether the pieces lie exactly where a head of "METHOD target HTTP/x\r\n(name:[ ]*value\r\n)*\r\n" puts them.
// Every view must point into one buffer that begins with `head.method` and ends at `buffer_end`. Where CivetWeb stopped
// copying nothing this fails closed: a head whose pieces lie elsewhere is refused.
bool is_laid_out_strictly(const Head& head, const char* buffer_end);

}  // namespace callisto::http
