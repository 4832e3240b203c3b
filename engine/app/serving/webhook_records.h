// What webhooks ask of the desk, answered by records and their rendering.
#pragma once

#include "engine/api/record_text.h"
#include "engine/records/model.h"
#include "webhooks/record_source.h"

#include <memory>

namespace callisto::app {

// Shared by all transactions, which come one at a time. `scripts` are its own: those of the writer may be in the middle
// of a call when an event is told.
struct WebhookRenderer {
  WebhookRenderer(const records::Model& model_, std::unique_ptr<script::State> scripts_, std::string version)
      : model(model_), scripts(std::move(scripts_)), text(model_, *scripts, std::move(version)) {}
  const records::Model& model;
  std::unique_ptr<script::State> scripts;
  api::RecordText text;
};

// What a desk works with; all of it outlives the desk.
struct WebhookEyes {
  const records::Model& model;
  script::State& scripts;
  api::RecordText& text;
  storage::Connection& connection;
  const auth::Session* viewer = nullptr;  // who looks through the owner's eyes: nothing beyond what it may see itself
};

// For one event, as of rights at that moment.
std::unique_ptr<webhooks::RecordSource> make_webhook_records(const WebhookEyes& eyes);

}  // namespace callisto::app
