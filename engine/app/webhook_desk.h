// What webhooks ask of the desk, answered by records and their rendering.
#pragma once

#include "engine/api/record_text.h"
#include "engine/records/model.h"
#include "webhooks/desk.h"

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

// For one transaction; both outlive it.
std::unique_ptr<webhooks::Desk> make_webhook_desk(WebhookRenderer& renderer, storage::Connection& connection);

}  // namespace callisto::app
