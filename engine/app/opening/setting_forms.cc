#include "engine/app/opening/setting_forms.h"

#include "engine/api/cross_origin.h"
#include "engine/base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace callisto::app {

namespace {

// A number of bytes as people write it: 25M, not 26214400.
SettingValue shown_size(std::size_t bytes) {
  for (const auto& [unit, power] : {std::pair('G', 30), {'M', 20}, {'K', 10}})
    if (bytes > 0 && bytes % (std::size_t{1} << power) == 0) return std::to_string(bytes >> power) + unit;
  return static_cast<std::int64_t>(bytes);
}

SettingValue as_value(int number) { return std::int64_t{number}; }
template <typename T>
SettingValue as_value(const T& value) {
  return value;
}

template <typename Member, typename Assign>
Form with(Member Settings::*member, Assign assign) {
  return {std::move(assign), [member](const Settings& settings) -> SettingValue { return as_value(settings.*member); }};
}

// A path of plain characters, without empty segments, '.' and '..': what would be written differently by clients that
// tidy urls up.
bool is_tidy_path(std::string_view path) {
  for (std::string_view segment : text::split(path.substr(1), '/')) {
    if (segment.empty() || segment == "." || segment == "..") return false;
    for (const char c : segment)
      if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("-._~").find(c) == std::string_view::npos)
        return false;
  }
  return true;
}

}  // namespace

Form text_into(std::string Settings::*member) {
  return with(member, [member](Settings& settings, std::string_view value) {
    settings.*member = value;
    return std::string();
  });
}

Form choice_into(std::string Settings::*member, std::vector<std::string_view> choices) {
  return with(member, [member, choices = std::move(choices)](Settings& settings, std::string_view value) {
    std::string expected = "one of";
    for (std::string_view choice : choices) {
      if (value == choice) {
        settings.*member = value;
        return std::string();
      }
      expected += " " + std::string(choice);
    }
    return expected;
  });
}

Form number_into(int Settings::*member, int least, int most) {
  return with(member, [member, least, most](Settings& settings, std::string_view value) {
    int number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc() || end != value.data() + value.size() || number < least || number > most)
      return "a whole number of at least " + std::to_string(least) +
             (most < std::numeric_limits<int>::max() ? " and at most " + std::to_string(most) : "");
    settings.*member = number;
    return std::string();
  });
}

Form flag_into(bool Settings::*member) {
  return with(member, [member](Settings& settings, std::string_view value) {
    if (value != "true" && value != "false") return std::string("true or false");
    settings.*member = value == "true";
    return std::string();
  });
}

Form scale_into(double Settings::*member) {
  return with(member, [member](Settings& settings, std::string_view value) {
    double number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc() || end != value.data() + value.size() || !(number > 0) || number > 1000)
      return std::string("a number above 0, such as 0.001");
    settings.*member = number;
    return std::string();
  });
}

Form size_into(std::size_t Settings::*member, std::size_t most, std::size_t least) {
  return {[member, most, least](Settings& settings, std::string_view value) {
            const char unit = value.empty() ? ' ' : value.back();
            const std::size_t factor = std::size_t{1} << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
            if (factor > 1) value.remove_suffix(1);
            std::size_t number = 0;
            const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
            const bool whole = problem == std::errc() && end == value.data() + value.size();
            if (!whole || number < least || number > most / factor)
              return "a number of bytes up to " +
                     (most < (1 << 20) ? std::to_string(most >> 10) + "K" : std::to_string(most >> 20) + "M") +
                     ", such as " + (most < (1 << 20) ? "16K" : "500K or 25M");
            settings.*member = number * factor;
            return std::string();
          },
          [member](const Settings& settings) { return shown_size(settings.*member); }};
}

Form list_into(std::vector<std::string> Settings::*member, std::size_t least) {
  return with(member, [member, least](Settings& settings, std::string_view value) {
    std::vector<std::string> items;
    for (std::string_view item : text::split(value, ','))
      if (!text::trim(item).empty()) items.emplace_back(text::trim(item));
    if (items.size() < least) return std::string("at least one, comma-separated");
    settings.*member = std::move(items);
    return std::string();
  });
}

Form root_into(std::string Settings::*member) {
  return with(member, [member](Settings& settings, std::string_view value) {
    if (value.size() < 2 || value.front() != '/' || value.back() == '/')
      return std::string("a path such as /service.api/api");
    settings.*member = value;
    return std::string();
  });
}

Form origins_into(std::vector<std::string> Settings::*member) {
  return with(member, [member](Settings& settings, std::string_view value) {
    std::vector<std::string> origins;
    for (std::string_view item : text::split(value, ',')) {
      item = text::trim(item);
      if (item.empty()) continue;
      const auto origin = api::CrossOrigin::spelled_as_browsers_do(item);
      if (!origin)
        return text::quoted(item) + " to be an origin such as https://app.example.com: scheme, host and port, no path";
      origins.push_back(*origin);
    }
    if (origins.size() > 1 && std::find(origins.begin(), origins.end(), "*") != origins.end())
      return std::string("either * or a list of origins");
    settings.*member = std::move(origins);
    return std::string();
  });
}

Form url_into(std::string Settings::*member) {
  return with(member, [member](Settings& settings, std::string_view value) -> std::string {
    constexpr std::string_view such = "a url such as https://desk.example.com or https://example.com/desk";
    const std::size_t host = value.starts_with("https://") ? 8 : value.starts_with("http://") ? 7 : value.size();
    const bool begins = host < value.size() && value[host] != '/' && value.find_first_of("?#@\\\"'<> ") == value.npos;
    if (!begins && !value.empty()) return std::string(such);
    if (value.ends_with('/')) return std::string(such) + ", without '/' at its end";
    const std::size_t slash = value.find('/', host);
    if (slash != value.npos && !is_tidy_path(value.substr(slash)))
      return std::string(such) + ", its path of letters, digits and -._~ between single '/'";
    settings.*member = value;
    return {};
  });
}

}  // namespace callisto::app
