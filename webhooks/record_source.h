// RecordSource: what webhooks ask the desk about an event's record. Implemented where records and their rendering are
// known; one per transaction, inside it, on its thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/events/sink.h"
#include "webhooks/body.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::webhooks {

// A record as it is now, deleted or not, by the eyes of a webhook's owner: nothing is found or shown that this person
// may not read at this moment. In a filter `@UserId` is `person`, who changed the record.
struct Subject {
  const catalog::Entity* entity = nullptr;  // its final type
  std::int64_t key = 0;
  std::optional<std::int64_t> person;
  std::optional<std::int64_t> owner = std::nullopt;
};

struct Attachment {
  std::int64_t ref = 0;
  std::string name, content_type;
  std::int64_t size = 0;  // bytes, as is told
  DateTime changed;       // uploaded, or updated last
  FileSource source = {};
  std::int64_t stored = 0;  // bytes, where they are
};

struct Columns {
  std::string json;               // {"_context":..., "_self":..., and what was selected}
  std::vector<std::string> html;  // names of the members, at any depth, that hold HTML
};

class RecordSource {
 public:
  virtual ~RecordSource() = default;
  virtual const catalog::Catalog& catalog() const = 0;

  // 400 that says what is wrong and where.
  virtual Result<void> check_select(std::optional<std::int64_t> owner, const catalog::Entity& entity,
                                    std::string_view select) = 0;
  virtual Result<void> check_filter(std::optional<std::int64_t> owner, const catalog::Entity& entity,
                                    std::string_view filter) = 0;

  // Empty: this person may own a webhook. Else why nothing is told by its eyes, for people.
  virtual Result<std::string> why_silent(std::optional<std::int64_t> owner) = 0;

  // False as well where the owner does not see the record; an empty filter asks that alone.
  virtual Result<bool> satisfies(const Subject& subject, std::string_view filter) = 0;
  // 404 where the owner does not see it.
  virtual Result<Columns> columns(const Subject& subject, std::string_view select) = 0;

  virtual Result<std::vector<Attachment>> attachments(const Subject& subject) = 0;  // that the owner sees, in any order
  virtual Result<bool> sees_file(const Subject& subject, std::int64_t attachment) = 0;  // a deleted one too
  // The record that a file hangs on and the file, where an event is about one; else nothing.
  struct FileEvent {
    const catalog::Entity* entity = nullptr;
    std::int64_t key = 0;
    Attachment file;
  };
  virtual std::optional<FileEvent> file_event(const events::Event& event) = 0;
};

}  // namespace callisto::webhooks
