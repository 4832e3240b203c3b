// Converts Values to Lua and back, and never rounds silently. Call inside LuaState::run only.
#pragma once

#include "engine/base/value.h"
#include "engine/catalog/catalog.h"

#include <optional>
#include <string>

struct lua_State;

namespace callisto::script {

// Null is nil. Whole numbers up to 2^53 are numbers, greater ones exact values (exact.h).
void push_value(lua_State* lua, const Value& value);

// What the value is by itself: nil and `null`, Booleans, whole and other numbers, texts, exact values. Nothing for
// tables, functions and the like.
std::optional<Value> to_value(lua_State* lua, int index);

// As the alternative of Value that `type` has, or null; nothing where it is something else, out of range or no UTF-8.
std::optional<Value> to_value(lua_State* lua, int index, catalog::DataType type);

// For a property: of its type, a Decimal with its digits after the point; nothing where it does not fit exactly.
std::optional<Value> to_value(lua_State* lua, int index, const catalog::Property& property);
std::optional<Decimal> rescaled(Decimal value, int scale);  // nothing where that would lose digits or overflow

std::string describe(lua_State* lua, int index);  // for messages: "the text 'abc'", "a table"

}  // namespace callisto::script
