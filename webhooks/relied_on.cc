#include "webhooks/relied_on.h"

namespace callisto::webhooks {

const std::vector<catalog::ReliedOn>& relied_on() {
  using catalog::DataType;
  constexpr std::string_view purpose = "telling of events";
  static const std::vector<catalog::ReliedOn> list{
      {"webhook",
       purpose,
       DataType::Text,
       {"Name", "PayloadUrl", "Secret", "PreviousSecret", "CoreEntityType", "EntityType", "Events",
        "IndividualTriggers", "PayloadSelect", "PayloadFilter", "AttachmentNameFilter", "Status"}},
      {"webhook", purpose, DataType::Boolean, {"Active", "Ordered"}},
      {"webhook", purpose, DataType::Integer, {"AttachmentSizeLimit", "AttachmentCountLimit"}},
      {"webhook", purpose, DataType::Lookup, {"ExcludedClient", "Owner"}},
      {"webhook", purpose, DataType::DateTime, {"PreviousSecretUntil", "LastDeliveryDate"}},
      {"webhook-delivery",
       purpose,
       DataType::Text,
       {"MessageId", "Event", "CoreEntityType", "EntityType", "Status", "Error", "TraceParent", "TraceState"}},
      {"webhook-delivery", purpose, DataType::Lookup, {"Webhook", "RedeliveryOf"}},
      {"webhook-delivery",
       purpose,
       DataType::Integer,
       {"EntityRef", "Attempts", "ResponseCode", "DurationMs", "Hops", "BodyRef"}},
      {"webhook-delivery", purpose, DataType::Boolean, {"Redelivery"}},
      {"webhook-delivery", purpose, DataType::DateTime, {"FirstAttempt", "LastAttempt", "NextAttempt", "Deadline"}},
      {"webhook-log", purpose, DataType::Lookup, {"Webhook", "Delivery"}},
      {"webhook-log", purpose, DataType::DateTime, {"Date"}},
      {"webhook-log", purpose, DataType::Text, {"Included", "Excluded"}},
  };
  return list;
}

}  // namespace callisto::webhooks
