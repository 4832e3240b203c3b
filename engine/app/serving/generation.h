// Generation: everything that is made from one state of entities and scripts. A reload makes the next one beside it;
// this one lives until its last request is done.
#pragma once

#include "engine/api/api.h"
#include "engine/app/opening/settings.h"
#include "engine/app/serving/listeners.h"
#include "engine/app/serving/webhook_records.h"
#include "engine/app/serving/webhooks.h"
#include "engine/audit/log.h"
#include "engine/base/sealer.h"
#include "engine/records/due_actions.h"
#include "engine/records/due_figures.h"
#include "engine/records/substring_indexer.h"
#include "engine/storage/upkeep.h"

#include <memory>
#include <string>
#include <vector>

namespace callisto::app {

// What stays whatever is loaded; all of it outlives the generations.
struct Runtime {
  const Settings& settings;
  storage::Database& database;
  auth::Service& auth;
  audit::Log& audit_log;
  const Sealer& sealer;
  Webhooks& webhooks;
  script::ScriptObserver& watch;
  records::DueFigures& due;
  const Clock& clock;
  Random& random;
  OtherListener listener = {};
};

class Generation {
 public:
  static Result<std::shared_ptr<Generation>> create(const Runtime& runtime, const api::Options& options,
                                                    std::shared_ptr<const records::Model> model);

  const records::Model& model() const { return *model_; }
  records::Writer& writer() { return *writer_; }
  const records::Slots& slots() const { return served_->slots; }
  const records::SpareSlots& spare_slots() const { return *served_->spare_slots; }
  records::Slots& slots() { return served_->slots; }
  // Keeps the generation.
  static std::shared_ptr<api::Served> served(const std::shared_ptr<Generation>& generation);
  Result<records::DueActions::Run> do_what_is_due() { return due_->run(); }
  Result<void> index_what_was_written() { return indexer_->run(); }
  Result<bool> renew_statistics() { return statistics_->run(); }

 private:
  explicit Generation(std::shared_ptr<const records::Model> model) : model_(std::move(model)) {}
  Result<void> make_writer(const Runtime& runtime, const std::string& version);

  const std::shared_ptr<const records::Model> model_;
  std::vector<std::unique_ptr<WebhookRenderer>> renderers_;  // one for each transaction at a time
  std::unique_ptr<records::Writer> writer_;
  std::unique_ptr<api::Served> served_;
  std::unique_ptr<records::DueActions> due_;
  std::unique_ptr<records::SubstringIndexer> indexer_;
  std::unique_ptr<storage::Statistics> statistics_;
};

}  // namespace callisto::app
