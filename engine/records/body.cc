#include "engine/records/body.h"

#include "engine/base/text.h"
#include "engine/records/convert.h"

#include <algorithm>
#include <array>
#include <map>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Parameter;
using catalog::Property;

// What GET writes beside the properties; a body may bring it back.
bool is_ignored(std::string_view name) {
  static constexpr std::array<std::string_view, 4> names{"_self", "_context", "_links", "_actions"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Reader {
 public:
  Reader(const Action& action, const Record& record, const RecordFields& fields)
      : action_(action), record_(record), fields_(fields) {}

  ReadBody read(const json::Node& body) {
    for (const json::Member& member : body.members()) {
      if (is_ignored(member.name)) continue;
      if (member.name == parameters_member) read_parameters(member.value);
      else if (const Parameter* parameter = own_parameter(member.name)) read_parameter(*parameter, member.value);
      else read_property(member);
    }
    return std::move(result_);
  }

 private:
  const Parameter* own_parameter(std::string_view name) const {
    for (const Parameter& parameter : action_.parameters)
      if (parameter.is_own && parameter.property->name == name) return &parameter;
    return nullptr;
  }

  void read_parameters(const json::Node& node) {
    if (node.kind() != json::Node::Kind::Object) return refuse(std::string(parameters_member), "an object is expected");
    for (const json::Member& member : node.members()) {
      if (const Parameter* parameter = own_parameter(member.name)) read_parameter(*parameter, member.value);
      else unknown(member.name, parameter_names(), action_.name + " has no parameter of this name");
    }
  }

  void read_parameter(const Parameter& parameter, const json::Node& node) {
    auto value = from_json(*parameter.property, node);
    if (!value) return refuse(parameter.property->name, value.error().message);
    if (!is_null(*value)) result_.input.parameters.insert_or_assign(parameter.property->name, *std::move(value));
  }

  void read_property(const json::Member& member) {
    const Property* property = record_.entity().find_property(member.name);
    if (!property || property->internal || property->query_alias || property == record_.entity().type_column ||
        fields_.hides(*property))
      return unknown(member.name, writable_names(), record_.entity().name + " has no property of this name");
    // A secret that was read and comes back; what is copied to a new record would have another one.
    if (property->sealed && member.value.kind() == json::Node::Kind::String &&
        member.value.text() == catalog::system::sealed_mask) {
      if (record_.is_new()) refuse(member.name, "is what a read shows in place of a secret; give the secret itself");
      return;
    }
    auto value = from_json(*property, member.value);
    if (!value) return refuse(member.name, value.error().message);
    if (!is_fixed(*property) || property->mirror_of) return write(*property, *value, member.name);
    // API rule 4.2: a read-only property is ignored when equal to what is stored.
    if (record_.is_new()) return refuse(member.name, "is read-only");
    if (record_.get(*property) == *value) return;
    const bool is_stale = property->name == catalog::system::updated_date;
    refuse(member.name, std::string("is read-only") +
                            (is_stale ? ", and another one by now: the record has changed since it was read" : ""));
  }

  bool is_fixed(const Property& property) const { return property.readonly || fields_.fixes(property); }

  void write(const Property& property, const Value& value, const std::string& name) {
    const Property* real = property.mirror_of ? property.mirror_of : &property;
    if (is_fixed(*real) && (record_.is_new() || !(record_.get(*real) == value))) return refuse(name, "is read-only");
    const auto [given, is_new] = result_.input.properties.emplace(real, value);
    if (is_new) given_as_.emplace(real, name);
    if (is_new || given->second == value) return;
    const std::string& mirror = property.mirror_of ? name : given_as_.at(real);  // either may come first
    refuse(mirror, "differs from " + real->name + ", which it mirrors");
  }

  void unknown(const std::string& name, const std::vector<std::string_view>& candidates, const std::string& message) {
    const std::string near = text::nearest(name, candidates);
    refuse(name, message + (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  std::vector<std::string_view> parameter_names() const {
    std::vector<std::string_view> names;
    for (const Parameter& parameter : action_.parameters)
      if (parameter.is_own) names.emplace_back(parameter.property->name);
    return names;
  }

  std::vector<std::string_view> writable_names() const {
    std::vector<std::string_view> names = parameter_names();
    for (const Property* property : record_.entity().properties)
      if (!is_fixed(*property) && !property->internal && !property->query_alias && !fields_.hides(*property))
        names.emplace_back(property->name);
    return names;
  }

  void refuse(const std::string& property, std::string message) {
    result_.problems.push_back({property, std::move(message)});
  }

  const Action& action_;
  const Record& record_;
  const RecordFields& fields_;
  ReadBody result_;
  std::map<const Property*, std::string> given_as_;  // the name, a mirror's perhaps, that came first
};

bool is_told(const std::vector<PropertyError>& problems, const std::string& property) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const PropertyError& each) { return each.property == property; });
}

bool is_given(const Parameter& parameter, const Input& input) {
  if (parameter.is_own) {
    const auto given = input.parameters.find(parameter.property->name);
    return given != input.parameters.end() && says_something(given->second);
  }
  const auto given = input.properties.find(parameter.property);
  return given != input.properties.end() && says_something(given->second);
}

}  // namespace

bool says_something(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return !is_null(value) && !(text && text->empty());
}

ReadBody read_body(const json::Node& body, const Action& action, const Record& record, const RecordFields& fields) {
  return Reader(action, record, fields).read(body);
}

// What the session does not see is not named: it could not give it.
PropertyError lacks_hidden(const std::string& action) {
  return {"", action + " needs a value that this session may not give"};
}

std::vector<PropertyError> missing(const Action& action, const Input& input, const RecordFields& fields) {
  std::vector<PropertyError> problems;
  std::map<std::string, std::pair<std::string, bool>> groups;  // its members, and whether one is given
  for (const Parameter& parameter : action.parameters) {
    const bool given = is_given(parameter, input);
    const std::string& name = parameter.property->name;
    const bool is_hidden = !parameter.is_own && fields.hides(*parameter.property);
    if (!parameter.group.empty()) {
      auto& [members, any] = groups[parameter.group];
      if (!is_hidden) members += (members.empty() ? "" : ", ") + name;
      any = any || given;
    } else if (parameter.required && !given) {
      problems.push_back(is_hidden ? lacks_hidden(action.name)
                                   : PropertyError{name, "is mandatory for " + action.name});
    }
  }
  for (const auto& [group, found] : groups)
    if (!found.second)
      problems.push_back(
          {found.first.substr(0, found.first.find(',')), action.name + " needs at least one of " + found.first});
  return problems;
}

std::vector<PropertyError> lacking(const Action& action, const Record& record, const RecordFields& fields) {
  std::vector<PropertyError> problems;
  for (const catalog::Addition& addition : action.additions)
    for (const Property* property : addition.needs)
      if (!says_something(record.get(*property)) && !is_told(problems, property->name))
        problems.push_back(fields.hides(*property) ? lacks_hidden(action.name)
                                                   : PropertyError{property->name, "is mandatory for " + action.name});
  return problems;
}

std::vector<PropertyError> missing_at_the_end(const Action& action, const Record& record, const RecordFields& fields) {
  std::vector<PropertyError> problems = lacking(action, record, fields);
  for (const Property* property : record.entity().properties)
    if (property->required && !property->mirror_of && !property->query_alias &&
        !says_something(record.get(*property)) && !is_told(problems, property->name))
      problems.push_back(fields.hides(*property) ? lacks_hidden("the record")
                                                 : PropertyError{property->name, "is mandatory"});
  const Property* limit = record.entity().limiting_partition();
  if (limit && is_null(record.get(*limit)))
    problems.push_back({limit->name, "is mandatory: it limits who sees the record"});
  return problems;
}

Error invalid(std::vector<PropertyError> problems) {
  std::string message =
      problems.size() == 1
          ? (problems.front().property.empty() ? "" : problems.front().property + ": ") + problems.front().message
          : std::to_string(problems.size()) + " values cannot be accepted; Errors lists them.";
  return validation_failed(std::move(message), std::move(problems));
}

}  // namespace callisto::records
