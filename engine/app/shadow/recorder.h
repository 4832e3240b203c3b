// Recorder: while DATA/recording/order.json asks for it, the server keeps a line of each request to the API that was
// signed in (recording.h). Without an order, a request costs one look at a pointer. A line that the disk does not take
// in time is dropped, and later lines say how many were: no request waits for a recording.
#pragma once

#include "engine/api/request_trace.h"
#include "engine/app/shadow/recording.h"
#include "engine/base/bounded_writer.h"
#include "engine/catalog/catalog.h"
#include "engine/http/message.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::app {

class Recorder {
 public:
  // `data`: the data folder; `roots`: what the paths of the API begin with, "/service.api/api/v1/". The clock outlives
  // it.
  Recorder(const std::string& data, std::vector<std::string> roots, const Clock& clock)
      : folder_(data + recording::folder), roots_(std::move(roots)), clock_(clock) {}
  ~Recorder();

  // Begins and ends recordings as the order says; `catalog`: of what is served now. One thread, again and again.
  void look(const catalog::Catalog& catalog);

  using Next = std::function<void(http::Request&, http::Response&, api::RequestTrace&)>;
  // Serves the request by `next`, and keeps it where that is asked. Any thread.
  void handle(http::Request& request, http::Response& response, api::RequestTrace& trace, const Next& next);

 private:
  struct Running;
  class Heard;

  void begin(const RecordingOrder& order, const catalog::Catalog& catalog);
  void end(const char* why);
  // What stands behind the root in a path of the API; nothing: it is none.
  std::optional<std::string_view> below_root(std::string_view path) const;

  const std::string folder_;
  const std::vector<std::string> roots_;
  const Clock& clock_;
  std::atomic<std::shared_ptr<Running>> running_;  // null: nothing is recorded
};

}  // namespace callisto::app
