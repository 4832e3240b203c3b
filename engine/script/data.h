// Data: what a spec gives to the host and gets back: a value, a list, or members by name. A plain value; any thread.
#pragma once

#include "engine/base/value.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::script {

struct DataMember;

struct Data {
  enum class Kind { Value, List, Map };

  Data();  // null
  Data(Value single);
  static Data list(std::vector<Data> items);
  static Data map(std::vector<DataMember> members);

  const Data* find(std::string_view name) const;  // null where it has no such member
  std::string text() const;                       // empty unless it is a text
  std::int64_t whole() const;                     // 0 unless it is a whole number

  Kind kind = Kind::Value;
  Value value;
  std::vector<Data> items;
  std::vector<DataMember> members;
};

struct DataMember {
  std::string name;
  Data value;
};

// Here, where clang can see what `members` holds.
inline Data::Data() = default;
inline Data::Data(Value single) : value(std::move(single)) {}

inline Data Data::list(std::vector<Data> items) {
  Data data;
  data.kind = Kind::List;
  data.items = std::move(items);
  return data;
}

inline Data Data::map(std::vector<DataMember> members) {
  Data data;
  data.kind = Kind::Map;
  data.members = std::move(members);
  return data;
}

inline const Data* Data::find(std::string_view name) const {
  for (const DataMember& member : members)
    if (member.name == name) return &member.value;
  return nullptr;
}

inline std::string Data::text() const {
  const auto* found = std::get_if<std::string>(&value);
  return found ? *found : std::string();
}

inline std::int64_t Data::whole() const {
  const auto* found = std::get_if<std::int64_t>(&value);
  return found ? *found : 0;
}

}  // namespace callisto::script
