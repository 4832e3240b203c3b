// Moments as foreign data writes them. Immutable; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/time_zone.h"
#include "engine/base/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace callisto::importing {

class DateReader {
 public:
  // `form`: of %d %m %Y %H %M %S and the characters between them; empty: ISO 8601. `zone`: that of moments that name
  // none. The form must have passed the check below.
  explicit DateReader(std::string form = {}, TimeZone zone = TimeZone());

  static Result<void> check_form(const std::string& form);

  std::optional<DateTime> read(std::string_view text) const;
  std::string expected_instead(std::string_view text) const;  // "a date such as 31/12/2026 23:59"

 private:
  std::optional<std::string> iso_of(std::string_view text) const;

  std::string form_;
  TimeZone zone_;
};

}  // namespace callisto::importing
