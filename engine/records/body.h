// Body: what a request wants to write, checked against its record and action (API rules 4.2, 4.3, 4.5). All problems of
// a body are collected, so that one answer lists them all. Pure; any thread.
#pragma once

#include "engine/json/read.h"
#include "engine/records/record.h"
#include "engine/records/record_fields.h"
#include "engine/script/host.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::records {

// The member of a body that may hold the parameters of the action.
inline constexpr std::string_view parameters_member = "$action";

struct Input {
  Values properties;               // of the record, writable ones that were given
  script::NamedValues parameters;  // of the action
};

struct ReadBody {
  Input input;
  std::vector<PropertyError> problems;
};

// `body`: the JSON object of the request; a null node stands for an empty body. `record` is what the client's values
// are compared with; a new one has none.
// What is mandatory has to say something: an empty text does not.
bool says_something(const Value& value);

ReadBody read_body(const json::Node& body, const catalog::Action& action, const Record& record,
                   const RecordFields& fields);

// What an action demands and the input lacks.
std::vector<PropertyError> missing(const catalog::Action& action, const Input& input, const RecordFields& fields);

// What a record must have before it is written and has not, and what those who add to the action say that it needs.
std::vector<PropertyError> missing_at_the_end(const catalog::Action& action, const Record& record,
                                              const RecordFields& fields = {});
std::vector<PropertyError> lacking(const catalog::Action& action, const Record& record,
                                   const RecordFields& fields = {});  // the latter alone

Error invalid(std::vector<PropertyError> problems);  // a 400 that lists them

}  // namespace callisto::records
