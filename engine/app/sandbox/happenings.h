// Happenings: what a sandbox did, the newest at the end: events of records, and requests to receivers. So many are
// kept; older ones go, and are counted. One thread at a time.
#pragma once

#include "engine/app/sandbox/answering_transport.h"
#include "engine/base/datetime.h"
#include "engine/events/sink.h"
#include "engine/json/write.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace callisto::app {

struct RaisedEvent {
  std::string event, entity;
  std::int64_t key = 0;
  std::optional<std::int64_t> person;  // who did it; nothing: the desk by itself
};

class Happenings {
 public:
  static constexpr std::size_t most = 1000;

  void add(DateTime date, RaisedEvent event) { add({date, std::move(event)}); }
  void add(DateTime date, SentRequest request) { add({date, std::move(request)}); }
  // What a transaction raises, once it is committed. It outlives the listener.
  std::unique_ptr<events::Sink> listener();
  void write(json::Writer& writer) const;  // members of the object that is open

 private:
  struct Happening {
    DateTime date;
    std::variant<RaisedEvent, SentRequest> what;
  };
  void add(Happening happening);

  std::deque<Happening> kept_;
  std::int64_t left_out_ = 0;
};

}  // namespace callisto::app
