#include "engine/records/convert.h"

#include "engine/base/base64.h"
#include "engine/base/sealer.h"
#include "engine/base/text.h"
#include "engine/base/zoned_time.h"
#include "engine/catalog/property_rules.h"
#include "engine/query/bind_types.h"
#include "engine/query/number.h"
#include "engine/records/values.h"

#include <algorithm>
#include <array>

namespace callisto::records {

namespace {

using catalog::DataType;
using catalog::Entity;
using catalog::Property;

Error expected(const Property& property, std::string_view what) {
  const std::string of = property.target ? " of " + property.target->name : std::string();
  return bad_format(std::string(catalog::name(property.type)) + of + ": " + std::string(what) + " is expected");
}

bool is_binary_fraction(DataType type) { return type == DataType::Float || type == DataType::Double; }

std::string choices_of(const Property& property) {
  std::string all;
  for (const std::string& choice : property.choices) all += (all.empty() ? "" : ", ") + choice;
  return (property.list ? "words out of " : "one of ") + all;
}

Result<Value> checked_text(const Property& property, std::string text) {
  if (text.find('\0') != std::string::npos) return expected(property, "text without NUL characters");
  if (!text::is_utf8(text)) return expected(property, "valid UTF-8");
  // What is sealed was measured before.
  const bool fits_anyway = property.sealed && Sealer::is_sealed(text);
  if (property.length && !fits_anyway && text::length(text) > *property.length)
    return expected(property, "text of at most " + std::to_string(*property.length) + " characters");
  if (property.uppercase) text = text::upper(text);
  if (!catalog::is_choice(property, text)) return expected(property, choices_of(property));
  return Value(std::move(text));
}

// A Value of the property's own type: ranges, length in characters, NUL; capitalises `uppercase` text.
Result<Value> checked(const Property& property, Value value) {
  if (auto* text = std::get_if<std::string>(&value)) return checked_text(property, std::move(*text));
  if (auto* real = std::get_if<double>(&value)) *real += 0.0;  // SQLite has no negative zero
  if (is_null(value) || catalog::fits(value, property.type)) return value;
  const bool is_whole = catalog::is_whole(property.type) && std::holds_alternative<std::int64_t>(value);
  const bool is_real = std::holds_alternative<double>(value) && is_binary_fraction(property.type);
  return expected(property, is_whole || is_real ? "a number in range" : "a value of this type");
}

// A number is what it amounts to, however it is spelled: 5.0 and 5e0 are 5. Keys may be of any size.
Result<Value> number(const Property& property, std::string_view text) {
  const bool is_whole = !is_binary_fraction(property.type) && property.type != DataType::Decimal;
  if (!query::is_number(text)) return expected(property, is_whole ? "a whole number" : "a number");
  const auto typed = query::typed_number(std::string(text), is_whole ? DataType::Long : property.type, property.scale);
  if (!typed) return expected(property, "a number in range");
  if (typed->exact) return checked(property, typed->value);
  if (is_whole) return expected(property, "a whole number");
  return expected(property, "a number of at most " + std::to_string(property.scale) + " digits after the point");
}

Result<Value> boolean(const Property& property, std::string_view text) {
  if (is_true_flag(text)) return Value(true);
  static constexpr std::array<std::string_view, 6> no{"N", "NO", "F", "FALSE", "OFF", "0"};
  for (std::string_view flag : no)
    if (text::equals_ignoring_ascii_case(text, flag)) return Value(false);
  return expected(property, "true, false or a flag such as Y and N");
}

bool is_called(const Entity& entity, std::string_view name) {
  return text::equals_ignoring_ascii_case(entity.name, name) ||
         text::equals_ignoring_ascii_case(entity.pascal_name, name);
}

bool is_at_or_below(const Entity& entity, std::string_view name) {
  return is_called(entity, name) || std::any_of(entity.children.begin(), entity.children.end(),
                                                [&](const Entity* child) { return is_at_or_below(*child, name); });
}

// Links are written with the record's final type, often one below the target; what the target extends answers them too.
bool may_lead_to(const Entity& target, std::string_view name) {
  for (const Entity* each = target.parent; each; each = each->parent)
    if (is_called(*each, name)) return true;
  return is_at_or_below(target, name);
}

// api:v1/call-impact/3 or api:call-impact/3. What versions are called is a setting, so any word may stand there.
Result<Value> link_key(const Property& property, std::string_view link) {
  constexpr std::string_view root = "api:";
  const Error refused = expected(property, "a link to a " + property.target->name);
  if (!link.starts_with(root)) return refused;
  const auto segments = text::split(link.substr(root.size()), '/');
  if (segments.size() < 2 || segments.size() > 3 || segments.front().empty()) return refused;
  if (!may_lead_to(*property.target, segments[segments.size() - 2])) return refused;
  if (segments.back().find_first_not_of("-0123456789") != segments.back().npos) return refused;
  auto key = number(property, segments.back());
  if (!key) return refused;
  return key;
}

// {"Ref": 7} or {"_self": "api:v1/call/7"}; both where an answer with `Ref` selected comes back.
Result<Value> lookup_object(const Property& property, const json::Node& node) {
  const auto given = [&](std::string_view name) {
    const json::Node* member = node.find(name);
    return member && !member->is_null() ? member : nullptr;
  };
  const json::Node* ref = given(catalog::system::key);
  const json::Node* self = given("_self");
  if (!ref && !self) return expected(property, "a key, or an object with Ref or _self");
  if (!self) return number(property, ref->text());
  CALLISTO_TRY(const Value linked, link_key(property, self->text()));
  if (!ref) return linked;
  CALLISTO_TRY(const Value given_key, number(property, ref->text()));
  if (!(given_key == linked)) return expected(property, "one key in both Ref and _self");
  return linked;
}

// ["Created", "Forwarded"]; kept as one text with blanks between.
Result<Value> words(const Property& property, const json::Node& node) {
  std::string all;
  for (const json::Node& item : node.items()) {
    const bool is_word = item.kind() == json::Node::Kind::String && !item.text().empty() &&
                         std::string_view(item.text()).find_first_of(" \t\r\n") == std::string_view::npos;
    if (!is_word) return expected(property, "a list of words without blanks");
    all += (all.empty() ? "" : " ") + std::string(item.text());
  }
  return from_text(property, all);
}

}  // namespace

Result<Value> coerced(const Property& property, Value value) {
  if (is_null(value)) return value;
  if (const auto* text = std::get_if<std::string>(&value); text && !catalog::is_text(property.type))
    return from_text(property, *text);
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number && is_binary_fraction(property.type)) return Value(static_cast<double>(*number));
  if (number && property.type == DataType::Decimal) return from_text(property, std::to_string(*number));
  if (const auto* decimal = std::get_if<Decimal>(&value); decimal && decimal->scale != property.scale)
    return expected(property, std::to_string(property.scale) + " digits after the point");
  return checked(property, std::move(value));
}

Result<Value> from_text(const Property& property, std::string_view text) {
  switch (property.type) {
    case DataType::Integer:
    case DataType::Long:
    case DataType::Short:
    case DataType::Lookup:
    case DataType::Float:
    case DataType::Double:
    case DataType::Decimal:
      return number(property, text);
    case DataType::Boolean:
      return boolean(property, text);
    case DataType::DateTime:
      if (const auto moment = parse_iso8601(text, TimeZone::local())) return Value(*moment);
      return expected(property, expected_instead(text));
    case DataType::Binary:
      if (auto bytes = decode_base64(text, Base64::Lines)) return Value(Binary{*std::move(bytes)});
      return expected(property, "base64");
    case DataType::Text:
    case DataType::RichText:
      return checked_text(property, std::string(text));
  }
  return Value(Null{});
}

Result<Value> from_json(const Property& property, const json::Node& node) {
  using Kind = json::Node::Kind;
  switch (node.kind()) {
    case Kind::Null:
      return Value(Null{});
    case Kind::Boolean:
      if (property.type == DataType::Boolean) return Value(node.boolean());
      break;
    case Kind::Number:
      if (catalog::is_number(property.type) || property.type == DataType::Lookup) return number(property, node.text());
      break;
    case Kind::String:
      if (!catalog::is_number(property.type)) return from_text(property, node.text());
      break;
    case Kind::Object:
      if (property.type == DataType::Lookup) return lookup_object(property, node);
      break;
    case Kind::Array:
      if (property.list) return words(property, node);
      break;
  }
  return expected(property, "another kind of value than " + std::string(json::name(node.kind())));
}

}  // namespace callisto::records
