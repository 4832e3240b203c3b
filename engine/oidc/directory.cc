#include "engine/oidc/directory.h"

#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/oidc/refusal.h"

namespace callisto::oidc {

namespace {

constexpr std::int64_t fresh_ms = 3'600'000;
// Keys change rarely, so an outage need not keep everybody out. Not for ever: whoever can keep this server from the
// provider must not keep a key in use that the provider has withdrawn.
constexpr std::int64_t usable_ms = 24 * fresh_ms;
constexpr std::int64_t unknown_key_pause_ms = 60'000;
constexpr std::int64_t failure_pause_ms = 5'000;

}  // namespace

Directory::Directory(std::string issuer, const Clock& clock, Fetcher& fetcher)
    : issuer_(std::move(issuer)), clock_(clock), fetcher_(fetcher) {}

// mutex_ is held.
template <typename T>
std::shared_ptr<const T> Directory::usable(const Kept<T>& kept) const {
  return clock_.steady_ms() - kept.fetched_at < usable_ms ? kept.value : nullptr;
}

// What is known already, where the provider need not or must not be asked.
template <typename T>
std::optional<Directory::Found<T>> Directory::without_asking(const Kept<T>& kept) {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = clock_.steady_ms();
  if (kept.value && now - kept.fetched_at < fresh_ms) return kept.value;
  if (!kept.failure || now - kept.asked_at >= failure_pause_ms) return std::nullopt;
  if (auto old = usable(kept)) return old;
  return *kept.failure;
}

// By whoever has the turn.
template <typename T, typename Load>
Directory::Found<T> Directory::fetch(Kept<T>& kept, const Load& load) {
  Result<T> loaded = load();
  const std::lock_guard lock(mutex_);
  kept.asked_at = clock_.steady_ms();  // after the fetch: those who waited for it find a failure that is fresh
  if (!loaded) {
    kept.failure = loaded.error();
    return std::move(loaded).error();
  }
  kept.failure.reset();
  kept.value = std::make_shared<const T>(*std::move(loaded));
  kept.fetched_at = kept.asked_at;
  return kept.value;
}

template <typename T, typename Load>
Directory::Found<T> Directory::current(Kept<T>& kept, const Load& load) {
  if (auto known = without_asking(kept)) return *std::move(known);
  const auto old = [&] {
    const std::lock_guard lock(mutex_);
    return usable(kept);
  };
  std::unique_lock turn(turn_, std::try_to_lock);
  if (!turn) {
    if (auto served = old()) return served;
    turn.lock();
  }
  if (auto known = without_asking(kept)) return *std::move(known);
  Found<T> fetched = fetch(kept, load);
  if (fetched) return fetched;
  auto served = old();
  if (!served) return fetched;
  log::warning("Sign-in by " + text::quoted(issuer_) +
               " goes on with older documents for a day at most: " + fetched.error().log_detail);
  return served;
}

// Another value than `known`, which lacks something: what somebody else has fetched meanwhile, or what comes now.
template <typename T, typename Load>
Directory::Found<T> Directory::newer(Kept<T>& kept, const std::shared_ptr<const T>& known, const Load& load) {
  const std::lock_guard turn(turn_);
  {
    const std::lock_guard lock(mutex_);
    if (kept.value != known || clock_.steady_ms() - kept.asked_at < unknown_key_pause_ms) return kept.value;
  }
  return fetch(kept, load);
}

Directory::Found<Metadata> Directory::current_metadata() {
  return current(metadata_, [this]() -> Result<Metadata> {
    CALLISTO_TRY(const std::string document, fetch_json(fetcher_, metadata_url(issuer_), "The discovery document"));
    return read_metadata(document, issuer_);
  });
}

Result<Metadata> Directory::metadata() {
  CALLISTO_TRY(const auto metadata, current_metadata());
  return *metadata;
}

Result<Key> Directory::key(const std::string& id, Algorithm algorithm) {
  CALLISTO_TRY(const auto metadata, current_metadata());
  const auto load = [&]() -> Result<KeySet> {
    CALLISTO_TRY(const std::string document, fetch_json(fetcher_, metadata->jwks_uri, "The provider's key set"));
    return read_keys(document);
  };
  CALLISTO_TRY(auto keys, current(keys_, load));
  if (!find_key(*keys, id, algorithm)) { CALLISTO_TRY(keys, newer(keys_, keys, load)); }
  if (const Key* found = find_key(*keys, id, algorithm)) return *found;
  return not_accepted("The provider publishes no " + std::string(name(algorithm)) + " key " + text::quoted(id) +
                      "; it must publish a key before signing with it");
}

}  // namespace callisto::oidc
