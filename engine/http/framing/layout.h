// CivetWeb hands out the pieces of a head, not its bytes, and passes over much in silence: bare line feeds, blanks
// before a colon, folded lines, headers behind a line it cannot read. It parses in place, though, so the gaps between
// the pieces tell what was passed over. This is the check that there was nothing. Pure; any thread.
#pragma once

#include "engine/http/framing/validator.h"

namespace callisto::http {

// Whether the pieces lie exactly where a head of "METHOD target HTTP/x\r\n(name:[ ]*value\r\n)*\r\n" puts them.
// Every view must point into one buffer that begins with `head.method` and ends at `buffer_end`. Where CivetWeb stopped
// copying nothing this fails closed: a head whose pieces lie elsewhere is refused.
bool is_laid_out_strictly(const Head& head, const char* buffer_end);

}  // namespace callisto::http
