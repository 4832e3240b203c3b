// Moments as foreign data writes them. Immutable; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace callisto::importing {

class DateReader {
 public:
  // `form`: of %d %m %Y %H %M %S and the characters between them; empty: ISO 8601. `zone`: that of moments that name
  // none, "UTC" or an offset such as "+01:00"; empty: UTC. Both must have passed the checks below.
  explicit DateReader(std::string form = {}, const std::string& zone = {});

  static Result<void> check_form(const std::string& form);
  static Result<void> check_zone(const std::string& zone);

  std::optional<DateTime> read(std::string_view text) const;
  std::string described() const;  // "a date such as 31/12/2026 23:59"

 private:
  std::optional<DateTime> read_iso(std::string_view text) const;

  std::string form_;
  std::string zone_;  // as ISO 8601 writes it behind a time
};

}  // namespace callisto::importing
