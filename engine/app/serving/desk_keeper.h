// DeskKeeper: what a running server tells of itself (API rules 3.10 to 3.15). It looks at the figures of the process
// every ten seconds, reads the audit log from its end, compares the files on disk with what runs, runs their specs, and
// asks the main thread to reload as `callisto reload` does. Any thread.
#pragma once

#include "engine/api/traffic.h"
#include "engine/app/serving/generation.h"
#include "engine/app/serving/health_history.h"
#include "engine/app/serving/reload.h"
#include "engine/auth/reader.h"
#include "engine/base/datetime.h"
#include "engine/json/write.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace callisto::app {

struct AuditQuestion {
  std::string event;  // empty: any
  std::optional<std::int64_t> person;
  std::optional<DateTime> since;
  std::optional<std::int64_t> after;  // where the page before ended; nothing: from the newest on
  std::size_t top = 50;
};

class DeskKeeper {
 public:
  static constexpr std::chrono::seconds pause{10};

  // References outlive it.
  static Result<std::unique_ptr<DeskKeeper>> create(const Runtime& runtime, const api::Traffic& traffic,
                                                    Reload& reload);
  void look();                    // each `pause`
  void stop() { stops_ = true; }  // specs that run end soon

  Result<void> tell_health(json::Writer& writer);
  // The newest first. Answers where the next page begins; nothing: there is none.
  Result<std::optional<std::int64_t>> tell_audit(const AuditQuestion& question, json::Writer& writer);
  // From memory: no name that a request brings reaches a disk. Without one: the names that there are.
  Result<void> tell_source(const std::string& file, json::Writer& writer);
  Result<void> tell_changes(json::Writer& writer);
  Result<void> tell_specs(json::Writer& writer);   // runs them
  Result<void> tell_reload(json::Writer& writer);  // the last one
  // Returns before it is done; tell_reload() has the outcome. `forced`: although webhooks lose words.
  Result<void> reload(bool forced);

 private:
  DeskKeeper(const Runtime& runtime, const api::Traffic& traffic, Reload& reload,
             std::unique_ptr<storage::Connection> reader);
  HealthFigure now(const api::Traffic::Totals& totals);
  Result<std::unique_lock<std::mutex>> take_loading();

  const Runtime& runtime_;
  const DateTime started_;
  auth::Reader reader_;
  const api::Traffic& traffic_;
  Reload& reload_;
  HealthHistory history_;
  std::atomic<bool> stops_ = false;
  std::mutex loading_;  // one request at a time loads everything
};

}  // namespace callisto::app
