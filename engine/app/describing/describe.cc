// callisto describe and openapi: what entities and scripts say together.
#include "engine/api/openapi.h"
#include "engine/app/commands.h"
#include "engine/app/describing/description.h"
#include "engine/app/opening/load.h"
#include "engine/app/version.h"
#include "engine/base/text.h"

#include <cstdio>

namespace callisto::app {

int describe(const Settings& settings, const DescribeOptions& options) {
  SystemRandom random;
  const auto model = load_model(settings, SystemClock(), random);
  if (!model) return 1;
  const script::Program& program = *model->program;
  if (options.entity.empty()) {
    std::printf("%s\n", options.json ? description_json(program).c_str() : description_text(program).c_str());
    return 0;
  }
  const catalog::Entity* entity = model->catalog().find(options.entity);
  if (!entity) {
    const std::string nearest = text::nearest(options.entity, model->catalog().entity_names());
    std::fprintf(stderr, "callisto: there is no entity %s; %s\n", text::quoted(options.entity).c_str(),
                 nearest.empty() ? "'callisto describe' lists them" : ("did you mean '" + nearest + "'?").c_str());
    return 2;
  }
  std::printf("%s\n",
              options.json ? description_json(program, *entity).c_str() : description_text(program, *entity).c_str());
  return 0;
}

int openapi(const Settings& settings, const OpenApiChoice& choice) {
  SystemRandom random;
  const auto model = load_model(settings, SystemClock(), random);
  if (!model) return 1;
  const api::OpenApiOptions options{settings.base_url, settings.api_root, settings.oauth_root,
                                    settings.api_versions.front(), version()};
  std::string document = api::openapi(model->catalog(), options);
  if (choice.version == "3.0") {
    auto older = api::as_openapi_30(document);
    if (!older) return std::fprintf(stderr, "callisto: %s\n", older.error().message.c_str()), 1;
    document = *std::move(older);
  }
  std::printf("%s\n", document.c_str());
  return 0;
}

}  // namespace callisto::app
