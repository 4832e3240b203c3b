// Metadata as JSON text (API rules 3.2, 3), written only from the catalog: the engine describes itself by the same
// objects that it runs on. Texts are made once and shared. Any thread.
#pragma once

#include "engine/api/answers/property_view.h"
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
#include <utility>
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

  // As the session sees it: made once for all that see every property, else for each kind of session.
  std::shared_ptr<const CachedText> entity(const catalog::Entity& entity, const PropertyView& view) const;
  std::shared_ptr<const CachedText> openapi(const PropertyView& view) const;  // made when it is first asked for

  // The entity's as one record has it: only the actions that it offers, templates filled in (API rule 3.2).
  static std::string instance(const records::Record& record, const std::vector<const catalog::Action*>& actions,
                              std::string_view version, const PropertyView& view);

 private:
  using Key = std::pair<std::size_t, const catalog::Entity*>;  // AccessRules::Limits::number; null: openapi.json
  std::shared_ptr<const CachedText> kept(Key key, const std::function<std::string()>& make) const;

  static constexpr std::size_t most_kept = 500;  // texts of sessions that do not see everything

  const catalog::Catalog& catalog_;
  const OpenApiOptions options_;
  std::map<const catalog::Entity*, std::shared_ptr<const CachedText>> entities_;
  mutable std::once_flag openapi_made_;
  mutable std::shared_ptr<const CachedText> openapi_;
  mutable std::mutex mutex_;
  mutable std::map<Key, std::shared_ptr<const CachedText>> kept_;
};

}  // namespace callisto::api
