#include "engine/api/record_text.h"

#include "engine/query/bind.h"
#include "engine/query/emit_sql.h"

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

std::string key_of(char kind, const catalog::Entity& entity, std::string_view text) {
  return kind + entity.name + "?" + std::string(text);
}

}  // namespace

Result<const RecordText::Compiled*> RecordText::selected(const catalog::Entity& entity, std::string_view select) {
  const std::string key = key_of('s', entity, select);
  if (const auto found = known_.find(key); found != known_.end()) return &found->second;
  query::Options options;
  if (!select.empty()) options.select = select;
  records::StateFolder folder(scripts_);
  CALLISTO_TRY(const auto plan, query::bind_record(model_.program->catalog, entity, options, model_.limits, folder));
  query::Scope scope;
  scope.with_deleted = true;
  Compiled compiled{
      {plan, query::emit_record(*plan, scope, model_.dialect), {}}, std::make_unique<RowWriter>(*plan, version_), {}};
  list_html(plan->shape, compiled.html);
  if (known_.size() >= most_known) known_.clear();
  return &known_.emplace(key, std::move(compiled)).first->second;
}

// Below a parent that is the record itself: its key is a parameter, so that one statement serves all records.
Result<const RecordText::Compiled*> RecordText::filtered(const catalog::Entity& entity, std::string_view filter) {
  const std::string key = key_of('f', entity, filter);
  if (const auto found = known_.find(key); found != known_.end()) return &found->second;
  query::Options options;
  options.select = entity.key.front()->name;
  options.filter = filter;
  records::StateFolder folder(scripts_);
  CALLISTO_TRY(const auto plan, query::bind_search(model_.program->catalog, entity, options, model_.limits, folder));
  query::Scope scope;
  scope.parent = query::Parent{entity.key.front(), nullptr, {}};
  scope.with_deleted = true;
  Compiled compiled{{plan, query::emit_rows(*plan, scope, model_.dialect), {}}, nullptr, {}};
  if (known_.size() >= most_known) known_.clear();
  return &known_.emplace(key, std::move(compiled)).first->second;
}

Result<void> RecordText::check_select(const catalog::Entity& entity, std::string_view select) {
  CALLISTO_CHECK(selected(entity, select));
  return {};
}

Result<void> RecordText::check_filter(const catalog::Entity& entity, std::string_view filter) {
  CALLISTO_CHECK(filtered(entity, filter));
  return {};
}

Result<bool> RecordText::satisfies(const records::Context& context, const catalog::Entity& entity, std::int64_t key,
                                   std::string_view filter) {
  CALLISTO_TRY(const Compiled* query, filtered(entity, filter));
  CALLISTO_TRY(const auto page, records::search(context, query->prepared, records::ParentKey{key}));
  return page.rows->step();
}

Result<RecordText::Text> RecordText::render(const records::Context& context, const catalog::Entity& entity,
                                            std::int64_t key, std::string_view select) {
  CALLISTO_TRY(const Compiled* query, selected(entity, select));
  CALLISTO_TRY(const auto page, records::read(context, query->prepared, {Value(key)}));
  Text text{{}, query->html};
  CALLISTO_CHECK(query->writer->append_one(text.json, *query->prepared.plan, *page.rows, context));
  text.json += '}';
  return text;
}

}  // namespace callisto::api
