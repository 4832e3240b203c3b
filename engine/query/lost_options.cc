#include "engine/query/lost_options.h"

#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/query/parse/diagnostics.h"

#include <algorithm>
#include <array>

namespace callisto::query {

namespace {

// What other keyboards and alphabets have for '$'.
constexpr std::array<std::string_view, 2> dollars{"\xEF\xBC\x84", "\xEF\xB9\xA9"};

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// "filter" of "filter", " filter", "?filter", "filter[State]".
std::string_view first_word(std::string_view name) {
  const auto begin = std::find_if(name.begin(), name.end(), is_name_byte);
  const auto end = std::find_if_not(begin, name.end(), is_name_byte);
  return name.substr(static_cast<std::size_t>(begin - name.begin()), static_cast<std::size_t>(end - begin));
}

Error lost(std::string_view name, const std::string& problem, std::string suggestion = {}) {
  Error error = bad_option({}, problem, std::move(suggestion));
  error.diagnostic->found = excerpt(name);
  return error;
}

Error rest_of_filter(std::string_view name) {
  return lost(name, "The parameter " + text::quoted(name) +
                        " looks like part of a filter; in a url write '&&' as %26%26 and '&' as %26");
}

}  // namespace

std::string meant_name(std::string_view name) {
  std::string meant(name);
  for (int i = 0; i < 3; ++i)
    if (auto decoded = decoded_once(meant)) meant = *std::move(decoded);
  while (meant.starts_with("amp;")) meant.erase(0, 4);
  for (const std::string_view dollar : dollars)
    for (std::size_t at = meant.find(dollar); at != meant.npos; at = meant.find(dollar))
      meant.replace(at, dollar.size(), "$");
  return meant;
}

Result<void> check_foreign(std::string_view name, std::string_view value,
                           const std::vector<std::string_view>& options) {
  const std::string meant = meant_name(name);
  if (text::trim(meant).empty())
    return lost(name,
                "A parameter has no name. Within double quotes a shell takes $filter for a variable of its own: write "
                "the url in single quotes, or '$' as %24; a '&' of a filter is %26");
  const std::string_view word = first_word(meant);
  for (const std::string_view option : options)
    if (text::equals_ignoring_ascii_case(word, option.substr(1)))
      return lost(name,
                  "The parameter " + text::quoted(name) + " lacks its '$'; did you mean " + text::quoted(option) + "?",
                  std::string(option));
  const bool is_compared = value.starts_with('=');
  if (is_compared || meant.find_first_of("<>!\"()|&@=") != meant.npos) return rest_of_filter(name);
  return {};
}

Result<void> check_foreign(const std::vector<std::pair<std::string, std::string>>& pairs, const catalog::Entity& entity,
                           const Fields* fields) {
  for (const auto& [name, value] : pairs) {
    const std::string meant = meant_name(name);
    const std::string_view path = text::trim(meant);
    const catalog::Property* property = entity.find_property(path.substr(0, path.find('.')));
    if (property && !hides(fields, *property)) return rest_of_filter(name);
  }
  return {};
}

}  // namespace callisto::query
