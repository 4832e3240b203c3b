// Any bytes as the text of an entity's file: problems or a definition, never a crash, a hang or an escape.
#include "engine/catalog/builder.h"
#include "engine/script/load/define.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callisto;
  const script::Source source{"entities/sample.lua", std::string(reinterpret_cast<const char*>(data), size)};
  script::DefinedFile file = script::define(source, script::FileKind::Entity, "sample");
  for (const catalog::Problem& problem : file.problems) catalog::to_string(problem);
  if (auto* entity = std::get_if<catalog::EntityDefinition>(&file.definition)) {
    catalog::Definitions definitions;
    definitions.entities.push_back(std::move(*entity));
    catalog::build(std::move(definitions));
  }
  return 0;
}
