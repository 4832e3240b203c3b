// Preview: what a webhook would get for an event of a record, without sending or storing anything. On a connection that
// only reads.
#pragma once

#include "engine/base/result.h"
#include "engine/storage/database.h"
#include "webhooks/exchange.h"
#include "webhooks/record_source.h"

#include <cstdint>
#include <optional>
#include <string>

namespace callisto::webhooks {

struct PreviewRequest {
  std::int64_t webhook = 0;
  std::string entity;  // of the record
  std::int64_t key = 0;
  std::string event;
  std::optional<std::int64_t> person;  // who is taken to have made the change
  DateTime now;
  bool include_attachments = false;
};

// By the eyes of the webhook's owner, and of whoever the desk has looking through them. A JSON object: Matches, Reason
// where not, Url, Headers, Body (as text, byte for byte), Attachments and Curl. 400 where the record or the event's
// form is wrong, 404 where the webhook is not there.
Result<std::string> preview(const PreviewRequest& request, const RequestMaker& maker, storage::Connection& connection,
                            RecordSource& source);

}  // namespace callisto::webhooks
