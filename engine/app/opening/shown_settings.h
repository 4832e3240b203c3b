// `callisto settings`: each setting as it counts, and where it came from. Secrets are masked. Pure; any thread.
#pragma once

#include "engine/app/opening/given_settings.h"

#include <string>
#include <string_view>

namespace callisto::app {

// Not empty, and of a url: with a password.
bool holds_secret(const Settings& settings, std::string_view name);

// A settings file that says the same, a line each, with the place behind it. Secrets stand in comments.
std::string settings_as_lua(const GivenSettings& given);
// An array of objects: name, value, source, place, meaning, and masked where the value is not the whole one.
std::string settings_as_json(const GivenSettings& given);

}  // namespace callisto::app
