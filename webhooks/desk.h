// Desk: what webhooks ask of the desk about the record that an event is about. Implemented where records and their
// rendering are known; one for each transaction, inside it, on its thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/events/sink.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::webhooks {

// A record as it is now, deleted or not, seen by who changed it: `@UserId` is that person (decisions.md 10.1). What is
// shown is not limited: only people with the right Integration say what a webhook is told.
struct Subject {
  const catalog::Entity* entity = nullptr;  // its final type
  std::int64_t key = 0;
  std::optional<std::int64_t> person;
};

struct Attachment {
  std::int64_t ref = 0;
  std::string name, content_type;
  std::int64_t size = 0;  // bytes
  DateTime changed;       // uploaded, or updated last
};

struct Columns {
  std::string json;               // {"_context":..., "_self":..., and what was selected}
  std::vector<std::string> html;  // names of the members, at any depth, that hold HTML
};

class Desk {
 public:
  virtual ~Desk() = default;
  virtual const catalog::Catalog& catalog() const = 0;

  // 400 that says what is wrong and where.
  virtual Result<void> check_select(const catalog::Entity& entity, std::string_view select) = 0;
  virtual Result<void> check_filter(const catalog::Entity& entity, std::string_view filter) = 0;

  virtual Result<bool> satisfies(const Subject& subject, std::string_view filter) = 0;  // an empty one: always
  virtual Result<Columns> columns(const Subject& subject, std::string_view select) = 0;

  virtual Result<std::vector<Attachment>> attachments(const Subject& subject) = 0;  // any order
  // The record that a file hangs on and the file, where an event is about one; else nothing.
  struct FileEvent {
    const catalog::Entity* entity = nullptr;
    std::int64_t key = 0;
    Attachment file;
  };
  virtual std::optional<FileEvent> file_event(const events::Event& event) = 0;
  // Nothing where the file is not, or no more, one of this record.
  virtual Result<std::optional<std::string>> content(const Subject& subject, std::int64_t attachment) = 0;
};

}  // namespace callisto::webhooks
