#include "engine/script/host.h"

#include <utility>

namespace callisto::script {

namespace {

constexpr const char* type = "ScriptMistake";

}  // namespace

Error mistake(std::string what) {
  Error error = internal(std::move(what));
  error.type = type;
  return error;
}

bool is_mistake(const Error& error) { return error.type == type; }

}  // namespace callisto::script
