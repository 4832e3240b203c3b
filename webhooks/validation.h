// What must be true of a webhook that is saved, beyond what its entity says (decisions.md 10.1): every problem at once.
// In the transaction that saves it.
#pragma once

#include "engine/base/sealer.h"
#include "engine/events/sink.h"
#include "webhooks/address_policy.h"
#include "webhooks/desk.h"

#include <string>
#include <string_view>

namespace callisto::webhooks {

// 400 that lists the problems by property.
Result<void> validate(const events::Event& event, Desk& desk, const AddressPolicy& policy, const Sealer& sealer);

// Of the record that an event is about; empty, 0: it has none.
std::string text_of(const events::Event& event, std::string_view property);
std::int64_t number_of(const events::Event& event, std::string_view property);

}  // namespace callisto::webhooks
