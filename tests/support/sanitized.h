// Whether the program is linked with AddressSanitizer. Tests themselves are compiled without it, whatever they test, so
// that no macro tells.
#pragma once

extern "C" __attribute__((weak)) void __asan_init();

namespace callisto::test {

inline bool is_sanitized() { return __asan_init != nullptr; }

}  // namespace callisto::test
