#include "engine/importing/write/evaluate.h"

#include "engine/base/text.h"

#include <algorithm>

namespace callisto::importing {

namespace {

using catalog::Property;
using Kind = script::MapValue::Kind;

Error in(const Property& property, const Error& error) { return bad_format(property.name + ": " + error.message); }

bool is_null_cell(const Cell& cell) {
  const auto* value = std::get_if<Value>(&cell);
  return value && is_null(*value);
}

// Null is "not given" where the engine has something to fill in.
bool is_filled_in(const catalog::Entity& entity, const Property& property) {
  namespace system = catalog::system;
  return (entity.key.size() == 1 && property.is_key) || property.name == system::id ||
         property.name == system::version || property.name == system::is_deleted ||
         property.name == system::created_date || property.name == system::updated_date;
}

}  // namespace

Evaluated Evaluator::evaluate(const std::vector<std::string>& columns, const std::vector<script::MapRow>& rows) {
  rows_ = &rows;
  result_ = {};
  to_make_.clear();
  map_.begin_group(columns, rows);
  const std::size_t last = rows.size() - 1;
  auto record = evaluate(plan_.record, last);  // the last row tells how the record ended up
  if (record) result_.record = std::move(*record);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    auto done = evaluate_rows(row);
    if (row == last && !record) result_.problems.push_back({row, record.error().message});
    else if (!done) result_.problems.push_back({row, done.error().message});
  }
  return std::move(result_);
}

Result<void> Evaluator::evaluate_rows(std::size_t row) {
  for (const Block& block : plan_.rows) {
    CALLISTO_TRY(EvaluatedRow evaluated, evaluate(block, row));
    result_.rows.push_back(std::move(evaluated));
  }
  return {};
}

Result<EvaluatedRow> Evaluator::evaluate(const Block& block, std::size_t row) {
  EvaluatedRow evaluated{block.entity, {}, false, false};
  for (const Field& field : block.fields) {
    CALLISTO_TRY(Cell found, cell(field, row));
    CALLISTO_CHECK(add_cell(evaluated, field, std::move(found)));
  }
  return evaluated;
}

Result<void> Evaluator::add_cell(EvaluatedRow& to, const Field& field, Cell cell) {
  const Property& property = *field.property;
  if (is_null_cell(cell)) {
    if (is_filled_in(*to.entity, property)) return {};
    if (property.required || property.is_key || &property == to.entity->limiting_partition())
      return bad_format(property.name + " must not be empty");
  }
  to.cells.emplace_back(&property, std::move(cell));
  return {};
}

Result<Cell> Evaluator::cell(const Field& field, std::size_t row) {
  auto found = given(field, row);
  if (!found) return in(*field.property, found.error());
  if (is_null_cell(*found) && field.property->default_value) return Cell(*field.property->default_value);
  return found;
}

Result<Cell> Evaluator::given(const Field& field, std::size_t row) {
  if (field.kind == Kind::Parent) return Cell(Parent{});
  if (field.kind == Kind::Lookup) return look_up(plan_.lookups[field.number], row);
  CALLISTO_TRY(Value found, value(field, row));
  return Cell(std::move(found));
}

Result<Value> Evaluator::value(const Field& field, std::size_t row) {
  switch (field.kind) {
    case Kind::Column:
      return convert(*field.property, text(field.columns[0], row), plan_.dates);
    case Kind::Always:
      return field.constant;
    case Kind::Join:
      return convert(*field.property, joined(field, row), plan_.dates);
    case Kind::OneOf:
      return answer(field, text(field.columns[0], row));
    case Kind::Position:
      return convert(*field.property, static_cast<std::int64_t>(row + 1), plan_.dates);
    case Kind::Code:
      break;
    case Kind::Parent:
    case Kind::Lookup:
      return internal("no value of its own");
  }
  CALLISTO_TRY(Value returned, map_.call(field.number, row));
  return convert(*field.property, std::move(returned), plan_.dates);
}

Result<Value> Evaluator::answer(const Field& field, const std::string& text) const {
  if (text.empty()) return Value(Null{});
  const auto found = field.answers.find(text);
  if (found == field.answers.end()) return bad_format(text::quoted(text) + " is none of those that one_of knows");
  return found->second;
}

std::string Evaluator::joined(const Field& field, std::size_t row) const {
  std::string all;
  for (const std::size_t column : field.columns) {
    const std::string& part = text(column, row);
    if (part.empty()) continue;
    if (!all.empty()) all += field.separator;
    all += part;
  }
  return all;
}

const std::string& Evaluator::text(std::size_t column, std::size_t row) const {
  static const std::string nothing;
  const script::MapRow& cells = (*rows_)[row];
  return column < cells.size() ? cells[column] : nothing;
}

Result<Cell> Evaluator::look_up(const Lookup& lookup, std::size_t row) {
  std::vector<Cell> by;
  std::string key;
  bool may_exist = true;
  for (const std::size_t number : lookup.by) {
    CALLISTO_TRY(Cell part, cell(lookup.block.fields[number], row));
    if (by.empty() && is_null_cell(part)) return Cell(Value(Null{}));
    if (const auto* other = std::get_if<ToMake>(&part)) {  // what hangs on a record that is not there is not there
      key += 'p' + std::to_string(other->number);
      may_exist = false;
    } else {
      Pools::append_key(key, std::get<Value>(part));
    }
    by.push_back(std::move(part));
  }
  if (may_exist)
    if (const auto ref = pools_.find(lookup.pool, key)) return Cell(Value(*ref));
  const auto [known, is_new] = to_make_.emplace(std::to_string(lookup.pool) + ' ' + key, 0);
  if (!is_new) return Cell(ToMake{known->second});
  auto made = make(lookup, row, std::move(by));
  if (!made) {
    to_make_.erase(known);
    return made;
  }
  known->second = std::get<ToMake>(*made).number;
  return made;
}

Result<Cell> Evaluator::make(const Lookup& lookup, std::size_t row, std::vector<Cell> by) {
  EvaluatedRow made{lookup.block.entity, {}, true, false};
  for (std::size_t number = 0; number < lookup.block.fields.size(); ++number) {
    const Field& field = lookup.block.fields[number];
    const auto given = std::find(lookup.by.begin(), lookup.by.end(), number);
    if (given == lookup.by.end()) {
      CALLISTO_TRY(Cell found, cell(field, row));
      CALLISTO_CHECK(add_cell(made, field, std::move(found)));
    } else {
      made.is_found_by_key = made.is_found_by_key || field.property->is_key;
      CALLISTO_CHECK(add_cell(made, field, std::move(by[static_cast<std::size_t>(given - lookup.by.begin())])));
    }
  }
  result_.made.push_back(std::move(made));
  return Cell(ToMake{result_.made.size() - 1});
}

}  // namespace callisto::importing
