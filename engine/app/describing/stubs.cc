// callisto stubs: definitions for editors.
#include "engine/script/stubs.h"

#include "engine/app/commands.h"
#include "engine/app/describing/entity_stubs.h"
#include "engine/app/opening/load.h"

#include <cstdio>
#include <fstream>

namespace callisto::app {

int stubs(const Settings& settings, const StubsOptions& options) {
  SystemRandom random;
  const auto model = load_model(settings, SystemClock(), random);
  if (!model) return 1;
  const auto words = script::word_stubs();
  if (!words) {
    print_error(words.error());
    return 1;
  }
  const std::string path =
      options.output.empty() ? find_folder(settings.scripts.front()) + "/callisto.d.lua" : options.output;
  std::ofstream out(path, std::ios::binary);
  out << *words << "\n" << entity_stubs(*model->program) << std::flush;
  if (!out) {
    std::fprintf(stderr, "callisto: %s cannot be written. Choose another file with --output.\n", path.c_str());
    return 1;
  }
  std::printf("%s\n", path.c_str());
  return 0;
}

}  // namespace callisto::app
