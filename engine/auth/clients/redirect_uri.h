// Which redirect URIs a client's answers may go to. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace callisto::auth {

// Whether `uri` is one of those registered: letter for letter, but for the port of a loopback address.
bool is_registered(const std::vector<std::string>& registered, std::string_view uri);

}  // namespace callisto::auth
