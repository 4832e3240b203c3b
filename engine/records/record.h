// Record: one row of an entity in memory while it is changed. It knows what the database holds, what the running action
// found, and what will be written. One thread.
#pragma once

#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/property_values.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace callisto::records {

using Values = catalog::PropertyValues;

class Record {
 public:
  explicit Record(const catalog::Entity& entity) : Record(entity, {}, true) {}  // a new one
  Record(const catalog::Entity& entity, Values stored) : Record(entity, std::move(stored), false) {}

  const catalog::Entity& entity() const { return *entity_; }
  bool is_new() const { return is_new_; }
  std::int64_t key() const;                // 0 while new, and for a composite key
  std::vector<std::int64_t> keys() const;  // its parts
  // A mirror stands for its lookup. Null where nothing was set.
  Value get(const catalog::Property& property) const { return find(*now_, property); }
  Value before(const catalog::Property& property) const { return find(*before_, property); }
  Value stored(const catalog::Property& property) const { return find(*stored_, property); }
  void set(const catalog::Property& property, Value value);
  const Values& values() const { return *now_; }  // until set()
  // Whether one of its lookups leads there, or led there when it was read or the action began.
  bool leads_to(const catalog::Entity& target, std::int64_t key) const;

  std::vector<const catalog::Property*> changed() const;  // since it was read or saved
  void begin_action() { before_ = now_; }                 // what before() tells from now on
  void undo_action() { now_ = std::make_shared<Values>(*before_); }
  void saved() { stored_ = now_, is_new_ = false; }
  void saved(Values all) { now_ = std::make_shared<Values>(std::move(all)), saved(); }

 private:
  Record(const catalog::Entity& entity, Values values, bool is_new)
      : entity_(&entity),
        is_new_(is_new),
        now_(std::make_shared<Values>(std::move(values))),
        stored_(now_),
        before_(now_) {}
  static Value find(const Values& values, const catalog::Property& property);
  static const catalog::Property* real(const catalog::Property& property) {
    return property.mirror_of ? property.mirror_of : &property;
  }

  const catalog::Entity* entity_;
  bool is_new_;
  std::shared_ptr<Values> now_;  // shared with the others, until it changes
  std::shared_ptr<const Values> stored_, before_;
};

}  // namespace callisto::records
