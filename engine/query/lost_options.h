// Finds url parameters that are no options but probably were meant as one, or as part of one: a shell ate the '$', or a
// filter's '&' was not encoded. Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/catalog/catalog.h"
#include "engine/query/fields.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::query {

// 400 with the cause for a parameter that has no name, that is called as one of `options` ("$filter") is but for its
// '$', or whose name or value can only be part of a filter. All others are nobody's concern here.
Result<void> check_foreign(std::string_view name, std::string_view value, const std::vector<std::string_view>& options);

// The same for names of a search that begin a filter of `entity`, such as State in "$filter=Ref==1&State=2". `pairs`
// are those of the url.
Result<void> check_foreign(const std::vector<std::pair<std::string, std::string>>& pairs, const catalog::Entity& entity,
                           const Fields* fields = nullptr);

// The name as it was meant: without the escapes of a second and third encoding and the "amp;" of an html page, and '$'
// for its likes of other alphabets.
std::string meant_name(std::string_view name);

}  // namespace callisto::query
