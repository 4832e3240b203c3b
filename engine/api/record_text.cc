#include "engine/api/record_text.h"

#include "engine/api/requests/compile.h"
#include "engine/query/bind.h"
#include "engine/query/emit_sql.h"
#include "engine/records/files.h"

#include <utility>

namespace callisto::api {

namespace {

constexpr std::size_t most_known = 1000;  // of texts; then all are forgotten

void list_html(const std::vector<query::ShapeNode>& shape, std::vector<std::string>& names) {
  for (const query::ShapeNode& node : shape) {
    if (node.property && node.property->type == catalog::DataType::RichText) names.push_back(node.name);
    list_html(node.children, names);
  }
}

std::string key_of(char kind, const catalog::Entity& entity, std::string_view text,
                   const records::SessionScope& scope) {
  return kind + scope.key + "/" + entity.name + "?" + std::string(text);
}

records::SessionScope scope_of(const records::Context& context) {
  return records::scope_of(context.access, context.session);
}

}  // namespace

query::Limits RecordText::limits_of(const query::Scope& scope) const {
  query::Limits limits = model_.limits;
  limits.fields = scope.fields;
  return limits;
}

const RecordText::Compiled* RecordText::find(std::string_view key) const {
  const auto found = compiled_cache_.find(key);
  return found == compiled_cache_.end() || !model_.caches ? nullptr : &found->second;
}

const RecordText::Compiled* RecordText::keep(std::string key, Compiled compiled) {
  if (!model_.caches || compiled_cache_.size() >= most_known) compiled_cache_.clear();
  return &compiled_cache_.emplace(std::move(key), std::move(compiled)).first->second;
}

Result<const RecordText::Compiled*> RecordText::selected(const catalog::Entity& entity, std::string_view select,
                                                         records::SessionScope scope) {
  std::string key = key_of('s', entity, select, scope);
  if (const Compiled* found = find(key)) return found;
  query::Options options;
  if (!select.empty()) options.select = select;
  records::StateFolder folder(scripts_);
  CALLISTO_TRY(const auto plan,
               query::bind_record(model_.program->catalog, entity, options, limits_of(scope.scope), folder));
  scope.scope.with_deleted = true;
  Compiled compiled{{plan, query::emit_record(*plan, scope.scope, model_.dialect), {}},
                    std::make_unique<RowWriter>(*plan, version_),
                    {}};
  list_html(plan->shape, compiled.html);
  return keep(std::move(key), std::move(compiled));
}

Result<std::shared_ptr<const query::Plan>> RecordText::keys_of(const catalog::Entity& entity, std::string_view filter,
                                                               const query::Scope& scope) {
  query::Options options;
  options.select = entity.key.front()->name;
  if (!filter.empty()) options.filter = filter;
  options.top = INT32_MAX;
  records::StateFolder folder(scripts_);
  return query::bind_search(model_.program->catalog, entity, options, limits_of(scope), folder);
}

// Below a parent that is the record itself: its key is a parameter, so that one statement serves all records.
Result<const RecordText::Compiled*> RecordText::filtered(const catalog::Entity& entity, std::string_view filter,
                                                         records::SessionScope scope) {
  std::string key = key_of('f', entity, filter, scope);
  if (const Compiled* found = find(key)) return found;
  CALLISTO_TRY(const auto plan, keys_of(entity, filter, scope.scope));
  scope.scope.parent = query::Parent{entity.key.front(), nullptr, {}};
  scope.scope.with_deleted = true;
  return keep(std::move(key), {{plan, query::emit_rows(*plan, scope.scope, model_.dialect), {}}, nullptr, {}});
}

Result<const RecordText::Compiled*> RecordText::listed(const catalog::SubResource& list, const catalog::Entity& above,
                                                       records::SessionScope scope) {
  std::string key = key_of('l', above, list.name, scope);
  if (const Compiled* found = find(key)) return found;
  CALLISTO_TRY(const auto plan, keys_of(*list.entity, {}, scope.scope));
  scope.scope.parent = parent_of(list, above);
  scope.scope.with_deleted = true;
  return keep(std::move(key), {{plan, query::emit_rows(*plan, scope.scope, model_.dialect), {}}, nullptr, {}});
}

namespace {

// Of no session but what it may name: nothing that is made of it is run.
records::SessionScope naming(const query::Fields* fields) {
  records::SessionScope scope;
  scope.scope.fields = fields;
  if (fields) scope.key = "f" + std::to_string(reinterpret_cast<std::uintptr_t>(fields));
  return scope;
}

}  // namespace

Result<void> RecordText::check_select(const catalog::Entity& entity, std::string_view select,
                                      const query::Fields* fields) {
  CALLISTO_CHECK(selected(entity, select, naming(fields)));
  return {};
}

Result<void> RecordText::check_filter(const catalog::Entity& entity, std::string_view filter,
                                      const query::Fields* fields) {
  CALLISTO_CHECK(filtered(entity, filter, naming(fields)));
  return {};
}

Result<bool> RecordText::satisfies(const records::Context& reader, const records::Context& asker,
                                   const catalog::Entity& entity, std::int64_t key, std::string_view filter) {
  CALLISTO_TRY(const Compiled* query, filtered(entity, filter, scope_of(reader)));
  const query::Plan& plan = *query->prepared.plan;
  const query::Statement& rows = query->prepared.rows;
  CALLISTO_TRY(const auto constants, records::resolve_constants(asker, plan));
  CALLISTO_TRY(const auto values, records::parameters(reader, rows, plan, constants, {Value(key)}));
  CALLISTO_TRY(const auto row, reader.connection.query(rows.sql, values));
  return row->step();
}

Result<RecordText::Text> RecordText::render(const records::Context& reader, const catalog::Entity& entity,
                                            std::int64_t key, std::string_view select) {
  CALLISTO_TRY(const Compiled* query, selected(entity, select, scope_of(reader)));
  CALLISTO_TRY(const auto page, records::read(reader, query->prepared, {Value(key)}));
  Text text{{}, query->html};
  CALLISTO_CHECK(query->writer->append_one(text.json, *query->prepared.plan, *page.rows, reader));
  text.json += '}';
  return text;
}

Result<std::set<std::int64_t>> RecordText::files(const records::Context& reader, const catalog::Entity& entity,
                                                 std::int64_t key) {
  std::set<std::int64_t> keys;
  for (const catalog::SubResource& list : entity.sub_resources) {
    if (!records::file_properties(*list.entity)) continue;
    CALLISTO_TRY(const Compiled* query, listed(list, entity, scope_of(reader)));
    CALLISTO_TRY(const auto page, records::search(reader, query->prepared, records::ParentKey{key}));
    for (;;) {
      CALLISTO_TRY(const bool more, page.rows->step());
      if (!more) break;
      keys.insert(page.rows->integer(query->prepared.plan->key_columns.front()));
    }
  }
  return keys;
}

}  // namespace callisto::api
