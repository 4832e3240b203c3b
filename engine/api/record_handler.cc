// GET /v1/{entity}/{id} and GET /v1/{entity}/{id}/{list}/{ref} (API rules 2.2, 2.13, 3.2).
#include "engine/api/answers/action_entries.h"
#include "engine/api/answers/file_entries.h"
#include "engine/api/api.h"
#include "engine/api/expanded.h"
#include "engine/api/requests/compile.h"
#include "engine/api/requests/etags.h"
#include "engine/api/requests/visible_parent.h"
#include "engine/records/record_cursor.h"
#include "engine/records/rules.h"
#include "engine/records/search.h"
#include "engine/records/visible.h"

#include <chrono>

namespace callisto::api {

namespace {

// How the record was found, and its version.
struct Found {
  std::shared_ptr<const CompiledQuery> query;
  std::optional<std::int64_t> version;
};

// With commas between them.
void append_members(std::string& out, std::string_view members) {
  if (!members.empty() && out.back() != '{') out += ',';
  out += members;
}

// API rule 3.2: links, and of actions only what the record's state and this session allow.
Result<void> write_ways(std::string& out, const Call& call, const CompiledQuery& query, const records::Context& context,
                        const records::Row& row) {
  const catalog::Entity& type = query.writer.type_of(row);
  const std::int64_t key = row.integer(query.prepared.plan->key_columns.front());
  std::optional<records::Record> record;
  if (type.key.size() == 1 && !type.actions.empty()) {
    record = query.for_rules->of(row, type);
    if (!record) { CALLISTO_TRY(record, context.model.store.load_for_rules(context.connection, type, key)); }
  }
  FileEntries file;
  if (record && is_file(type)) { CALLISTO_TRY(file, file_entries(call, context, *record)); }
  out += ",\"_links\":{";
  query.links->append(out, type, key, row);
  append_members(out, file.links);
  out += "},\"_actions\":{";
  std::vector<const catalog::Action*> offered;
  records::RuleCheck rules(context);
  if (record) { CALLISTO_TRY(offered, rules.actions(*record)); }
  query.actions->append(out, type, offered, key);
  append_members(out, file.actions);
  out += '}';
  return {};
}

Result<void> write_details(std::string& out, const Call& call, const records::Context& context,
                           const catalog::Entity& type, const Value& key) {
  const auto details = call.options.details.find(type.name);
  if (details == call.options.details.end()) return {};
  std::string members;
  json::Writer writer(members);
  writer.begin_object();
  CALLISTO_CHECK(details->second(context, std::get<std::int64_t>(key), writer));
  writer.end_object();
  if (members.size() > 2) out += "," + members.substr(1, members.size() - 2);
  return {};
}

// What this request has written is shown as it was written, not read again, where the answer needs no other table.
Result<records::Page> page_of(const Call& call, const records::Context& context, const records::Prepared& prepared,
                              const std::vector<Value>& key) {
  if (!call.written || !records::RecordCursor::has_all(*prepared.plan)) return records::read(context, prepared, key);
  CALLISTO_TRY(const bool visible, records::is_visible(context, *call.written));
  if (!visible || records::is_deleted(*call.written)) return records::not_visible(call.written->entity());
  records::Page page;
  page.rows = std::make_unique<records::RecordCursor>(*prepared.plan, *call.written);
  return page;
}

// The answer's ETag, noted for the same question of the same session.
class KnownEtag {
 public:
  // Before anything is read, and without a slot. Where other processes write too, nothing is known.
  explicit KnownEtag(const Call& call) : call_(call) {
    if (!call.model.caches || !call.request.reads()) return;
    const auto commits = call.served.writer.commits();
    if (commits && !commits->others_write) commits_ = commits->number;
    if (commits_)
      key_ = std::to_string(call.session.id).append(call.request.raw_path).append("?").append(call.request.raw_query);
  }
  // Answers 304 when If-None-Match names it.
  bool answers() const {
    if (!commits_ || call_.request.header("If-None-Match").empty()) return false;
    const auto etag = call_.served.etag_cache.find(key_, *commits_, now_);
    return etag && client_has(call_.request, *etag) && not_modified(call_.request, call_.response, *etag);
  }
  void note(const std::string& etag) {
    if (commits_) call_.served.etag_cache.put(std::move(key_), etag, *commits_, now_);
  }

 private:
  const Call& call_;
  std::optional<std::uint64_t> commits_;
  EtagCache::Clock::time_point now_ = EtagCache::Clock::now();
  std::string key_;
};

std::chrono::microseconds since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
}

Result<Found> write_record(const Call& call) {
  const Route& route = call.route;
  const catalog::Entity& entity = route.sub ? *route.sub->entity : *route.entity;
  auto query = known_query(call, entity, QueryKind::Record, route.sub);
  CALLISTO_TRY(auto slot, borrow_slot(call, query.get()));
  const auto begun = std::chrono::steady_clock::now();
  if (route.sub) CALLISTO_CHECK(check_parent(call, *slot));
  std::vector<Value> key{Value(route.sub ? *route.sub_key : *route.key)};
  if (route.sub) key.emplace_back(*route.key);
  if (!query) { CALLISTO_TRY(query, compiled(call, entity, QueryKind::Record, route.sub, *slot)); }
  const records::Context context = call.context(*slot);
  auto page = page_of(call, context, query->prepared, key);
  // API rule 5.1: a child that is not under that parent is a LinkedRecordNotFound.
  if (!page && route.sub && page.error().sub_status == SubStatus::RecordNotFound)
    return linked_record_not_found(404, "There is no such " + entity.name + " below this " + route.entity->name + ".");
  if (!page) return std::move(page).error();

  const query::Plan& plan = *query->prepared.plan;
  const records::Row& row = *page->rows;
  std::string& out = call.response.body;
  out.reserve(query->usual_size);
  CALLISTO_CHECK(query->writer.append_one(out, plan, row, context, call.made_secrets));
  const catalog::Entity& type = query->writer.type_of(row);
  CALLISTO_CHECK(write_ways(out, call, *query, context, row));
  CALLISTO_CHECK(write_details(out, call, context, type, key.front()));
  out += '}';
  query->usual_size = out.size();
  query->time.note(since(begun));
  return Found{query, plan.version_column ? std::optional(row.integer(*plan.version_column)) : std::nullopt};
}

}  // namespace

Result<void> handle_record(const Call& call) {
  KnownEtag known(call);
  if (known.answers()) return {};
  CALLISTO_TRY(const Found found, write_record(call));
  CALLISTO_CHECK(embed_lists(call, found.query->expansions));
  // API rule 2.13: the ETag covers the version and what this session sees of the record.
  const std::string etag = etag_of(call.response.body, found.version);
  known.note(etag);
  if (call.request.reads()) not_modified(call.request, call.response, etag);
  else call.response.headers.emplace_back("ETag", etag);
  return {};
}

}  // namespace callisto::api
