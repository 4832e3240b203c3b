#include "engine/importing/read/dates.h"

#include "engine/base/text.h"
#include "engine/base/zoned_time.h"

#include <array>
#include <cstdio>

namespace callisto::importing {

namespace {

constexpr std::string_view letters = "YmdHMS";

struct Parts {
  std::array<int, letters.size()> numbers{0, 1, 1, 0, 0, 0};  // in the order of `letters`
};

// Digits at the beginning of `text`, taken away from it: four for a year, else one or two.
bool take_number(std::string_view& text, char letter, int& number) {
  const std::size_t most = letter == 'Y' ? 4 : 2;
  std::size_t count = 0;
  for (number = 0; count < most && count < text.size() && text[count] >= '0' && text[count] <= '9'; ++count)
    number = number * 10 + (text[count] - '0');
  text.remove_prefix(count);
  return letter == 'Y' ? count == most : count > 0;
}

bool take_parts(std::string_view form, std::string_view text, Parts& parts) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '%') {
      ++i;
      if (!take_number(text, form[i], parts.numbers[letters.find(form[i])])) return false;
    } else if (!text.empty() && text.front() == form[i]) {
      text.remove_prefix(1);
    } else {
      return false;
    }
  }
  return text.empty();
}

}  // namespace

DateReader::DateReader(std::string form, TimeZone zone) : form_(std::move(form)), zone_(std::move(zone)) {}

Result<void> DateReader::check_form(const std::string& form) {
  std::string seen;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '%') continue;
    const char letter = ++i < form.size() ? form[i] : '\0';
    if (letters.find(letter) == letters.npos || seen.find(letter) != seen.npos)
      return bad_format("dates " + text::quoted(form) + " may hold each of %d %m %Y %H %M %S once, and no other %");
    seen += letter;
  }
  for (const char letter : letters.substr(0, 3))
    if (!form.empty() && seen.find(letter) == seen.npos)
      return bad_format("dates " + text::quoted(form) + " lacks %" + letter);
  return {};
}

// The same moment in ISO 8601; nothing for what is not of the form.
std::optional<std::string> DateReader::iso_of(std::string_view text) const {
  if (form_.empty()) return std::string(text);
  Parts parts;
  if (!take_parts(form_, text, parts)) return std::nullopt;
  const auto& [year, month, day, hour, minute, second] = parts.numbers;
  char iso[32];
  const int size =
      std::snprintf(iso, sizeof iso, "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, hour, minute, second);
  return std::string(iso, static_cast<std::size_t>(size));
}

std::optional<DateTime> DateReader::read(std::string_view text) const {
  const auto iso = iso_of(text);
  return iso ? parse_iso8601(*iso, zone_) : std::nullopt;
}

std::string DateReader::expected_instead(std::string_view text) const {
  const auto iso = iso_of(text);
  if (form_.empty() || (iso && is_iso8601(*iso, zone_))) return callisto::expected_instead(iso.value_or(""), zone_);
  constexpr std::array<std::string_view, letters.size()> values{"2026", "12", "31", "23", "59", "58"};
  std::string sample;
  for (std::size_t i = 0; i < form_.size(); ++i) {
    if (form_[i] == '%') sample += values[letters.find(form_[++i])];
    else sample += form_[i];
  }
  return "a date such as " + sample;
}

}  // namespace callisto::importing
