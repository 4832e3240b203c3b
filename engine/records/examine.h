// Examines the rules of a bound Model as a whole: which state offers which action to whom, and what is probably a
// mistake. A filter's conditions beside the record's state count as "perhaps". Pure; any thread.
#pragma once

#include "engine/records/model.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::records {

enum class Chance { Never, Perhaps, Always };

// Whether a record of `entity` in this state is offered the action, and whether a grantee ("User") may do it then.
Chance offered_in(const Model& model, const catalog::Entity& entity, const catalog::Action& action, std::int64_t state);
Chance granted_in(const Model& model, const catalog::Entity& entity, const catalog::Action& action, std::int64_t state,
                  std::string_view grantee);
// Whether it can be due then.
Chance due_in(const Model& model, const catalog::Entity& entity, const catalog::Action& action, std::int64_t state);

// Problems that stop nothing: states that nothing leads to or away from, actions that nobody is ever offered, moves
// that the states file contradicts, what would be due for ever.
std::vector<catalog::Problem> examine(const Model& model);

}  // namespace callisto::records
