#include "engine/app/commands.h"
#include "engine/app/load.h"

#include <cstdio>

namespace callisto::app {

int check(const Settings& settings) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  std::size_t actions = 0, augmenters = 0;
  for (const auto& entity : model->catalog().entities()) {
    actions += entity->actions.size();
    augmenters += entity->augmenters.size();
  }
  std::printf("%zu entities, %zu actions and %zu augmenters on them: no problem found\n",
              model->catalog().entities().size(), actions, augmenters);
  return 0;
}

}  // namespace callisto::app
