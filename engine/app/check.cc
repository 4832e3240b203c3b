#include "engine/app/commands.h"
#include "engine/app/load.h"

#include <cstdio>

namespace callisto::app {

int check(const Settings& settings) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  std::size_t augmenters = 0;
  for (const auto& entity : model->catalog().entities()) augmenters += entity->augmenters.size();
  std::printf("%zu entities and %zu augmenters on them: no problem found\n", model->catalog().entities().size(),
              augmenters);
  return 0;
}

}  // namespace callisto::app
