// Directory: a provider's published documents, its metadata and keys, fetched when first needed and kept for an hour.
// An unknown key id makes it fetch the keys anew, so that changed keys work at once, but at most once a minute, so that
// a flood of made-up ids does not reach the provider; for some seconds after a failure it does not ask again. One
// thread fetches at a time; sign-ins that the kept documents can serve do not wait for it. While the provider gives no
// new documents, the kept ones serve for a day. Any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/oidc/fetch.h"
#include "engine/oidc/metadata.h"
#include "engine/oidc/tokens/keys.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace callisto::oidc {

class Directory {
 public:
  // Clock and fetcher must outlive it.
  Directory(std::string issuer, const Clock& clock, Fetcher& fetcher);

  Result<Metadata> metadata();
  Result<Key> key(const std::string& id, Algorithm algorithm);

 private:
  template <typename T>
  struct Kept {
    std::shared_ptr<const T> value;  // null: none came yet
    std::int64_t fetched_at = 0;     // steady milliseconds, of `value`
    std::int64_t asked_at = 0;       // of the latest attempt, whatever came of it
    std::optional<Error> failure;    // of the latest attempt
  };
  template <typename T>
  using Found = Result<std::shared_ptr<const T>>;

  template <typename T, typename Load>
  Found<T> current(Kept<T>& kept, const Load& load);
  template <typename T, typename Load>
  Found<T> newer(Kept<T>& kept, const std::shared_ptr<const T>& known, const Load& load);
  template <typename T, typename Load>
  Found<T> fetch(Kept<T>& kept, const Load& load);
  template <typename T>
  std::optional<Found<T>> without_asking(const Kept<T>& kept);
  template <typename T>
  std::shared_ptr<const T> usable(const Kept<T>& kept) const;
  Found<Metadata> current_metadata();

  const std::string issuer_;
  const Clock& clock_;
  Fetcher& fetcher_;
  std::mutex turn_;   // held by the one that fetches
  std::mutex mutex_;  // of what is kept; never held for long
  Kept<Metadata> metadata_;
  Kept<KeySet> keys_;
};

}  // namespace callisto::oidc
