#pragma once

#include <string>

/// Where this checkout and its build lie. Compiled once, from paths.cc: a path in the flags of every test would keep
/// the compilers' cache from serving another checkout. Any thread.
namespace callisto::test {

/// The checkout's folder: absolute, no slash at its end.
const std::string& source_folder();

/// The server that was built with these tests: absolute. The API's scenarios may be told of another one
/// (server_process.h).
const std::string& built_program();

}  // namespace callisto::test
