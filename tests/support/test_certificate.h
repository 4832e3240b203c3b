// A certificate for 127.0.0.1 and localhost that signs itself, in PEM with its key behind it. Never for anything but
// tests. Any thread.
#pragma once

#include <string>

namespace callisto::test {

std::string make_certificate(const char* name = "receiver");
// The same with an RSA key of so many bits.
std::string make_rsa_certificate(unsigned bits);
// Its key alone: as it is, or encrypted.
std::string key_of(const std::string& certificate);
std::string encrypted_key_of(const std::string& certificate);
std::string without_key(const std::string& certificate);

}  // namespace callisto::test
