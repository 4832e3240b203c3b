// Reading: runs a prepared query for one session on one connection. It computes the values of augmenters and hands out
// rows one by one as the database gives them. The connection's thread; a Page must be destroyed before the connection.
#pragma once

#include "engine/auth/session.h"
#include "engine/base/result.h"
#include "engine/records/choice.h"
#include "engine/records/context.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace callisto::records {

struct Page {
  std::optional<storage::ReadTransaction> snapshot;  // rows and count of one moment; goes after the cursor
  std::unique_ptr<Row> rows;
  std::optional<std::int64_t> count;  // $inlinecount
};

// What limits a session's statements; `key` tells sessions of different limits apart.
struct SessionScope {
  query::Scope scope;
  std::string key;
};
SessionScope scope_of(const AccessRules::Limits& access, const auth::Session& session);

// The page goes before the context and what was prepared.
Result<Page> search(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent);
Result<std::int64_t> count(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent);

// The row with this key, its cursor on the row; 404 RecordNotFound when there is none or the session may not see it.
Result<Page> read(const Context& context, const Prepared& prepared, const std::vector<Value>& key);

// The values of Plan::constants for this request, and what a statement binds. An augmenter is asked once for the same
// arguments.
Result<Value> resolve_constant(const Context& context, const query::Constant& constant);
Result<std::vector<Value>> resolve_constants(const Context& context, const query::Plan& plan);
Result<std::vector<Value>> parameters(const Context& context, const query::Statement& statement,
                                      const query::Plan& plan, const std::vector<Value>& constants,
                                      const std::vector<Value>& key);

}  // namespace callisto::records
