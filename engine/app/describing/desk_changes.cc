#include "engine/app/describing/desk_changes.h"

#include "engine/app/describing/catalog_changes.h"
#include "engine/app/describing/description.h"
#include "engine/app/opening/load.h"
#include "engine/app/serving/webhook_words.h"

#include <utility>

namespace callisto::app {

Result<DeskChanges> changes_on_disk(const Settings& settings, const std::string& running, const Clock& clock,
                                    Random& random) {
  CALLISTO_TRY(Checked checked, check_desk(settings, clock, random));
  DeskChanges changes;
  changes.findings = std::move(checked.findings);
  changes.loads = checked.model != nullptr;
  if (!checked.model) return changes;
  const records::Model& model = *checked.model;
  CALLISTO_TRY(const auto plan, plan_schema(settings, model));
  changes.refused = plan.problems;
  CALLISTO_TRY(const auto before, read_description(running));
  CALLISTO_TRY(const auto after, read_description(description_json(*model.program)));
  changes.changes = catalog_changes(before, after);
  if (!changes.refused.empty()) return changes;
  CALLISTO_TRY(const BrokenWebhooks broken, broken_webhooks(settings, model));
  changes.refused = tell_broken(broken, {});
  CALLISTO_TRY(changes.effects, effects_on_data(settings, model, clock, random));
  return changes;
}

}  // namespace callisto::app
