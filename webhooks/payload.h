// Payload: the body of a delivery, rendered in the transaction of its event (webhooks/README.md, "The payload"), and
// which of the record's files are in it.
#pragma once

#include "webhooks/record_source.h"
#include "webhooks/subscriptions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::webhooks {

inline constexpr std::size_t most_body_bytes = std::size_t{25} * 1024 * 1024;

struct Happening {
  std::string event;  // "Forwarded"
  Subject subject;
  std::optional<std::int64_t> history_order;
  std::optional<Attachment> file;  // of an event about a file
  bool file_is_gone = false;       // its bytes are no more
};

struct Choice {
  Attachment file;
  std::string reason;  // why it was left out; empty: it is in
};

struct Payload {
  Body body;
  std::vector<Choice> files;  // newest first; empty: there were none to choose from
};

// `all_files`: the setting webhooks.include_attachments.
Result<Payload> render_payload(RecordSource& source, const Subscription& subscription, const Happening& happening,
                               bool all_files);

// Which files go: by name filter, size and number, newest first, as long as `room` bytes of JSON last.
Result<std::vector<Choice>> choose(const Subscription& subscription, std::vector<Attachment> files, std::size_t room);

Body ping_body(std::int64_t webhook);

}  // namespace callisto::webhooks
