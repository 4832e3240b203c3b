#include "engine/catalog/property_rules.h"

#include "engine/base/text.h"
#include "engine/catalog/naming.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace callisto::catalog {
namespace {

constexpr int most_scale = 18;  // what a 64-bit number of digits can hold

std::vector<std::string_view> displays_of(DataType type) {
  const std::string_view all = traits(type).displays;
  return all.empty() ? std::vector<std::string_view>() : text::split(all, ' ');
}

// Who may read or write it, as 'allowed' of an action.
void check_grants(const PropertyDefinition& definition, const std::string& option, const Grants& grants,
                  Problems& problems) {
  const Property& property = definition.property;
  const std::vector<std::string_view> known(std::begin(grantees), std::end(grantees));
  const std::string where = text::quoted(option) + " of " + text::quoted(property.name);
  for (const auto& [grantee, grant] : grants) {
    const Origin origin = place(property.origin, definition.lines, option + "/" + grantee);
    if (std::find(known.begin(), known.end(), grantee) == known.end())
      problems.unknown(origin, "session type or right", grantee, where, known);
    if (grant.kind == Grant::Kind::Where && text::trim(grant.filter).empty())
      problems.add(origin, "the filter of " + text::quoted(grantee) + " in " + where + " is empty",
                   "write true or false, or a filter");
  }
}

class Checker {
 public:
  Checker(const PropertyDefinition& definition, Problems& problems)
      : definition_(definition), property_(definition.property), problems_(problems) {}

  void run() {
    if (!is_pascal_name(property_.name))
      wrong("", "a property's name begins with a capital and has letters and digits only, not " +
                    text::quoted(property_.name));
    if (property_.name.size() > longest_name)
      wrong("", "a property's name has at most " + std::to_string(longest_name) + " characters; this one has " +
                    std::to_string(property_.name.size()));
    check_options();
    check_rights(definition_, problems_);
    check_lookup();
    check_display_types();
    check_default();
  }

 private:
  void check_default() {
    if (property_.default_value && !fits(*property_.default_value, property_.type))
      wrong("default", "the default of " + label() + " is no " + name(property_.type) + " in range");
    else if (property_.default_value && property_.type == DataType::Decimal &&
             std::get<Decimal>(*property_.default_value).scale != property_.scale)
      wrong("default", "the default of " + label() + " has more digits after the point than its 'scale'");
    const auto* text = property_.default_value ? std::get_if<std::string>(&*property_.default_value) : nullptr;
    if (text && property_.length && text::length(*text) > *property_.length)
      wrong("default", "the default of " + label() + " is longer than its 'length'");
    if (text && property_.uppercase && text::upper(*text) != *text)
      wrong("default", "the default of " + label() + " must be in capitals, as 'uppercase' has its values");
  }

  void check_options() {
    if (property_.stored.is_text() && property_.type != DataType::Boolean)
      wrong("stored", "'stored' is for a boolean, and " + label() + " is " + name(property_.type));
    if (property_.stored.is_text() && property_.stored.yes == property_.stored.no)
      wrong("stored", "'stored' of " + label() + " needs two different texts, for true and for false");
    if (property_.length && !is_text(property_.type))
      wrong("length", "'length' is for texts, and " + label() + " is " + name(property_.type));
    if (property_.length == 0U) wrong("length", "'length' of " + label() + " must be at least 1");
    if (property_.uppercase && property_.type != DataType::Text)
      wrong("uppercase", "'uppercase' is for a text, and " + label() + " is " + name(property_.type));
    check_choices();
    if (property_.searchable && !is_text(property_.type))
      wrong("searchable", "'searchable' is for texts, and " + label() + " is " + name(property_.type));
    if (property_.type != DataType::Decimal && property_.scale != Property{}.scale)
      wrong("scale", "'scale' is for a decimal, and " + label() + " is " + name(property_.type));
    else if (property_.scale < 0 || property_.scale > most_scale)
      wrong("scale", "'scale' of " + label() + " must be 0 to 18");
    if (property_.indexed && property_.type == DataType::Binary)
      wrong("indexed", "a binary cannot be indexed: " + label());
  }

  void check_choices() {
    if (!property_.choices.empty() && property_.type != DataType::Text)
      wrong("choices", "'choices' is for a text, and " + label() + " is " + name(property_.type));
    for (const std::string& choice : property_.choices) {
      const std::string at = "choices/" + choice;
      if (choice.empty()) wrong(at, "a choice of " + label() + " is empty");
      if (property_.list && choice.find(' ') != choice.npos)
        wrong(at, "the choice " + text::quoted(choice) + " of " + label() + " is no single word");
      if (property_.length && text::length(choice) > *property_.length)
        wrong(at, "the choice " + text::quoted(choice) + " is longer than the 'length' of " + label());
      if (property_.uppercase && text::upper(choice) != choice)
        wrong(at, "the choice " + text::quoted(choice) + " must be in capitals, as 'uppercase' has the values of " +
                      label());
    }
    const auto* text = property_.default_value ? std::get_if<std::string>(&*property_.default_value) : nullptr;
    if (text && !is_choice(property_, *text))
      wrong("default", "the default of " + label() + " is none of its 'choices'");
  }

  void check_lookup() {
    bool is_lookup = property_.type == DataType::Lookup;
    if (is_lookup && definition_.target_entity.empty())
      wrong("", "lookup " + label() + " needs 'entity', the name of what it refers to");
    if (!is_lookup && !definition_.target_entity.empty())
      wrong("entity", "'entity' is for a lookup, and " + label() + " is " + name(property_.type));
    if (!definition_.mirror.empty() && property_.type != DataType::Integer)
      wrong("mirror", "'mirror' is for an integer, and " + label() + " is " + name(property_.type));
  }

  void check_display_types() {
    const auto fitting = displays_of(property_.type);
    for (const std::string& given : property_.display_types) {
      if (std::find(fitting.begin(), fitting.end(), given) != fitting.end()) continue;
      problems_.add(
          place(property_.origin, definition_.lines, "display_types"),
          "display type " + text::quoted(given) + " does not fit " + label() + ", which is " + name(property_.type),
          did_you_mean(given, fitting));
    }
  }

  std::string label() const { return '\'' + property_.name + '\''; }
  void wrong(const std::string& option, std::string message) {
    problems_.add(place(property_.origin, definition_.lines, option), std::move(message));
  }

  const PropertyDefinition& definition_;
  const Property& property_;
  Problems& problems_;
};

}  // namespace

std::vector<std::string> default_display_types(DataType type) {
  const auto all = displays_of(type);
  return all.empty() ? std::vector<std::string>() : std::vector<std::string>{std::string(all.front())};
}

bool fits(const Value& value, DataType type) {
  if (type == DataType::Decimal) return std::holds_alternative<Decimal>(value);
  if (type == DataType::DateTime) return std::holds_alternative<DateTime>(value);
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  switch (traits(type).kept) {
    case Kept::Flag:
      return std::holds_alternative<bool>(value);
    case Kept::Bytes:
      return std::holds_alternative<Binary>(value);
    case Kept::Text:
      return std::holds_alternative<std::string>(value);
    case Kept::Real:
      return real && std::isfinite(*real) &&
             (type != DataType::Float || std::abs(*real) <= static_cast<double>(std::numeric_limits<float>::max()));
    case Kept::Whole:
      return whole && *whole >= traits(type).range.first && *whole <= traits(type).range.second;
  }
  return false;
}

bool is_choice(const Property& property, std::string_view text) {
  const auto is_one = [&](std::string_view word) {
    return std::find(property.choices.begin(), property.choices.end(), word) != property.choices.end();
  };
  if (property.choices.empty()) return true;
  if (!property.list) return is_one(text);
  const auto words = text::split(text, ' ');
  return std::all_of(words.begin(), words.end(), [&](std::string_view word) { return word.empty() || is_one(word); });
}

void check_rights(const PropertyDefinition& definition, Problems& problems) {
  const Property& property = definition.property;
  const auto wrong = [&](const char* option, std::string message, std::string mend) {
    problems.add(place(property.origin, definition.lines, option), std::move(message), std::move(mend));
  };
  constexpr std::string_view engine_names[] = {system::key, system::is_deleted, system::version, system::partition};
  const bool is_engines = property.is_key || std::find(std::begin(engine_names), std::end(engine_names),
                                                       property.name) != std::end(engine_names);
  if (property.read && is_engines)
    wrong("read", text::quoted(property.name) + " identifies records for the engine, so everybody may read it",
          "say in scripts/<entity>/actions/read.lua who sees the record");
  if (property.write && property.readonly)
    wrong("write", text::quoted(property.name) + " is read-only: nobody writes it", "take 'write' or 'readonly' away");
  if (!definition.mirror.empty() && (property.read || property.write))
    wrong(property.read ? "read" : "write",
          text::quoted(property.name) + " is another name of " + text::quoted(definition.mirror),
          "say it of " + text::quoted(definition.mirror));
  if (property.read) check_grants(definition, "read", *property.read, problems);
  if (property.write) check_grants(definition, "write", *property.write, problems);
}

void check_property(const PropertyDefinition& definition, Problems& problems) { Checker(definition, problems).run(); }

}  // namespace callisto::catalog
