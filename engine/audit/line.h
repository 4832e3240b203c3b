// One line of the audit log: a JSON object with the previous line's hash and its own. `hash` is the SHA-256 of the
// line's bytes up to `,"hash":`, so a shell can check it too. Pure; any thread.
#pragma once

#include "engine/audit/event.h"
#include "engine/base/datetime.h"
#include "engine/json/read.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::audit {

constexpr std::size_t longest_line = 64 * 1024;  // much more than any that is written

// A place in the chain: the number of a line and its hash.
struct Link {
  std::int64_t sequence = 0;
  std::string hash = std::string(64, '0');  // before the first line
  bool operator==(const Link&) const = default;
};

// The line without its end, and the link that follows from it. Texts are cut, and what is not UTF-8 or could drive a
// terminal is replaced. `torn`: the digest of the bytes of torn lines before it, of LogDamaged alone.
struct NewLine {
  std::string text;
  Link link;
};
NewLine make_line(const Event& event, DateTime time, const Link& previous, std::string_view torn = {});

struct Line {
  Link link;
  std::string previous, event, torn;
  json::Node members;
};
// Nothing where the line is none of this log, or not as it was written.
std::optional<Line> read_line(std::string_view text);

// Whether a line has its end, be it right or not; one that was cut has none.
bool has_hash(std::string_view text);

}  // namespace callisto::audit
