// Api: every url of the service (API rules 1). It finds out who asks and where the path leads, and hands the request to
// one handler; only render_error turns an Error into an answer. handle() is called from many threads at once.
#pragma once

#include "engine/api/answers/metadata.h"
#include "engine/api/asked_queries.h"
#include "engine/api/rates.h"
#include "engine/api/request_trace.h"
#include "engine/api/requests/etag_cache.h"
#include "engine/api/requests/query_cache.h"
#include "engine/api/requests/router.h"
#include "engine/api/requests/timed_slot.h"
#include "engine/audit/event.h"
#include "engine/auth/service.h"
#include "engine/base/memory_budget.h"
#include "engine/http/message.h"
#include "engine/json/write.h"
#include "engine/records/model.h"
#include "engine/records/slot.h"
#include "engine/records/spare_slots.h"
#include "engine/records/write.h"
#include "engine/sign_in/authorization_endpoint.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

namespace callisto::api {

// What a single record of an entity shows beyond its properties: appends members to the object that is open in the
// writer.
using Details = std::function<Result<void>(const records::Context&, std::int64_t key, json::Writer&)>;

// What the program itself does where the definition of an action leaves it without code. All that an action is refused
// for was asked before, with the same context, which only reads; answers JSON in the record's place.
using NativeAction = std::function<Result<std::string>(const records::Context&, const records::Asked&)>;

struct Options {
  std::string api_root = "/service.api/api";
  std::string oauth_root = "/service.web/oauth";
  std::string base_url;                                // empty: as each request addresses the server
  std::vector<std::string> versions = {"v1", "v1.0"};  // the first is written in links
  std::string program_version = "0.0.0";
  std::size_t body_bytes = std::size_t{40} * 1024 * 1024;           // API rule 4.6, where files are due
  std::size_t answer_bytes = std::size_t{32} * 1024 * 1024;         // of a search; beyond it is 400
  std::shared_ptr<MemoryBudget> answers;                            // of all at once; beyond it is 503. Null: no limit
  std::uint64_t joined_rows = 2'000'000;                            // that joins without a bound may examine; 400
  std::chrono::milliseconds slot_patience{5000};                    // waiting longer for a slot is 503
  std::map<std::string, Details, std::less<>> details;              // by the entity's name
  std::map<std::string, NativeAction, std::less<>> native_actions;  // by entity and action: "webhook/preview"
  // Whether a request's Callisto-Delivery-Proof came with a delivery of this desk; null: none did.
  std::function<bool(std::string_view proof)> proves_delivery;
  std::string page_key;                 // what links to a next page are signed with
  std::shared_ptr<Rates> rates;         // null: nothing is counted
  std::shared_ptr<AskedQueries> asked;  // null: the same
  std::chrono::milliseconds slow{0};    // a search that takes longer is logged with its plan; 0: none is
  // How many native actions run at once: each may take a slot for long and megabytes.
  std::shared_ptr<std::counting_semaphore<>> native_turns = std::make_shared<std::counting_semaphore<>>(1);
  std::chrono::milliseconds native_patience{30'000};  // waiting longer for one is 503
};

// All that requests need of one state of entities and scripts. A reload makes another and swaps it in whole; a request
// that runs keeps the one that it began with.
struct Served {
  Served(std::shared_ptr<const records::Model> model_, const Options& options, records::Writer& writer_)
      : model(std::move(model_)),
        metadata(model->catalog(), {options.base_url, options.api_root, options.oauth_root, options.versions.front(),
                                    options.program_version}),
        writer(writer_) {}

  const std::shared_ptr<const records::Model> model;
  const Metadata metadata;
  QueryCache query_cache{model->caches ? std::size_t{16} * 1024 * 1024 : 0};
  EtagCache etag_cache;
  records::Slots slots;
  std::unique_ptr<records::SpareSlots> spare_slots;  // null: there are none
  records::Writer& writer;
};

class Api {
 public:
  // References must outlive this.
  Api(Options options, std::shared_ptr<Served> served, auth::Service& auth, audit::Sink& audit,
      const sign_in::AuthorizationEndpoint& authorization);
  void handle(http::Request& request, http::Response& response, RequestTrace& trace);
  void handle(http::Request& request, http::Response& response) {
    RequestTrace trace;
    handle(request, response, trace);
  }
  void replace(std::shared_ptr<Served> served);  // for the requests that come from now on

 private:
  Result<void> dispatch(http::Request& request, http::Response& response, RequestTrace& trace);
  Result<void> dispatch_api(http::Request& request, http::Response& response, std::vector<std::string> segments,
                            RequestTrace& trace);
  std::shared_ptr<Served> served();

  Options options_;
  std::vector<std::string> api_segments_;
  std::vector<std::string> oauth_segments_;
  std::mutex mutex_;  // of served_
  std::shared_ptr<Served> served_;
  auth::Service& auth_;
  audit::Sink& audit_;
  const sign_in::AuthorizationEndpoint& authorization_;
};

// One authenticated request on its way; handlers fill `response`. What it refers to outlives it.
struct Call {
  http::Request& request;
  http::Response& response;
  const Options& options;
  Served& served;
  const auth::Session& session;
  const Route& route;
  RequestTrace* trace = nullptr;                       // null: nobody wants to know
  bool has_waited = false;                             // for its turn to write, and asks for its answer
  const records::Record* written = nullptr;            // what there is to answer, where the request has written it
  const RowWriter::Overrides* made_secrets = nullptr;  // that it has made; the one time that a client sees them
  const records::Model& model = *served.model;
  const records::AccessRules::Limits& access = model.access.of(model, session);

  // The same request once it has waited for its turn to write: what it reads at another place for its answer.
  Call reading(const Route& place) const {
    return {.request = request,
            .response = response,
            .options = options,
            .served = served,
            .session = session,
            .route = place,
            .trace = trace,
            .has_waited = true};
  }

  // Who asks, with what a slot has; the slot outlives it.
  records::Context context(records::Slot& slot) const {
    return {model, session, *slot.connection, *slot.scripts, {}, access};
  }
  std::string_view version() const { return options.versions.front(); }
};

// One file each. Search and sub-resource lists; how many rows a list has; one record; writing; many records; files;
// metadata and options; signing in.
Result<void> handle_search(const Call& call);
Result<void> handle_count(const Call& call);
Result<void> handle_record(const Call& call);
Result<void> handle_write(const Call& call);
Result<void> handle_batch(const Call& call);  // POST {entity}/$batch
Result<void> handle_files(const Call& call);  // attachments and other bytes of a record, every method
Result<void> handle_discovery(const Call& call, Route::View view);
Result<void> handle_rules(const Call& call);  // {entity}/$rules
void handle_login(http::Request& request, http::Response& response, auth::Service& auth);
void handle_logout(http::Request& request, http::Response& response, auth::Service& auth);
void handle_revoke(http::Request& request, http::Response& response, auth::Service& auth);
// /.well-known/oauth-authorization-server (RFC 8414) and /.well-known/oauth-protected-resource (RFC 9728). False, and
// nothing done, for every other path.
Result<bool> handle_oauth_metadata(const http::Request& request, http::Response& response, const Options& options);
// WWW-Authenticate of a 401 of the API: where its metadata is, and that a token was sent which is not good.
std::string bearer_challenge(const http::Request& request, const Options& options);

// Who issues tokens and codes (RFC 8414, RFC 9207), as this request sees it: base_url, or the address it was sent to.
std::string issuer(const Options& options, const http::Request& request);

// The path of base_url, below which a proxy publishes this server: "/desk"; empty where it has none.
std::string_view base_path(const Options& options);

// A slot in turn by who asks, or 503 with Retry-After. `query`: what runs on it, where that is known; a quick one has spare
// slots as well.
Result<TimedSlot> borrow_slot(const Call& call, const CompiledQuery* query = nullptr);

// For an answer of so many bytes, or 503 where all answers that are made and sent take what they may.
Result<void> take_memory(const Call& call, std::size_t bytes);

// How many deliveries led to this request, one by the other: Callisto-Hop, which a receiver that calls the API passes
// on, together with the proof that it was sent one. Of others it counts for nothing, or whoever makes a change could
// keep it from being told.
int hops_of(const Options& options, const http::Request& request);
events::Cause cause_of(const Options& options, const http::Request& request);

}  // namespace callisto::api
