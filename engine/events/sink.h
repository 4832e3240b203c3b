// Sink: a listener to changes of records. It is called inside the transaction that makes the change, so what it writes
// is committed with the change or not at all. One Sink per transaction; one thread at a time.
#pragma once

#include "engine/base/result.h"
#include "engine/base/trace_context.h"
#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/property_values.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace callisto::events {

// What outside of this server led to a change.
struct Cause {
  int hops = 0;             // how many deliveries, one by the other
  TraceContext trace = {};  // that it is part of
};

struct Event {
  std::string name;                         // as the action raises it
  const catalog::Entity* entity = nullptr;  // the record's final type
  std::int64_t key = 0;
  const catalog::Action* action = nullptr;
  std::optional<std::int64_t> history_order;  // of the row that the action wrote
  std::optional<std::int64_t> person;         // who did it
  std::string client_id = {};                 // and with which program; empty: the server itself
  Cause cause = {};
  DateTime time;
  // Alive in emit(): the record as it will be committed, so far; and what the action was given beside it.
  const catalog::PropertyValues* record = nullptr;
  const std::map<std::string, Value, std::less<>>* parameters = nullptr;
};

// Bytes that a record has stored, and that are about to be changed or removed.
struct Replaced {
  const catalog::Entity* entity = nullptr;  // its final type
  std::int64_t key = 0;
  const catalog::Property* property = nullptr;
  DateTime time;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual Result<void> emit(const Event& event) = 0;  // an error undoes the whole change
  // Before it happens: who refers to these bytes keeps them now. An error likewise.
  virtual Result<void> replacing(const Replaced&) { return {}; }
  // After the commit that holds what emit() was told, before anybody hears of it; never after a roll-back. What emit()
  // used of the transaction is gone.
  virtual void committed() {}
};

}  // namespace callisto::events
