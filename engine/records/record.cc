#include "engine/records/record.h"

#include <algorithm>
#include <utility>

namespace callisto::records {

std::int64_t Record::key() const {
  if (entity_->key.size() != 1) return 0;
  const Value value = get(*entity_->key.front());
  const auto* key = std::get_if<std::int64_t>(&value);
  return key ? *key : 0;
}

std::vector<std::int64_t> Record::keys() const {
  std::vector<std::int64_t> keys;
  for (const catalog::Property* part : entity_->key) {
    const Value value = get(*part);
    const auto* number = std::get_if<std::int64_t>(&value);
    keys.push_back(number ? *number : 0);
  }
  return keys;
}

void Record::set(const catalog::Property& property, Value value) {
  if (now_.use_count() > 1) now_ = std::make_shared<Values>(*now_);
  now_->insert_or_assign(real(property), std::move(value));
}

Value Record::find(const Values& values, const catalog::Property& property) {
  const auto found = values.find(real(property));
  return found == values.end() ? Value(Null{}) : found->second;
}

bool Record::leads_to(const catalog::Entity& target, std::int64_t key) const {
  const auto leads = [&](const Values::Entry& entry) {
    const auto* held = std::get_if<std::int64_t>(&entry.second);
    return held && *held == key && entry.first->target && entry.first->target->is_or_extends(target);
  };
  const auto has_one = [&](const Values& values) { return std::any_of(values.begin(), values.end(), leads); };
  return has_one(*now_) || has_one(*before_) || has_one(*stored_);
}

std::vector<const catalog::Property*> Record::changed() const {
  std::vector<const catalog::Property*> properties;
  if (now_ == stored_) return properties;
  for (const auto& [property, value] : *now_) {
    const auto before = stored_->find(property);
    if (before == stored_->end() ? !is_null(value) : !(before->second == value)) properties.push_back(property);
  }
  return properties;
}

}  // namespace callisto::records
