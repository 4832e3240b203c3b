// The text of `$expand` (API rule 2.18): which lists below a record an answer holds, and what each is asked for. Pure;
// any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/catalog/catalog.h"
#include "engine/records/access.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

struct Expansion {
  const catalog::SubResource* list = nullptr;
  std::string raw_query;  // of the list's own url
};

// "history($select=Date,Analyst.Name;$top=30),attachment"; `*` is every list that the session may read. 400 for what is
// no list of the entity or has another form, 403 for a list that the session may not read. What the options of a list
// mean is told where it is read.
Result<std::vector<Expansion>> parse_expand(std::string_view text, const catalog::Entity& entity,
                                            const records::AccessRules::Limits& access);

}  // namespace callisto::api
