// Checks a webhook that is saved, beyond what its entity says, and reports every problem at once. In the transaction
// that saves it; only its words at any time.
#pragma once

#include "engine/base/sealer.h"
#include "engine/events/sink.h"
#include "webhooks/address_policy.h"
#include "webhooks/record_source.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::webhooks {

// What a webhook asks for in words of the entities and scripts, which a reload may take away.
struct Words {
  std::string core_type, entity_type, select, filter;
};
// What of it is no such word, by property; every problem at once.
std::vector<PropertyError> check_words(const Words& words, RecordSource& source);

// 400 that lists the problems by property.
Result<void> validate(const events::Event& event, RecordSource& source, const AddressPolicy& policy,
                      const Sealer& sealer);

// Of the record that an event is about; empty, 0: it has none.
std::string text_of(const events::Event& event, std::string_view property);
std::int64_t number_of(const events::Event& event, std::string_view property);

}  // namespace callisto::webhooks
