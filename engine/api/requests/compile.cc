#include "engine/api/requests/compile.h"

#include "engine/api/answers/next_page.h"
#include "engine/http/url.h"
#include "engine/query/by_lookup.h"
#include "engine/query/index_choice.h"
#include "engine/query/lost_options.h"
#include "engine/records/by_lookup.h"

#include <utility>

namespace callisto::api {

namespace {

std::string cache_key(const Call& call, const catalog::Entity& entity, QueryKind kind,
                      const catalog::SubResource* below, const std::string& session) {
  std::string key(1, call.route.view == Route::View::Groups ? 'g' : kind == QueryKind::Search ? 's' : 'r');
  key += session;
  key += '/';
  key += entity.name;
  if (below) {
    key += '/';
    key += call.route.entity->name;
    key += '/';
    key += below->name;
  }
  key += '?';
  key += call.request.raw_query;
  return key;
}

using query::Reach, query::Stretch, query::Way;

// The statements of one plan.
class Pages {
 public:
  Pages(const std::shared_ptr<const query::Plan>& plan, const query::Scope& scope, query::Dialect dialect)
      : plan_(plan), scope_(scope), dialect_(dialect), counts_(plan->count || plan->inline_count) {}

  records::Prepared prepared() const {
    auto probes = query::emit_probes(*plan_, scope_, dialect_, records::most_sorted, records::most_sorted_of_null);
    const bool is_walked = !probes.empty() && dialect_ == query::Dialect::Sqlite && query::order_has_index(*plan_);
    const Way usual = is_walked ? Way::InOrder : Way::Free;
    records::Prepared prepared{plan_, rows(Reach::All, usual), count(Reach::All), other(Reach::All, usual)};
    if (counts_)
      prepared.cover =
          query::emit_count_by_cover(*plan_, scope_, dialect_, records::most_beside_cover, records::most_sorted_late);
    if ((counts_ || plan_->grouping) && !prepared.cover) {
      prepared.counts = query::emit_counts_by_seek(*plan_, scope_, dialect_, records::most_counted(*plan_));
      prepared.many = query::emit_count_of_many(*plan_, scope_, dialect_, records::most_led);
    }
    if (!probes.empty()) prepared.sorted = sorted(std::move(probes));
    prepared.narrowed = narrowed();
    return prepared;
  }

 private:
  query::Statement count(Reach reach) const {
    return counts_ ? query::emit_count(*plan_, scope_, dialect_, reach) : query::Statement{};
  }
  query::Statement rows(Reach reach, Way way = Way::Free, std::size_t seek = 0) const {
    return query::emit_rows(*plan_, scope_, dialect_, reach, Stretch::Same, way, seek);
  }
  query::Statement other(Reach reach, Way way = Way::Free, std::size_t seek = 0) const {
    if (!query::has_other_stretch(*plan_)) return {};
    return query::emit_rows(*plan_, scope_, dialect_, reach, Stretch::Other, way, seek);
  }

  records::Prepared::Sorted sorted(std::vector<query::Probe> probes) const {
    auto longer = query::emit_probes(*plan_, scope_, dialect_, records::most_sorted_late, records::most_sorted_late);
    records::Prepared::Sorted sorted;
    sorted.walked = query::emit_probe_of_order(*plan_, scope_, dialect_, records::most_sorted_late);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const std::size_t seek = probes[i].seek;
      sorted.seeks.push_back({std::move(probes[i]), std::move(longer[i].count), rows(Reach::All, Way::Sorted, seek),
                              other(Reach::All, Way::Sorted, seek)});
    }
    return sorted;
  }

  std::optional<records::Prepared::Narrowed> narrowed() const {
    const bool is_walked = !plan_->count && !plan_->grouping && !plan_->order.empty() && query::order_has_index(*plan_);
    const std::size_t most = !is_walked                              ? records::most_candidates_of_all
                             : query::has_terms_beside_words(*plan_) ? records::most_candidates_beside_terms
                                                                     : records::most_candidates;
    const std::size_t most_counted = counts_ ? records::most_candidates_of_all : most;
    auto found = query::emit_candidates(*plan_, scope_, dialect_, most_counted);
    if (!found) return std::nullopt;
    records::Prepared::Narrowed narrowed{std::move(*found), rows(Reach::Candidates), count(Reach::Candidates),
                                         other(Reach::Candidates)};
    narrowed.probes = query::emit_probes_beside_words(*plan_, scope_, dialect_, records::most_read);
    narrowed.most = most;
    narrowed.most_counted = most_counted;
    // A walk for words alone may go through everything.
    if (is_walked && !query::has_terms_beside_words(*plan_))
      narrowed.longer = *query::emit_candidates(*plan_, scope_, dialect_, records::most_candidates_of_all);
    return narrowed;
  }

  const std::shared_ptr<const query::Plan>& plan_;
  const query::Scope& scope_;
  const query::Dialect dialect_;
  const bool counts_;
};

records::Prepared prepared_pages(const std::shared_ptr<const query::Plan>& plan, const query::Scope& scope,
                                 query::Dialect dialect) {
  return Pages(plan, scope, dialect).prepared();
}

std::optional<records::Prepared::ByLookup> prepared_by_lookup(const query::Plan& plan, const query::Scope& scope,
                                                              query::Dialect dialect) {
  const auto found = query::by_lookup(plan, scope, dialect);
  if (!found) return std::nullopt;
  // Where a walk to the rows of a value is in vain, all rows are better sorted; those without a value may be few.
  const auto prepared = [&](const std::shared_ptr<const query::Plan>& part) {
    if (!part) return std::shared_ptr<const records::Prepared>();
    auto of_part = std::make_shared<records::Prepared>(prepared_pages(part, scope, dialect));
    if (of_part->sorted)
      for (auto& seek : of_part->sorted->seeks)
        if (!seek.probe.asks_for_null) seek.longer = {};
    return std::shared_ptr<const records::Prepared>(std::move(of_part));
  };
  const std::size_t most_values =
      plan.order.front().path.hops.empty() ? records::most_values_by_key : records::most_values;
  return records::Prepared::ByLookup{
      query::emit_probes_of_filter(plan, scope, dialect, records::most_sorted),
      query::emit_values_of_lookup(plan, scope, *found, dialect, most_values + 1, records::most_steps),
      prepared(found->of_value),
      prepared(found->of_null),
      prepared(found->behind_value),
      prepared(found->behind_null),
      query::emit_rows_of_keys(plan, scope, dialect),
      most_values,
      found->is_by_key,
      found->descending};
}

records::Prepared prepared_search(const std::shared_ptr<const query::Plan>& plan, const query::Scope& scope,
                                  query::Dialect dialect) {
  records::Prepared prepared = prepared_pages(plan, scope, dialect);
  prepared.by_lookup = prepared_by_lookup(*plan, scope, dialect);
  return prepared;
}

Result<void> add_position(const Call& call, query::Options& options) {
  options.pages = !options.count;
  CALLISTO_TRY(options.position, open_position(call, options));
  return {};
}

// API rule 6.10: of an entity that it may not read, a session sees nothing, not even how many there are.
Result<void> check_lists(const Call& call, const query::Plan& plan) {
  for (const catalog::Entity* entity : plan.lists)
    if (!records::may_read(call.access, *entity)) return forbidden("This session may not read " + entity->name + ".");
  return {};
}

}  // namespace

query::Parent parent_of(const catalog::SubResource& sub, const catalog::Entity& entity) {
  query::Parent parent{sub.link, sub.type_link, {}};
  if (!sub.type_link) return parent;
  // A row names the final type of its parent; keys are shared by all types of one hierarchy.
  for (const catalog::Entity* each : entity.root().final_types()) parent.types.push_back(each->name);
  return parent;
}

std::shared_ptr<const CompiledQuery> known_query(const Call& call, const catalog::Entity& entity, QueryKind kind,
                                                 const catalog::SubResource* below) {
  const auto [scope, session] = records::scope_of(call.access, call.session);
  return call.served.query_cache.find(cache_key(call, entity, kind, below, session));
}

Result<std::shared_ptr<const CompiledQuery>> compiled(const Call& call, const catalog::Entity& entity, QueryKind kind,
                                                      const catalog::SubResource* below, records::Slot& slot) {
  auto [scope, session] = records::scope_of(call.access, call.session);
  std::string key = cache_key(call, entity, kind, below, session);
  if (auto found = call.served.query_cache.find(key)) return found;
  CALLISTO_TRY(const auto pairs, http::decode_query(call.request.raw_query));
  CALLISTO_TRY(query::Options options, query::parse_options(pairs));
  options.groups = call.route.view == Route::View::Groups;
  records::StateFolder folder(*slot.scripts);
  const auto& catalog = call.model.program->catalog;
  const bool search = kind == QueryKind::Search;
  CALLISTO_CHECK(search ? query::check_foreign(pairs, entity, records::fields_of(call.access))
                        : query::allow_select_only(options));
  if (search || below) CALLISTO_CHECK(query::refuse_expand(options));
  if (search) CALLISTO_CHECK(add_position(call, options));
  const query::Limits limits = call.model.limits_of(call.access);
  CALLISTO_TRY(auto plan, search ? query::bind_search(catalog, entity, options, limits, folder)
                                 : query::bind_record(catalog, entity, options, limits, folder));
  CALLISTO_CHECK(check_lists(call, *plan));
  if (below) scope.parent = parent_of(*below, *call.route.entity);
  const query::Dialect dialect = call.model.dialect;
  auto prepared = search ? prepared_search(plan, scope, dialect)
                         : records::Prepared{plan, query::emit_record(*plan, scope, dialect), {}};
  auto result = std::make_shared<CompiledQuery>(std::move(prepared), call.version());
  if (search) result->walk = text_of_walk(options);
  if (search && call.options.asked) result->asked = call.options.asked->count_of(*plan);
  if (!search) result->links.emplace(*plan, call.version(), PropertyView{&call.access, nullptr});
  if (!search) result->actions.emplace(entity, call.version());
  if (!search) result->for_rules.emplace(call.model, *plan);
  if (options.expand) {
    CALLISTO_TRY(result->expansions, parse_expand(*options.expand, *call.route.entity, call.access));
  }
  // Every page of a walk is another text, which is asked for once.
  if (!options.after) call.served.query_cache.insert(std::move(key), result);
  return std::shared_ptr<const CompiledQuery>(std::move(result));
}

}  // namespace callisto::api
