#include "engine/testing/walk/walk_inputs.h"

#include "engine/base/text.h"

#include <algorithm>
#include <set>

namespace callisto::testing {

namespace {

using catalog::Action;
using catalog::DataType;
using catalog::Entity;
using catalog::Parameter;
using catalog::Property;
using script::Data;
using Member = script::DataMember;

constexpr std::size_t most_rows = 50;  // of a lookup's, among which those are that differ

bool is_word_in(std::string_view text, std::string_view word) {
  const auto continues = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !continues(text[at - 1])) && (end == text.size() || !continues(text[end]))) return true;
  }
  return false;
}

// What the desk's code for an entity, and the filters of its actions, say.
class Wording {
 public:
  Wording(const script::Program& program, const Entity& entity) {
    for (const script::Source* source : program.all_sources())
      for (const Entity* each = &entity; each; each = each->parent)
        if (source->file.find("/" + each->name + "/") != std::string::npos) texts_.push_back(source->text);
    for (const Action* action : entity.actions) {
      texts_.push_back(action->offered);
      for (const auto& [grantee, grant] : action->allowed) texts_.push_back(grant.filter);
    }
  }
  bool names(const Property& property) const {
    return std::any_of(texts_.begin(), texts_.end(), [&](const auto& text) { return is_word_in(text, property.name); });
  }

 private:
  std::vector<std::string_view> texts_;
};

Data sample(const Property& property, DateTime now) {
  switch (property.type) {
    case DataType::Boolean:
      return Value(true);
    case DataType::DateTime:
      return Value(DateTime{now.ms + 86'400'000});
    case DataType::Binary:
    case DataType::Lookup:
      return {};
    case DataType::Text:
    case DataType::RichText:
      return Value(std::string("A text of a walk").substr(0, property.length.value_or(16)));
    default:
      return Value(std::int64_t{1});
  }
}

class Inputs {
 public:
  Inputs(TestServer& desk, std::size_t session, const Entity& entity, const Action& action)
      : desk_(desk), session_(session), entity_(entity), action_(action), wording_(desk.program(), entity) {}

  Result<std::vector<Data>> all() {
    CALLISTO_CHECK(begin());
    std::vector<Data> bodies;
    const bool needs_some = action_.updates();
    for (const auto& base : bases_)
      if (!needs_some || !base.empty()) bodies.push_back(Data::map(base));
    for (const Property* property : varied()) {
      CALLISTO_TRY(const auto values, choices(*property));
      for (const Data& value : values) {
        std::vector<Member> body = bases_.front();
        body.push_back({property->name, value});
        bodies.push_back(Data::map(std::move(body)));
      }
    }
    return bodies;
  }

 private:
  using Base = std::vector<Member>;

  // All that is mandatory; one for each member of a group of which one is, and for each row of a lookup.
  Result<void> begin() {
    bases_.emplace_back();
    std::map<std::string, std::vector<const Property*>> groups;
    for (const Parameter& parameter : action_.parameters) {
      if (!parameter.group.empty()) groups[parameter.group].push_back(parameter.property);
      else if (parameter.required) CALLISTO_CHECK(extend({parameter.property}));
    }
    for (const auto& [name, members] : groups) CALLISTO_CHECK(extend(members));
    return {};
  }

  Result<void> extend(const std::vector<const Property*>& members) {
    std::vector<Base> extended;
    for (const Property* member : members) {
      given_.insert(member);
      CALLISTO_TRY(const auto values, some(*member));
      for (const Base& base : bases_)
        for (const Data& value : values) {
          extended.push_back(base);
          extended.back().push_back({member->name, value});
        }
    }
    if (!extended.empty()) bases_ = std::move(extended);
    return {};
  }

  // Flags of the action, and what else of the record may matter.
  std::vector<const Property*> varied() const {
    std::vector<const Property*> found;
    const auto may_vary = [&](const Property& property) {
      return given_.count(&property) == 0 && (property.type == DataType::Boolean || property.type == DataType::Lookup);
    };
    for (const Parameter& parameter : action_.parameters)
      if (parameter.is_own && may_vary(*parameter.property)) found.push_back(parameter.property);
    for (const Property* property : entity_.properties)
      if (may_vary(*property) && !property->readonly && !property->internal && !property->mirror_of &&
          property->name != catalog::system::partition && wording_.names(*property))
        found.push_back(property);
    return found;
  }

  Result<std::vector<Data>> choices(const Property& property) {
    if (property.type == DataType::Boolean) return std::vector<Data>{Value(true), Value(false)};
    CALLISTO_TRY(auto values, some(property));
    values.emplace_back();
    return values;
  }

  Result<std::vector<Data>> some(const Property& property) {
    if (property.type != DataType::Lookup) return std::vector<Data>{sample(property, desk_.clock().now())};
    CALLISTO_TRY(const auto rows, desk_.visible(session_, *property.target, most_rows));
    std::set<std::vector<bool>> known;
    std::vector<Data> values;
    for (const records::Record& row : rows) {
      std::vector<bool> flags;
      for (const Property* flag : row.entity().properties)
        if (flag->type == DataType::Boolean && !flag->internal && wording_.names(*flag))
          flags.push_back(row.get(*flag) == Value(true));
      if (known.insert(std::move(flags)).second) values.emplace_back(Value(row.key()));
    }
    return values;
  }

  TestServer& desk_;
  const std::size_t session_;
  const Entity& entity_;
  const Action& action_;
  const Wording wording_;
  std::vector<Base> bases_;
  std::set<const Property*> given_;
};

}  // namespace

Result<std::vector<Data>> walk_inputs(TestServer& desk, std::size_t session, const Entity& entity,
                                      const Action& action) {
  return Inputs(desk, session, entity, action).all();
}

}  // namespace callisto::testing
