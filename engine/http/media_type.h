// The media type of a Content-Type. Pure; any thread.
#pragma once

#include <string_view>

namespace callisto::http {

inline constexpr std::string_view form_media_type = "application/x-www-form-urlencoded";
inline constexpr std::string_view multipart_media_type = "multipart/form-data";
inline constexpr std::string_view json_media_type = "application/json";

// RFC 9110 8.3.1: "The type and subtype tokens are case-insensitive." Parameters, such as a charset, do not count.
bool has_media_type(std::string_view content_type, std::string_view media_type);

}  // namespace callisto::http
