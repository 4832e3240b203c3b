// Metadata as JSON text (API rules 3.2, 3), written from the catalog alone: what the engine runs on
// and what it says of itself are the same objects. Texts are made once and shared. Any thread.
#pragma once

#include "engine/api/openapi.h"
#include "engine/catalog/catalog.h"
#include "engine/records/record.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

struct CachedText {
  explicit CachedText(std::string text);

  std::shared_ptr<const std::string> body;
  std::string etag;  // with its quotes
};

// Of a session: what the root lists for it.
struct RootView {
  std::function<bool(const catalog::Entity&)> is_listed;
  std::optional<std::int64_t> person;  // who it is, where that record may be read
};
std::string root_text(const catalog::Catalog& catalog, std::string_view version, const RootView& view);

class Metadata {
 public:
  // Texts of every entity; `catalog` must outlive this.
  Metadata(const catalog::Catalog& catalog, OpenApiOptions options);

  const CachedText& entity(const catalog::Entity& entity) const { return entities_.at(&entity); }
  const CachedText& openapi() const;  // made when it is first asked for

  // The entity's as one record has it: only the actions that it offers, templates filled in (API rule 3.2).
  static std::string instance(const records::Record& record, const std::vector<const catalog::Action*>& actions,
                              std::string_view version);

 private:
  const catalog::Catalog& catalog_;
  const OpenApiOptions options_;
  std::map<const catalog::Entity*, CachedText> entities_;
  mutable std::once_flag openapi_made_;
  mutable std::optional<CachedText> openapi_;
};

}  // namespace callisto::api
