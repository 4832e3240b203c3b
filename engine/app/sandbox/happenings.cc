#include "engine/app/sandbox/happenings.h"

#include <utility>
#include <vector>

namespace callisto::app {

namespace {

void write_member(json::Writer& writer, const RaisedEvent& raised) {
  writer.key("event").string(raised.event).key("entity").string(raised.entity).key("ref").integer(raised.key);
  if (raised.person) writer.key("person").integer(*raised.person);
}

void write_member(json::Writer& writer, const SentRequest& request) {
  writer.key("delivery").integer(request.delivery).key("url").string(request.url);
  writer.key("status").integer(request.status);
}

// What a refused change raised was never raised.
class Listener final : public events::Sink {
 public:
  explicit Listener(Happenings& happenings) : happenings_(happenings) {}
  Result<void> emit(const events::Event& event) override {
    raised_.emplace_back(event.time, RaisedEvent{event.name, event.entity->name, event.key, event.person});
    return {};
  }
  void committed() override {
    for (auto& [date, event] : raised_) happenings_.add(date, std::move(event));
  }

 private:
  Happenings& happenings_;
  std::vector<std::pair<DateTime, RaisedEvent>> raised_;
};

}  // namespace

void Happenings::add(Happening happening) {
  kept_.push_back(std::move(happening));
  if (kept_.size() <= most) return;
  kept_.pop_front();
  ++left_out_;
}

std::unique_ptr<events::Sink> Happenings::listener() { return std::make_unique<Listener>(*this); }

void Happenings::write(json::Writer& writer) const {
  writer.key("happened").begin_array();
  for (const Happening& each : kept_) {
    writer.begin_object().key("date").string(to_iso8601(each.date));
    std::visit([&writer](const auto& what) { write_member(writer, what); }, each.what);
    writer.end_object();
  }
  writer.end_array().key("leftOut").integer(left_out_);
}

}  // namespace callisto::app
