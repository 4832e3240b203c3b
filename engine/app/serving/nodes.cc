#include "engine/app/serving/nodes.h"

#include "engine/base/log.h"

#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace callisto::app {

namespace {

constexpr std::chrono::milliseconds look_pause{500};  // decision 0018
constexpr const char* key_fact = "secret_key";
constexpr const char* reload_fact = "reload";

Result<std::optional<std::string>> fact(storage::Connection& connection, const char* name) {
  static const Sql sql("SELECT value FROM desk_fact WHERE name = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(std::string(name))}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::optional(std::string(row->text(0))) : std::nullopt;
}

Result<void> put_fact(storage::Connection& connection, const char* name, const std::string& value) {
  static const Sql sql(
      "INSERT INTO desk_fact (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value");
  CALLISTO_CHECK(connection.execute(sql, {Value(std::string(name)), Value(value)}));
  return {};
}

Result<std::int64_t> reloads_of(storage::Connection& connection) {
  CALLISTO_TRY(const auto text, fact(connection, reload_fact));
  std::int64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

}  // namespace

Result<void> agree_on_key(storage::Database& database, const Sealer& sealer, const std::string& path) {
  return database.write_alone([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const auto known, fact(connection, key_fact));
    if (!known) return put_fact(connection, key_fact, sealer.fingerprint());
    if (*known == sealer.fingerprint()) return {};
    return internal("the key in " + path +
                    " is not the key of this desk's secrets: replace it by the secret.key of the desk's other servers, "
                    "of the server it was moved from, or of its backup");
  });
}

Result<bool> has_agreed_key(storage::Database& database) {
  CALLISTO_TRY(const auto reader, database.connect_reader());
  CALLISTO_TRY(const auto known, fact(*reader, key_fact));
  return known.has_value();
}

Result<std::unique_ptr<Nodes>> Nodes::watch(storage::Database& database) {
  CALLISTO_TRY(auto reader, database.connect_reader());
  CALLISTO_TRY(const std::int64_t reloads, reloads_of(*reader));
  return std::unique_ptr<Nodes>(new Nodes(database, std::move(reader), reloads));
}

Nodes::Nodes(storage::Database& database, std::unique_ptr<storage::Connection> reader, std::int64_t reloads)
    : database_(database), reader_(std::move(reader)), seen_(reloads), ticker_(look_pause, [this] {
        const auto looked = look();
        if (!looked && !std::exchange(lost_, true))
          log::warning("what other nodes do cannot be seen: " + looked.error().log_detail);
        else if (looked && std::exchange(lost_, false)) log::info("what other nodes do can be seen again");
      }) {}

Result<void> Nodes::look() {
  const std::lock_guard lock(mutex_);
  CALLISTO_TRY(const std::int64_t reloads, reloads_of(*reader_));
  if (std::exchange(seen_, reloads) == reloads) return {};
  log::info("another node has reloaded entities and scripts: so does this one");
  follows_ = true;
  ::kill(::getpid(), SIGHUP);
  return {};
}

Result<void> Nodes::reloaded(bool well) {
  if (follows_.exchange(false) || !well) return {};
  const std::lock_guard lock(mutex_);
  std::int64_t number = 0;
  CALLISTO_CHECK(database_.write([&number](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const std::int64_t before, reloads_of(connection));
    number = before + 1;
    return put_fact(connection, reload_fact, std::to_string(number));
  }));
  seen_ = number;
  return {};
}

}  // namespace callisto::app
