// Reload: reads the certificate, entities and scripts anew while the server runs (SIGHUP, `callisto reload`). It loads
// and binds the new state, and adds its columns, beside the serving one; only if all of that succeeds does the new
// state replace it. The certificate comes first and is kept if it is good, so that it does not expire while somebody
// fixes a script. One thread.
#pragma once

#include "engine/app/serving/generation.h"
#include "engine/app/serving/webhook_words.h"
#include "engine/http/tls.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::app {

// What `callisto reload` waits for, and compares with; both below the data folder.
inline constexpr std::string_view outcome_file = "/reload.json";
inline constexpr std::string_view description_file = "/catalog.json";
inline constexpr std::string_view force_file = "/reload.force";  // made by `callisto reload --force`

std::string content_of(const std::string& path);  // empty where there is no such file

class Reload {
 public:
  // References outlive it.
  Reload(const Runtime& runtime, const api::Options& options, api::Api& api, std::shared_ptr<http::Tls> tls,
         std::shared_ptr<Generation> first)
      : runtime_(runtime), options_(options), api_(api), tls_(std::move(tls)), current_(std::move(first)) {}

  // The outcome is logged and kept in DATA/reload.json. What takes words away that active webhooks use is refused,
  // unless `forced`, or DATA/reload.force asks for it, which is removed.
  void run(bool forced = false);
  // Warns of webhooks whose words are none: at the start, and after a reload.
  void look_at_webhooks();
  std::size_t broken_webhooks(storage::Connection& connection);  // of those, that nobody has edited since; any thread
  // What is served now, as DATA/catalog.json: what `callisto reload --dry-run` compares with. What differs from the one
  // before is noted in the audit log.
  void keep_description(std::string_view when);
  std::shared_ptr<Generation> current();  // any thread
  // A digest of all that entities and scripts say, in 12 hex digits: of servers that run the same from the same folders
  // it is the same. Any thread; empty before keep_description().
  std::string generation();
  bool failed() const { return failed_; }  // the last run did; any thread

 private:
  Result<std::shared_ptr<Generation>> next(bool forced, std::vector<std::string>& problems);
  Result<BrokenWebhooks> broken_by(const records::Model& model) const;
  Result<void> check_webhooks(const records::Model& model, std::vector<std::string>& problems);
  void keep_outcome(DateTime started, const std::vector<std::string>& problems, const std::string& error);

  const Runtime& runtime_;
  const api::Options& options_;
  api::Api& api_;
  const std::shared_ptr<http::Tls> tls_;  // null: plain http
  std::mutex mutex_;
  std::shared_ptr<Generation> current_;
  std::string generation_;
  BrokenWebhooks broken_;  // at the last look
  std::int64_t runs_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace callisto::app
