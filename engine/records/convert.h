// Foreign values -> Values of a property's type, with every check of API rule 4.3. An error's message says what was
// expected; the caller adds the property's name. Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/json/read.h"

#include <string>
#include <string_view>

namespace callisto::records {

// JSON as a body carries it. A lookup may be a key, a numeric string, or an object with Ref or _self: a link as answers
// carry it, to the lookup's target or to what that extends or is extended by.
Result<Value> from_json(const catalog::Property& property, const json::Node& node);

// The same rules for a value that is text already (a CSV field, a JSON number's digits). Empty text is empty text.
Result<Value> from_text(const catalog::Property& property, std::string_view text);

// A script's value, which may be of a neighbouring type: a whole number for a Double or Decimal, a text for a DateTime.
Result<Value> coerced(const catalog::Property& property, Value value);

}  // namespace callisto::records
