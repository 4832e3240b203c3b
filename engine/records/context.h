// Context: who asks, and what a request works with. One per request; what it refers to must outlive it. The
// connection's thread.
#pragma once

#include "engine/auth/session.h"
#include "engine/events/sink.h"
#include "engine/records/model.h"
#include "engine/script/state.h"
#include "engine/storage/database.h"

#include <memory>
#include <optional>
#include <vector>

namespace callisto::records {

class RecordCache;

// What an augmenter answered to these arguments.
struct Known {
  const catalog::Augmenter* augmenter;
  std::vector<Value> arguments;
  Value value;
};

// Who asks, and what the request works with: a slot's connection and scripts, or the writer's connection.
struct Context {
  const Model& model;
  const auth::Session& session;
  storage::Connection& connection;
  script::State& scripts;
  events::Cause cause = {};
  const AccessRules::Limits& access = model.access.of(model, session);
  // What is asked of the session at most once for each request.
  mutable std::unique_ptr<const script::SessionFacts> facts = nullptr;  // see session_facts.h
  mutable std::vector<Known> known = {};
  // Requires: nothing was read by this connection's open transaction before, lest old rows are kept as new ones.
  std::optional<storage::Commits> facts_state =
      model.caches ? model.facts.state(connection) : std::optional<storage::Commits>();
  RecordCache* kept = nullptr;  // of the one who writes
};

}  // namespace callisto::records
