// The forms that values of settings have: how each is read from a text, and how it is shown. Pure; any thread.
#pragma once

#include "engine/app/opening/settings.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::app {

struct Form {
  // Answers what was expected when the value does not fit, else nothing.
  std::function<std::string(Settings&, std::string_view)> assign;
  std::function<SettingValue(const Settings&)> shown;
};

Form text_into(std::string Settings::*member);
Form choice_into(std::string Settings::*member, std::vector<std::string_view> choices);
Form number_into(int Settings::*member, int least, int most = std::numeric_limits<int>::max());
Form flag_into(bool Settings::*member);
Form scale_into(double Settings::*member);
// Bytes, or with K, M or G.
Form size_into(std::size_t Settings::*member, std::size_t most = std::size_t{1} << 30, std::size_t least = 1);
Form list_into(std::vector<std::string> Settings::*member, std::size_t least = 1);
// A url prefix: begins with '/', does not end with one.
Form root_into(std::string Settings::*member);
// As browsers write them in the header Origin, each the whole of one; or '*' alone.
Form origins_into(std::vector<std::string> Settings::*member);
// Scheme and host, perhaps a path; does not end with '/'. Empty: none.
Form url_into(std::string Settings::*member);

}  // namespace callisto::app
