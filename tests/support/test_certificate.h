// A certificate for 127.0.0.1 and localhost that signs itself, in PEM with its key behind it. Never for anything but
// tests. Any thread.
#pragma once

#include <string>

namespace callisto::test {

std::string make_certificate();
std::string without_key(const std::string& certificate);

}  // namespace callisto::test
