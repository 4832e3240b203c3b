#include "engine/app/serving/generation.h"

#include "engine/app/opening/load.h"
#include "engine/records/schema.h"

#include <algorithm>
#include <thread>

namespace callisto::app {

namespace {

constexpr int writing_patience = 10;  // scripts that write wait for the database meanwhile

script::Budget writing_budget(const Settings& settings) {
  script::Budget budget = script_budget(settings);
  budget.time_ms *= writing_patience;
  return budget;
}

Result<std::unique_ptr<records::Slot>> make_slot(const Runtime& runtime, const records::Model& model) {
  auto slot = std::make_unique<records::Slot>();
  CALLISTO_TRY(slot->connection, runtime.database.connect_reader());
  CALLISTO_TRY(slot->scripts, script::State::create(model.program, script_budget(runtime.settings), runtime.clock,
                                                    runtime.random, &runtime.watch));
  return slot;
}

// 3 for each core, 4 at least: more of them leave too little of the processors to the one thread that writes
// (decision 0023).
Result<void> fill(records::Slots& slots, const Runtime& runtime, const records::Model& model) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < std::max(4U, 3 * cores); ++i) {
    CALLISTO_TRY(auto slot, make_slot(runtime, model));
    slots.add(std::move(slot));
  }
  return {};
}

}  // namespace

Result<void> Generation::make_writer(const Runtime& runtime, const std::string& version) {
  const script::Budget budget = writing_budget(runtime.settings);
  for (std::size_t i = 0; i < runtime.database.writers(); ++i) {
    CALLISTO_TRY(auto rendering,
                 script::State::create(model_->program, budget, runtime.clock, runtime.random, &runtime.watch));
    renderers_.push_back(std::make_unique<WebhookRenderer>(*model_, std::move(rendering), version));
    CALLISTO_TRY(auto writing,
                 script::State::create(model_->program, budget, runtime.clock, runtime.random, &runtime.watch));
    auto listeners = make_listeners(runtime.auth, runtime.audit_log, runtime.webhooks.outbox(), *renderers_.back(),
                                    runtime.listener);
    if (writer_) writer_->add(std::move(writing), std::move(listeners));
    else
      writer_ = std::make_unique<records::Writer>(
          *model_, runtime.database, std::move(writing), runtime.clock, runtime.random, std::move(listeners),
          records::SecretKeeping{&runtime.auth.secrets(), &runtime.sealer}, runtime.settings.attachment_bytes);
  }
  return {};
}

Result<std::shared_ptr<Generation>> Generation::create(const Runtime& runtime, const api::Options& options,
                                                       std::shared_ptr<const records::Model> model) {
  const std::shared_ptr<Generation> made(new Generation(std::move(model)));
  const records::Model& loaded = made->model();
  CALLISTO_CHECK(made->make_writer(runtime, options.versions.front()));
  made->served_ = std::make_unique<api::Served>(made->model_, options, *made->writer_);
  CALLISTO_CHECK(fill(made->served_->slots, runtime, loaded));
  const auto make_spare = [&runtime, &loaded] { return make_slot(runtime, loaded); };
  made->served_->spare_slots = std::make_unique<records::SpareSlots>(made->served_->slots.size() / 3, make_spare);
  CALLISTO_TRY(auto own_slot, make_slot(runtime, loaded));
  made->due_ = std::make_unique<records::DueActions>(
      loaded, *made->writer_, std::move(own_slot),
      records::DueListeners{runtime.due, &runtime.watch, runtime.clock, runtime.random});
  made->statistics_ = std::make_unique<storage::Statistics>(runtime.database, records::tables_of(loaded.catalog()));
  made->indexer_ = std::make_unique<records::SubstringIndexer>(loaded, runtime.database);
  return made;
}

std::shared_ptr<api::Served> Generation::served(const std::shared_ptr<Generation>& generation) {
  return {generation, generation->served_.get()};
}

}  // namespace callisto::app
