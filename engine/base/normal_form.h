// Normalization Form C of Unicode (UAX 15): keyboards and systems write the same letter as one character or as several.
// Pure; any thread. ICU stays inside normal_form.cc.
#pragma once

#include <string>
#include <string_view>

namespace callisto::text {

// `text` as it is where it is no UTF-8.
std::string nfc(std::string_view text);
// Without the blanks of Unicode (White_Space) and the characters without width that phones and copies leave around it.
std::string_view trim_blanks(std::string_view text);

}  // namespace callisto::text
