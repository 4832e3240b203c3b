// Which properties of a record a desk's code may set, however free it is otherwise. Pure; any thread.
#pragma once

#include "engine/records/record.h"

#include <string>

namespace callisto::records {

// Why not; empty: it may. For a state: "call has no state 77; its states are New (0), Open (1)".
std::string unknown_state(const catalog::Entity& entity, const catalog::Property& property, const Value& value);
// Of the code that runs with an action: a state that the action does not say it moves to, and the record had not. Null:
// the record is in no action, so that another record's code cannot move it.
std::string not_moved(const Record& record, const catalog::Action* action, const catalog::Property& property,
                      const Value& value);
std::string not_settable(const Record& record, const catalog::Property& property, const Value& value);

}  // namespace callisto::records
