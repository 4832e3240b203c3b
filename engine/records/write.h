// Writing for a client: POST, PUT, DELETE and actions, each in one transaction (API rules 4). Refusals come in the
// order of API rule 4.5. A Writer is shared by all requests; its calls wait for the commit. Any thread.
//
// Invariants: one transaction per call, on the disk before it returns; a refused one has changed nothing.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/pool.h"
#include "engine/base/random.h"
#include "engine/events/sink.h"
#include "engine/records/change.h"
#include "engine/records/record_cache.h"
#include "engine/records/repeat.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::records {

struct WriteRequest {
  const auth::Session& session;
  Result<json::Node> body;    // a null node where there is none; its error is told when its turn comes
  std::string if_match = {};  // the header; empty: none
  events::Cause cause = {};
};

// Errors of API rule 4.5 that every change of a record can meet: JSON 400, `If-Match` 400.
Result<void> check_body(const WriteRequest& request);
Result<void> check_version(const Record& record, std::string_view if_match);

struct Written {
  const catalog::Entity* entity = nullptr;  // the record's final type
  std::int64_t key = 0;
  bool is_repeated = false;  // the answer to an earlier request of the same RepeatKey
  std::map<const catalog::Property*, std::string> made_secrets = {};  // Change::made_secrets
  // What an action answers in the record's place, by its `answers`.
  std::optional<script::NamedValues> values = {};
  const catalog::Action* action = nullptr;  // whose values these are
  std::optional<Record> record = {};        // as it was written; nothing where it was not, or is_repeated
};

// An action that was asked for and may be done.
struct Asked {
  Record record;
  Input input;
};

class Writer;

// What Writer::together hands to its body: each call is a change of its own by its own rules, seen by those after it.
class Together {
 public:
  // As Writer::create and act. A secret to be hashed is refused: that is too long for others to wait.
  Result<Written> create(const catalog::Entity& entity, const WriteRequest& request,
                         const std::optional<RepeatKey>& repeat = {});
  Result<Written> act(const catalog::Entity& entity, std::int64_t key, std::string_view action,
                      const WriteRequest& request, const std::optional<RepeatKey>& repeat = {});

 private:
  friend class Writer;
  // What a change works with, of the transaction's own.
  using WithChange = std::function<Result<void>(const Context&, Change&)>;
  using Begin = std::function<Result<void>(const WithChange&)>;
  Together(const Writer& writer, Begin begin) : writer_(writer), begin_(std::move(begin)) {}

  const Writer& writer_;
  const Begin begin_;
};

// The context of the transaction that the Sink is for, and outlives emit().
using SinkFactory = std::function<std::unique_ptr<events::Sink>(const Context&)>;

class Writer {
 public:
  // `scripts` are the writer's own, used by one transaction at a time, as the sinks of `sinks` are. References must
  // outlive it.
  Writer(const Model& model, storage::Database& database, std::unique_ptr<script::State> scripts, const Clock& clock,
         Random& random, SinkFactory sinks, const SecretKeeping& secrets = {},
         std::size_t most_file_bytes = std::size_t{25} * 1024 * 1024)
      : model_(model),
        database_(database),
        clock_(clock),
        random_(random),
        secrets_(secrets),
        most_file_bytes_(most_file_bytes) {
    add(std::move(scripts), std::move(sinks));
  }
  // For one transaction more at a time: Database::writers() in all can be of use. Before the first write.
  void add(std::unique_ptr<script::State> scripts, SinkFactory sinks) {
    workers_.add(std::make_unique<WriteWorker>(WriteWorker{std::move(scripts), std::move(sinks), {}}));
  }
  std::size_t most_file_bytes() const { return most_file_bytes_; }
  std::optional<storage::Commits> commits() const { return database_.commits(); }  // of the database that it writes

  Result<Written> create(const catalog::Entity& entity, const WriteRequest& request,
                         const std::optional<RepeatKey>& repeat = {});
  // update, delete, or an action of the entity's own, by its name.
  Result<Written> act(const catalog::Entity& entity, std::int64_t key, std::string_view action,
                      const WriteRequest& request, const std::optional<RepeatKey>& repeat = {});

  // Several of them in one transaction, which any error of `body` undoes. `body` may run again.
  Result<void> together(const auth::Session& session, const std::function<Result<void>(Together&)>& body,
                        const events::Cause& cause = {});

  // Whether such an action may be done now, and with what: all that act() refuses before it begins. Writes nothing;
  // `reader` may be of a connection that cannot.
  Result<Asked> ask(const Context& reader, const catalog::Entity& entity, std::int64_t key, std::string_view action,
                    const WriteRequest& request);

  // The answer to an earlier request of the same key; nothing without one. Inside of write().
  Result<std::optional<RepeatedAnswer>> find_answer(const Context& context,
                                                    const std::optional<RepeatKey>& repeat) const;
  Result<void> keep_answer(const Context& context, const std::optional<RepeatKey>& repeat,
                           const RepeatedAnswer& answer) const;

  // Anything else that changes records, in a transaction of its own. `body` may run again.
  Result<void> write(const auth::Session& session, const std::function<Result<void>(const Context&, Change&)>& body,
                     const events::Cause& cause = {});

 private:
  friend class Together;
  struct WriteWorker {
    std::unique_ptr<script::State> scripts;
    SinkFactory sinks;
    RecordCache kept = {};
  };
  Result<Written> created(const Context& context, Change& change, const catalog::Entity& entity,
                          const WriteRequest& request, const std::optional<RepeatKey>& repeat) const;
  Result<Written> acted(const Context& context, Change& change, const catalog::Entity& entity, std::int64_t key,
                        std::string_view action, const WriteRequest& request, const std::optional<RepeatKey>& repeat,
                        SecretInput& secrets) const;
  Result<SecretInput> secrets_of(const catalog::Entity& entity, std::int64_t key, std::string_view action,
                                 const WriteRequest& request);

  const Model& model_;
  storage::Database& database_;
  FairPool<WriteWorker> workers_;
  const Clock& clock_;
  Random& random_;
  const SecretKeeping secrets_;
  const std::size_t most_file_bytes_;
};

}  // namespace callisto::records
