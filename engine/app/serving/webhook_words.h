// Webhooks that cannot deliver, and why: words that no entity or script has any more, an owner who may own no webhook.
// Only reads; the connection's thread.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/records/model.h"
#include "engine/script/state.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace callisto::app {

struct BrokenWebhook {
  std::string name;
  std::int64_t version = 0;           // its RecordVersion: whoever edits it mends it
  std::vector<std::string> problems;  // "PayloadSelect: ..."
};
using BrokenWebhooks = std::map<std::int64_t, BrokenWebhook>;  // by Ref

// What is wrong with one webhook; its owner too, where `owner_too`. Empty: nothing, or it is not there.
Result<std::vector<std::string>> problems_of(storage::Connection& connection, const records::Model& model,
                                             script::State& scripts, std::int64_t webhook, bool owner_too);
// The active ones with words that this model lacks.
Result<BrokenWebhooks> broken_webhooks(storage::Connection& connection, const records::Model& model,
                                       script::State& scripts);
// Of the desk's database, beside a server too; none where there is no database yet.
Result<BrokenWebhooks> broken_webhooks(const Settings& settings, const records::Model& model);
// A line for each problem of those that `known` has not: "webhook 3 'Pager' tells nothing: PayloadSelect: ...".
std::vector<std::string> tell_broken(const BrokenWebhooks& broken, const BrokenWebhooks& known);

}  // namespace callisto::app
