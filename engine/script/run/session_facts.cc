#include "engine/script/state.h"

namespace callisto::script {

Result<const SessionFacts::Person*> SessionFacts::person() const {
  static const Person nobody;
  return &nobody;
}

Result<Value> SessionFacts::of_person(std::string_view property) const {
  CALLISTO_TRY(const Person* all, person());
  for (const auto& [name, value] : *all)
    if (name == property) return value;
  return Value(Null{});
}

Result<const SessionFacts::List*> SessionFacts::list(std::size_t) const {
  static const List empty;
  return &empty;
}

}  // namespace callisto::script
