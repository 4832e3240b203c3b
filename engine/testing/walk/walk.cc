#include "engine/testing/walk/walk.h"

#include "engine/base/percent.h"
#include "engine/testing/data_json.h"
#include "engine/testing/walk/walk_inputs.h"

#include <algorithm>

namespace callisto::testing {

namespace {

namespace system = catalog::system;

// What every change changes, whatever it was.
bool is_volatile(const catalog::Property& property) {
  return property.name == system::updated_date || property.name == system::updated_by ||
         property.name == system::version || property.name == system::last_history_order;
}

void append(std::string& text, const Value& value) {
  const auto put = [&](const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_same_v<Part, std::string>) text += part;
    else if constexpr (std::is_same_v<Part, Binary>) text += part.bytes;
    else if constexpr (std::is_same_v<Part, DateTime>) text += std::to_string(part.ms);
    else if constexpr (std::is_same_v<Part, Decimal>) text += std::to_string(part.digits);
    else if constexpr (!std::is_same_v<Part, Null>) text += std::to_string(part);
  };
  std::visit(put, value);
  text += '\0';
}

std::string look_of(const records::Record& record) {
  std::string look;
  for (const catalog::Property* property : record.entity().properties)
    if (!property->mirror_of && !is_volatile(*property)) append(look, record.get(*property));
  return look;
}

std::string step_of(const std::string& action, const script::Data& body) {
  return body.members.empty() ? action : action + " " + to_json(body);
}

}  // namespace

// Short ways are looked for first, so that the one which is told is the shortest.
Result<std::optional<std::vector<std::string>>> Walk::find(const Key& record) {
  CALLISTO_TRY(const bool is_there_already, is_there(record));
  if (is_there_already) return bad_format("it is already in that state");
  for (std::size_t depth = 1; depth <= options_.depth; ++depth) {
    seen_.clear();
    is_cut_off_ = false;
    CALLISTO_TRY(const bool found, look(record, depth));
    if (found) return std::optional(path_);
    if (!is_cut_off_) break;
  }
  return std::optional<std::vector<std::string>>();
}

Result<bool> Walk::look(const Key& record, std::size_t left) {
  CALLISTO_TRY(const auto now, desk_.load(record));
  if (!now) return false;
  const auto [known, is_new] = seen_.emplace(look_of(*now), left);
  if (!is_new && known->second >= left) return false;
  known->second = left;
  if (left == 0) is_cut_off_ = true;
  if (left == 0) return false;
  for (const std::size_t session : options_.sessions) {
    CALLISTO_TRY(const auto actions, desk_.offered(session, *record.entity, record.key));
    for (const std::string& name : actions) {
      if (options_.without.count(name) != 0) continue;
      CALLISTO_TRY(const auto bodies, walk_inputs(desk_, session, now->entity(), *now->entity().find_action(name)));
      for (const script::Data& body : bodies) {
        CALLISTO_TRY(const bool found, attempt(record, session, name, body, left));
        if (found) return true;
      }
    }
  }
  return false;
}

Result<bool> Walk::attempt(const Key& record, std::size_t session, const std::string& action, const script::Data& body,
                           std::size_t left) {
  if (++tries_ > most_tries)
    return bad_format("the walk has tried " + std::to_string(most_tries) +
                      " actions and has not ended: give it a smaller depth, or leave actions out by 'without'");
  return desk_.undone([&]() -> Result<bool> {
    const auto done = desk_.act(session, *record.entity, record.key, action, body);
    if (!done && done.error().is_of_server()) return done.error();
    if (!done) return false;
    path_.push_back(step_of(action, body));
    CALLISTO_TRY(bool found, is_there(record));
    if (!found) { CALLISTO_TRY(found, look(record, left - 1)); }
    if (!found) path_.pop_back();
    return found;
  });
}

Result<bool> Walk::is_there(const Key& record) {
  CALLISTO_TRY(const auto now, desk_.load(record));
  if (!now || !now->entity().states) return false;
  const Value state = now->get(*now->entity().states->property);
  const auto is_it = [&](std::int64_t target) { return state == Value(target); };
  if (!std::any_of(options_.targets.begin(), options_.targets.end(), is_it)) return false;
  return options_.where.empty() ? Result<bool>(true) : desk_.satisfies(*now, options_.where);
}

}  // namespace callisto::testing
