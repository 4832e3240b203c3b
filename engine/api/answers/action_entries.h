// Actions as clients see them: entries of `_actions` and the metadata of one action (API rules 3.1, 3.2, 3.4). Pure;
// any thread.
#pragma once

#include "engine/api/answers/property_view.h"
#include "engine/api/links.h"
#include "engine/catalog/catalog.h"
#include "engine/json/write.h"
#include "engine/records/record.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::api {

const char* method_of(const catalog::Action& action);

// Members of an `_actions` object. `id`: a key, or "{id}" where there is none.
void write_actions(json::Writer& writer, const catalog::Entity& entity,
                   const std::vector<const catalog::Action*>& actions, std::string_view id, std::string_view version);

// What a record offers, ready but for the keys.
class RecordActions {
 public:
  RecordActions(const catalog::Entity& entity, std::string_view version);

  // The members of `_actions`. `type`: a final type of the entity's hierarchy.
  void append(std::string& out, const catalog::Entity& type, const std::vector<const catalog::Action*>& offered,
              std::int64_t key) const;

 private:
  std::map<std::pair<const catalog::Entity*, const catalog::Action*>, KeyedText> texts_;
};

// Whether each of the three rules of an action holds of one record, for this session: all three, and it is offered.
struct Verdict {
  bool state = false, offered = false, allowed = false;
};

struct ActionView {
  bool with_rules = false;  // offered, allowed, due, source: for the right Administration
  std::string href = {};    // empty: that of a record of its own
  PropertyView properties = {};
  // What the action would be done with; null: no certain one.
  const records::Record* record = nullptr;
  std::optional<Verdict> verdict = {};  // of that record
};

// Members of an action: the states that it is offered in and leads to, its events; and how it is ruled, for who may
// change that.
void write_states(json::Writer& writer, const catalog::Entity& entity, const catalog::Action& action);
void write_rules(json::Writer& writer, const catalog::Action& action);

// GET {entity}/$forward?$options.
void write_action_metadata(json::Writer& writer, const catalog::Entity& entity, const catalog::Action& action,
                           std::string_view id, std::string_view version, const ActionView& view);

}  // namespace callisto::api
