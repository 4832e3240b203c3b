// The path below which a proxy publishes this server: "/desk" of https://x.example/desk. Pure; any thread.
#pragma once

#include "engine/http/message.h"

#include <initializer_list>
#include <string_view>

namespace callisto::http {

// Of a url; empty where it has none.
std::string_view path_of_url(std::string_view url);

// Takes `base` off the request's path where the proxy has left it there. A path that lies below one of `own` is the
// server's as it is, even where `base` begins alike.
void take_base_path(Request& request, std::string_view base, std::initializer_list<std::string_view> own);

}  // namespace callisto::http
