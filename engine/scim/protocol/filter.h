// Filters of RFC 7644 3.4.2.2: parsed, and put into the words of the desk's own queries. Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/json/read.h"
#include "engine/scim/mapping.h"
#include "engine/script/host.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::scim {

// name.familyName, urn:...:User:department, emails[type eq "work"].value
struct Term {
  enum class Kind { And, Or, Not, Compare, Present, Within };  // Within: an attribute with a filter in brackets
  Kind kind = Kind::Compare;
  std::string path;            // with its sub-attribute, without its brackets
  std::string op;              // "eq", in lower case
  json::Node value;            // what is compared with
  std::vector<Term> children;  // of And, Or; one of Not and Within
};

// 400 invalidFilter, with the column.
Result<Term> parse_filter(std::string_view text);

// Without what cannot be mapped: 400 invalidFilter. Values are bound, never part of the text.
Result<script::Host::Query> query_of(const Resource& resource, const Term& term);

}  // namespace callisto::scim
