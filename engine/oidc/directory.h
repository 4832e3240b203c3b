// Directory: what a provider publishes, its metadata and its keys, fetched when first needed and kept for an hour. An
// unknown key id has the keys fetched anew, so that changed keys work at once, but at most once a minute, so that a
// flood of made-up ids does not reach the provider; for some seconds after a failure nobody asks again. One thread
// fetches while the others wait for its answer. Safe from any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/oidc/fetch.h"
#include "engine/oidc/keys.h"
#include "engine/oidc/metadata.h"

#include <cstdint>
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
    std::optional<T> value;
    std::int64_t fetched_at = 0;   // steady milliseconds, of `value`
    std::int64_t asked_at = 0;     // of the latest attempt, whatever came of it
    std::optional<Error> failure;  // of the latest attempt
  };
  template <typename T, typename Load>
  Result<void> refresh(Kept<T>& kept, const Load& load);
  template <typename T, typename Load>
  Result<void> refresh_if_old(Kept<T>& kept, const Load& load);
  Result<void> refresh_metadata();

  const std::string issuer_;
  const Clock& clock_;
  Fetcher& fetcher_;
  std::mutex mutex_;  // held while fetching, too
  Kept<Metadata> metadata_;
  Kept<KeySet> keys_;
};

}  // namespace callisto::oidc
