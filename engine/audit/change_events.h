// Changes of records that the audit log keeps: of clients, roles, persons, webhooks. A sink of one transaction: it
// remembers what happens to the entities it was given and notes it once the change is committed; a rolled back change
// leaves no line. The transaction's thread.
#pragma once

#include "engine/audit/event.h"
#include "engine/events/sink.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace callisto::audit {

// How the changes of one entity are noted.
struct Watched {
  Kind created, changed, deleted;
  std::vector<std::string> properties;  // told with the line, as they are afterwards; never a secret
};
using WatchedEntities = std::map<std::string, Watched>;  // by entity name; an inherited entity counts for its children

class ChangeEvents final : public events::Sink {
 public:
  // References outlive it.
  ChangeEvents(const WatchedEntities& watched, audit::Sink& log) : watched_(watched), log_(log) {}
  Result<void> emit(const events::Event& event) override;
  void committed() override;

 private:
  const WatchedEntities& watched_;
  audit::Sink& log_;
  std::vector<Event> events_;
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::size_t> places_;  // by key, entity, action
};

}  // namespace callisto::audit
