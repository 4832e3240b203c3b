#include "engine/records/extensions.h"

#include "engine/records/extension_cache.h"
#include "engine/records/session_facts.h"
#include "engine/records/values.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace callisto::records {
namespace {

// std::equal() would call memcmp(), for three or four numbers.
bool differ(const std::uint64_t* one, const std::uint64_t* other, std::size_t count) {
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < count; ++i) difference |= one[i] ^ other[i];
  return difference != 0;
}

}  // namespace

Extensions::Need::Form Extensions::Need::form_of(const catalog::Property& property) {
  if (is_stored_whole(property)) return Form::Whole;
  if (property.type == catalog::DataType::Boolean) return Form::Flag;
  return catalog::is_number(property.type) ? Form::Real : Form::Text;
}

Extensions::Asked::Asked(const query::Plan& plan, const query::ExtensionUse& use, std::pmr::memory_resource* memory)
    : augmenter(*use.augmenter),
      needs(memory),
      key_of_row(use.need_columns.size() + use.need_columns.size() / bits + 1, memory),
      keys(memory),
      places(memory) {
  const auto usual = static_cast<std::size_t>(std::min<std::int64_t>(plan.top.value_or(usual_rows), usual_rows));
  needs.reserve(use.need_columns.size());
  for (const std::size_t column : use.need_columns) {
    const catalog::Property& property = *plan.columns[column].property;
    needs.push_back({column, &property, Need::form_of(property)});
  }
  places.reserve(usual);
  keys.reserve(usual * key_of_row.size());
}

Extensions::Extensions(const query::Plan& plan) {
  asked_.reserve(plan.extensions.size());
  for (const query::ExtensionUse& use : plan.extensions) asked_.emplace_back(plan, use, &memory_);
}

void Extensions::add(const Row& row) {
  for (Asked& asked : asked_) asked.add(row);
}

// A row whose place in `last` another one has taken since is asked for again.
void Extensions::Asked::add(const Row& row) {
  constexpr std::size_t odd = 0x9e3779b97f4a7c15;  // spreads small numbers over the upper bits
  const Need* const need = needs.data();
  const std::size_t needed = needs.size(), width = key_of_row.size();
  std::uint64_t* const key = key_of_row.data();
  std::uint64_t hash = 0, nulls = 0;
  for (std::size_t i = 0; i < needed; ++i) {
    const bool is_whole = need[i].form == Need::Form::Whole;
    const auto number = is_whole ? row.integer_or_null(need[i].column) : read_other(row, need[i]);
    if (!number) nulls |= std::uint64_t{1} << i % bits;
    if (i % bits == bits - 1) key[needed + i / bits] = std::exchange(nulls, 0);
    key[i] = static_cast<std::uint64_t>(number.value_or(0));
    hash = (hash ^ key[i]) * odd;
  }
  key[width - 1] = nulls;
  std::uint32_t& place = last[hash >> (bits - last_bits)];
  if (place >= count || differ(key, keys.data() + place * width, width)) {
    place = static_cast<std::uint32_t>(count++);
    keys.insert(keys.end(), key, key + width);
  }
  places.push_back(place);
}

// A number that no other value of the column has on this page.
std::optional<std::int64_t> Extensions::Asked::read_other(const Row& row, const Need& need) {
  if (row.is_null(need.column)) return std::nullopt;
  if (need.form == Need::Form::Flag) return read_boolean(row, need.column, *need.property);
  if (need.form == Need::Form::Real) return std::bit_cast<std::int64_t>(row.real(need.column));
  const auto [found, is_new] =
      text_numbers.try_emplace({need.column, std::string(row.text(need.column))}, texts.size());
  if (is_new) texts.push_back(read_value(row, need.column, *need.property));
  return found->second;
}

Value Extensions::Asked::value_of(std::size_t row, std::size_t need) const {
  const std::uint64_t* const key = keys.data() + row * key_of_row.size();
  if ((key[needs.size() + need / bits] >> need % bits & 1) != 0) return Null{};
  switch (needs[need].form) {
    case Need::Form::Flag:
      return key[need] != 0;
    case Need::Form::Real:
      return std::bit_cast<double>(key[need]);
    case Need::Form::Text:
      return texts[key[need]];
    default:
      return whole_value(static_cast<std::int64_t>(key[need]), *needs[need].property);
  }
}

// Texts have other numbers on each page, so what needs them is asked for again.
Result<script::Answers> Extensions::Asked::answers(const Context& context) const {
  const ExtensionCache::Needs rows{keys.data(), key_of_row.size(), count};
  ExtensionCache* const kept = texts.empty() ? kept_answers(context) : nullptr;
  script::Answers answers;
  answers.places.resize(count);
  const auto missing = kept ? kept->find(augmenter, rows, answers) : ExtensionCache::all(count);
  if (missing.empty()) return answers;
  script::Rows asked{missing.size(), {}};
  asked.values.reserve(missing.size() * needs.size());
  for (const std::uint32_t row : missing)
    for (std::size_t need = 0; need < needs.size(); ++need) asked.values.push_back(value_of(row, need));
  CALLISTO_TRY(auto fresh, context.scripts.extend(augmenter, asked, session_facts(context)));
  if (kept && context.scripts.would_repeat()) kept->add(augmenter, rows, missing, fresh);
  const auto known = static_cast<std::uint32_t>(answers.values.size());
  for (std::size_t i = 0; i < missing.size(); ++i) answers.places[missing[i]] = known + fresh.places[i];
  std::move(fresh.values.begin(), fresh.values.end(), std::back_inserter(answers.values));
  return answers;
}

Result<std::vector<Extensions::Values>> Extensions::values(const Context& context) const {
  std::vector<Values> all;
  all.reserve(asked_.size());
  for (const Asked& asked : asked_) {
    CALLISTO_TRY(auto answers, asked.answers(context));
    all.emplace_back(std::move(answers), asked.places);
  }
  return all;
}

}  // namespace callisto::records
