#include "engine/oidc/directory.h"

#include "engine/base/text.h"
#include "engine/oidc/refusal.h"

namespace callisto::oidc {

namespace {

constexpr std::int64_t kKeptMs = 3'600'000;
constexpr std::int64_t kUnknownKeyPauseMs = 60'000;
constexpr std::int64_t kFailurePauseMs = 5'000;

}  // namespace

Directory::Directory(std::string issuer, const Clock& clock, Fetcher& fetcher)
    : issuer_(std::move(issuer)), clock_(clock), fetcher_(fetcher) {}

template <typename T, typename Load>
Result<void> Directory::refresh(Kept<T>& kept, const Load& load) {
  Result<T> loaded = load();
  kept.asked_at = clock_.steady_ms();  // after the fetch: those who waited for it find a failure that is fresh
  if (!loaded) {
    kept.failure = loaded.error();
    return std::move(loaded).error();
  }
  kept.failure.reset();
  kept.value = *std::move(loaded);
  kept.fetched_at = kept.asked_at;
  return {};
}

template <typename T, typename Load>
Result<void> Directory::refresh_if_old(Kept<T>& kept, const Load& load) {
  const std::int64_t now = clock_.steady_ms();
  if (kept.value && now - kept.fetched_at < kKeptMs) return {};
  if (kept.failure && now - kept.asked_at < kFailurePauseMs) return *kept.failure;
  return refresh(kept, load);
}

Result<void> Directory::refresh_metadata() {
  return refresh_if_old(metadata_, [this]() -> Result<Metadata> {
    CALLISTO_TRY(const std::string document, fetch_json(fetcher_, metadata_url(issuer_), "The discovery document"));
    return read_metadata(document, issuer_);
  });
}

Result<Metadata> Directory::metadata() {
  const std::lock_guard lock(mutex_);
  CALLISTO_CHECK(refresh_metadata());
  return *metadata_.value;
}

Result<Key> Directory::key(const std::string& id, Algorithm algorithm) {
  const std::lock_guard lock(mutex_);
  CALLISTO_CHECK(refresh_metadata());
  const auto load = [this]() -> Result<KeySet> {
    CALLISTO_TRY(const std::string document, fetch_json(fetcher_, metadata_.value->jwks_uri, "The provider's key set"));
    return read_keys(document);
  };
  CALLISTO_CHECK(refresh_if_old(keys_, load));
  const Key* found = find_key(*keys_.value, id, algorithm);
  if (!found && clock_.steady_ms() - keys_.asked_at >= kUnknownKeyPauseMs) {
    CALLISTO_CHECK(refresh(keys_, load));
    found = find_key(*keys_.value, id, algorithm);
  }
  if (found) return *found;
  return not_accepted("The provider publishes no " + std::string(name(algorithm)) + " key " + text::quoted(id) +
                      "; it must publish a key before signing with it");
}

}  // namespace callisto::oidc
