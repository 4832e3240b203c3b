#include "engine/base/text.h"
#include "engine/query/bind/filter.h"
#include "engine/query/bind_types.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace callisto::query {

namespace {

using Kind = Predicate::Kind;

Predicate negated(Predicate inner) {
  Predicate result;
  result.kind = Kind::Not;
  result.children.push_back(std::move(inner));
  return result;
}

// The constants of another plan, behind `offset` of this one.
void renumber(Predicate& predicate, std::size_t offset) {
  for (Operand* operand : {&predicate.left, &predicate.right})
    if (auto* constant = std::get_if<ConstantRef>(operand)) constant->index += offset;
  for (ConstantRef& constant : predicate.values) constant.index += offset;
  for (Predicate& child : predicate.children) renumber(child, offset);
}

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

// Decision 0039. All of them do: none of them does not.
Result<Predicate> FilterBinder::list_test(const ListMethod& form, const Expression& whole) {
  if (form.kind == ListMethod::Kind::Count)
    return source_.refused(whole.at, text_of(whole),
                           text::quoted(text_of(whole)) + " is a number and no condition; compare it with a number",
                           std::string(text_of(whole)) + " > 0", {"a comparison"});
  CALLISTO_TRY(Predicate any, rows(form));
  if (form.kind == ListMethod::Kind::Any) return any;
  any.children.front() = negated(std::move(any.children.front()));
  return negated(std::move(any));
}

Result<Predicate> FilterBinder::counted(const Comparison& form) {
  const bool mirror = !form.sides[0].is_count();
  const Expression& count = form.sides[mirror ? 1 : 0];
  const Expression& place = form.sides[mirror ? 0 : 1];
  const auto* literal = std::get_if<Literal>(&place.form);
  if (!literal || (literal->kind != Literal::Kind::Number && literal->kind != Literal::Kind::Any))
    return source_.refused(place.at, text_of(place),
                           "a count is compared with a number: found " + text::quoted(text_of(place)), {},
                           {"a number"});
  CompareOp op = mirror ? mirrored(form.op) : form.op;
  const auto number = typed_number(literal->text, catalog::DataType::Long, 0);
  if (!number)
    return source_.refused(place.at, text_of(place), text::quoted(literal->text) + " is out of range for a count");
  CALLISTO_TRY(Predicate result, rows(std::get<ListMethod>(count.form)));
  if (!number->exact && is_equality(op)) {
    Predicate decided;
    decided.constant_value = op == CompareOp::NotEqual;
    return decided;
  }
  result.kind = Kind::RowCount;
  result.op = number->exact ? op : *op_for_lower(op);
  Constant constant;
  constant.value = number->value;
  constant.type = catalog::DataType::Long;
  constant.position = position_of(place);
  draft_.plan.constants.push_back(std::move(constant));
  result.right = ConstantRef{draft_.plan.constants.size() - 1};
  return result;
}

Result<Predicate> FilterBinder::rows(const ListMethod& form) {
  CALLISTO_TRY(const catalog::SubResource* list, find_list(form.list));
  if (!draft_.has_lists)
    return source_.refused(form.list.at, form.list.name,
                           "only a search can find the rows of a list, in $filter and in conditions that only "
                           "$filter names; keep what a rule asks for in a property of the record");
  Predicate rows;
  rows.kind = Kind::HasRow;
  rows.list = list;
  rows.above = draft_.plan.entity;
  draft_.names.add_others(1);
  CALLISTO_CHECK(draft_.names.check_relations(form.list.at, form.list.name, source_));
  draft_.plan.lists.push_back(list->entity);
  if (form.predicate.empty()) return rows;
  CALLISTO_TRY(Predicate child, below(*list->entity, form.predicate.front(), rows));
  rows.children.push_back(std::move(child));
  return rows;
}

// As history, the name in urls; a name of several words as in RequestTask.
Result<const catalog::SubResource*> FilterBinder::find_list(const Segment& name) const {
  const catalog::Entity& entity = *draft_.plan.entity;
  std::vector<std::string> names;
  for (const catalog::SubResource& list : entity.sub_resources) {
    const bool is_one_word = list.name.find('-') == std::string::npos;
    names.push_back(is_one_word ? list.name : text::pascal_case(list.name));
    if (name.name == names.back() || name.name == text::pascal_case(list.name)) return &list;
  }
  std::string problem = text::quoted(name.name) + " is no list of " + entity.name;
  if (const auto* property = entity.find_property(name.name);
      draft_.names.join_of(name.name) || (property && draft_.names.may_name(*property)))
    problem += "; Any, All and Count are for the lists below a record";
  problem +=
      names.empty() ? ", which has none" : "; there " + std::string(names.size() == 1 ? "is " : "are ") + listed(names);
  return source_.refused(name.at, name.name, problem,
                         text::nearest(name.name, std::vector<std::string_view>(names.begin(), names.end())), names);
}

// A predicate on rows of another entity: a plan of its own, whose constants join those of this one.
Result<Predicate> FilterBinder::below(const catalog::Entity& entity, const Expression& predicate, Predicate& rows) {
  Plan plan;
  plan.catalog = draft_.plan.catalog;
  plan.entity = &entity;
  Draft inner(plan, draft_.limits, draft_.folder, draft_.names.relations());
  FilterBinder binder(inner, source_, use_);
  binder.outer_position_ = outer_position_;
  binder.expanding_ = expanding_;
  CALLISTO_TRY(Predicate child, binder.predicate(predicate));
  renumber(child, draft_.plan.constants.size());
  append(draft_.plan.constants, plan.constants);
  append(draft_.plan.augmenters, plan.augmenters);
  append(draft_.plan.lists, plan.lists);
  draft_.names.add_others(inner.names.relations() - draft_.names.relations());
  rows.with_deleted = plan.names_deleted;
  return child;
}

}  // namespace callisto::query
