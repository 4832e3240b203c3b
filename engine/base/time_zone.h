// Time zones: IANA names from the machine's zone database (TZif, RFC 9636), POSIX TZ texts and offsets. A local time
// has one meaning, whatever was read before it. Immutable; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/zone_rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto {

class TimeZone {
 public:
  explicit TimeZone(std::int64_t offset = 0) : first_offset_(offset) {}  // seconds east of UTC, all the time

  // The server's, found once: that of the variable TZ, else of /etc/localtime, else UTC.
  static const TimeZone& local();
  // That of a TZ variable, as the C library reads it: a name or path of the database, or a POSIX text; else UTC.
  static TimeZone of_variable(std::string_view text);
  // "UTC", an offset such as "+01:00", or a name of the database such as "Europe/Vienna". Error: bad_format.
  static Result<TimeZone> named(std::string_view name);

  // Seconds since 1970-01-01T00:00:00, on the wall and in UTC. RFC 5545 3.3.5: a wall time that comes twice is the
  // first one; one that never comes is read by the offset before the gap.
  std::int64_t to_utc(std::int64_t wall) const;
  std::int64_t offset_at(std::int64_t utc) const;  // seconds east of UTC

 private:
  struct Change {
    std::int64_t at;      // UTC
    std::int64_t offset;  // from then on
  };

  static std::optional<TimeZone> from_file(const std::string& path);
  static std::optional<TimeZone> from_bytes(std::string_view bytes);
  void follow(const ZoneRule& rule);
  std::int64_t whole_cycles(std::int64_t seconds) const;

  std::int64_t first_offset_ = 0;
  std::vector<Change> changes_;               // by time
  std::optional<std::int64_t> repeats_from_;  // the changes of the 400 years from here come again for ever
};

}  // namespace callisto
