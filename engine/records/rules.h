// Rules: which actions a record offers, and to whom (offered, from, allowed of an action). A record's _actions, its
// $metadata, its $options and the server's own checks all use this one answer. Rules are bound with the Model; a
// RuleCheck belongs to one request.
#pragma once

#include "engine/records/context.h"
#include "engine/records/record.h"
#include "engine/records/record_fields.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace callisto::records {

class RuleCheck {
 public:
  explicit RuleCheck(const Context& context) : context_(context) {}

  // The record's state and `offered`.
  Result<bool> offers(const Record& record, const catalog::Action& action);
  // `offered` alone, whatever the state: what hangs on a record may be changed when the record itself no longer can.
  Result<bool> offers_in_any_state(const Record& record, const catalog::Action& action);
  // The session's rights and `allowed`.
  Result<bool> allows(const Record& record, const catalog::Action& action);
  // Whether the server does the action by itself now: `due`, and it is offered.
  Result<bool> is_due(const Record& record, const catalog::Action& action);
  // What the session may do with the record's properties: those that it does not see, and those that it does not write.
  Result<RecordFields> fields(const Record& record);
  // Both: what _actions lists, in the entity's order.
  Result<std::vector<const catalog::Action*>> actions(const Record& record);

 private:
  Result<bool> holds(const Record& record, const query::Plan& plan);
  Result<bool> holds_one(const Record& record, const query::RowLimit& limit);

  const Context& context_;
};

// API rule 2.10: the record lies in a partition that the session can access, or in an entity without that limit.
// For all that a session may see, see visible.h.
bool is_in_partitions(const auth::Session& session, const Record& record);
bool is_deleted(const Record& record);

}  // namespace callisto::records
