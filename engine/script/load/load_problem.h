// What Lua says of a file that it cannot load, in the words of those who write such files: the line, the cause, and
// what mends it as far as that can be told. Pure; any thread.
#pragma once

#include "engine/catalog/builder.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/program.h"

#include <cstddef>
#include <string>
#include <vector>

namespace callisto::script {

inline constexpr int load_time_ms = 2000;
inline constexpr std::size_t load_memory_mib = 64;

// `nouns`: the words that the file could have begun with.
catalog::Problem problem_of(const Failure& failure, const Source& source, const std::vector<std::string>& nouns);
catalog::Problem unknown_word(catalog::Origin origin, std::string message, const std::vector<std::string>& nouns);

}  // namespace callisto::script
