// Record: one row of an entity in memory while it is changed. It knows what the database holds, what the running action
// found and what is to be written. One thread.
#pragma once

#include "engine/base/value.h"
#include "engine/catalog/catalog.h"

#include <cstdint>
#include <map>
#include <vector>

namespace callisto::records {

using Values = std::map<const catalog::Property*, Value>;

class Record {
 public:
  explicit Record(const catalog::Entity& entity) : entity_(&entity) {}  // a new one
  Record(const catalog::Entity& entity, Values stored)
      : entity_(&entity), is_new_(false), stored_(stored), before_(stored), now_(std::move(stored)) {}

  const catalog::Entity& entity() const { return *entity_; }
  bool is_new() const { return is_new_; }
  std::int64_t key() const;  // 0 while new, and for a composite key
  // A mirror stands for its lookup. Null where nothing was set.
  Value get(const catalog::Property& property) const { return find(now_, property); }
  Value before(const catalog::Property& property) const { return find(before_, property); }
  Value stored(const catalog::Property& property) const { return find(stored_, property); }
  void set(const catalog::Property& property, Value value);
  bool has(const catalog::Property& property) const;  // set, though perhaps to null
  const Values& values() const { return now_; }

  std::vector<const catalog::Property*> changed() const;  // since it was read or saved
  void begin_action() { before_ = now_; }                 // what before() tells from now on
  void undo_action() { now_ = before_; }
  void saved() { stored_ = now_, is_new_ = false; }

 private:
  static Value find(const Values& values, const catalog::Property& property);
  static const catalog::Property* real(const catalog::Property& property) {
    return property.mirror_of ? property.mirror_of : &property;
  }

  const catalog::Entity* entity_;
  bool is_new_ = true;
  Values stored_, before_, now_;
};

}  // namespace callisto::records
