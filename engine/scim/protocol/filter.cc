#include "engine/scim/protocol/filter.h"

#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/scim/protocol/paths.h"
#include "engine/scim/protocol/refusal.h"

#include <charconv>

namespace callisto::scim {

namespace {

using Kind = json::Node::Kind;

Error cannot(const std::string& what) { return refuse(400, "invalidFilter", what); }

bool same(std::string_view a, std::string_view b) { return text::equals_ignoring_ascii_case(a, b); }

std::string_view comparison_of(std::string_view op) {
  if (op == "eq") return " == ";
  if (op == "ne") return " != ";
  if (op == "gt") return " > ";
  if (op == "ge") return " >= ";
  return op == "lt" ? " < " : " <= ";
}

std::string_view method_of(std::string_view op) {
  if (op == "co") return ".Contains";
  if (op == "sw") return ".StartsWith";
  return op == "ew" ? ".EndsWith" : "";
}

class Emitter {
 public:
  explicit Emitter(const Resource& resource) : resource_(resource), key_(resource.entity->key.front()->name) {}

  Result<script::Host::Query> run(const Term& term) {
    CALLISTO_TRY(query_.filter, text_of(term));
    return std::move(query_);
  }

 private:
  std::string always(bool holds) const { return key_ + (holds ? " != null" : " == null"); }

  Result<std::string> text_of(const Term& term) {
    switch (term.kind) {
      case Term::Kind::And:
      case Term::Kind::Or:
        return joined(term);
      case Term::Kind::Not: {
        CALLISTO_TRY(const std::string inner, text_of(term.children.front()));
        return "!(" + inner + ")";
      }
      case Term::Kind::Within:
        return within(term);
      default:
        return plain(term);
    }
  }

  Result<std::string> joined(const Term& term) {
    std::string text;
    for (const Term& each : term.children) {
      CALLISTO_TRY(const std::string part, text_of(each));
      text += (text.empty() ? "(" : term.kind == Term::Kind::And ? " && (" : " || (") + part + ")";
    }
    return text;
  }

  // Each type of the attribute by itself: emails[type eq "work" and value eq "x"].
  Result<std::string> within(const Term& term) {
    const Named named = split_name(resource_, term.path);
    if (same(named.attribute, "members")) return members_within(term.children.front());
    std::string text;
    for (const Mapped& each : resource_.mapped) {
      if (each.attribute->name != named.attribute || each.attribute->form != Form::Many) continue;
      inside_ = &each;
      auto part = text_of(term.children.front());
      inside_ = nullptr;
      if (!part) return part;
      text += (text.empty() ? "(" : " || (") + property_of(each) + " != null && (" + *part + "))";
    }
    if (text.empty()) return cannot("No filter can ask for " + text::quoted(term.path, 100) + ".");
    return text;
  }

  Result<std::string> members_within(const Term& term) {
    if (term.kind != Term::Kind::Compare || !same(term.path, "value"))
      return cannot("Members are asked for by members[value eq \"...\"].");
    return of_member(term);
  }

  Result<std::string> plain(const Term& term) {
    if (inside_) return of_inside(term);
    const Named named = split_name(resource_, term.path);
    if (same(named.attribute, "id")) return of_key(term);
    if (same(named.attribute, "members") && (named.part.empty() || same(named.part, "value"))) return of_member(term);
    if (same(named.attribute, "meta")) return of_meta(term, named.part);
    const Attribute* attribute = find_attribute(resource_.name, named.attribute);
    if (!attribute) return cannot("No filter can ask for " + text::quoted(term.path, 100) + ".");
    if (attribute->form == Form::Many) return of_many(term, *attribute, named.part);
    if (const Mapped* mapped = resource_.find(attribute->name, named.part)) return compared(term, *mapped);
    return always(term.op == "ne");  // nobody has it
  }

  Result<std::string> of_inside(const Term& term) {
    if (same(term.path, "value")) return compared(term, *inside_);
    if (term.kind != Term::Kind::Compare || (term.op != "eq" && term.op != "ne"))
      return cannot("Within brackets, type and primary are compared by eq and ne.");
    bool holds = false;
    if (same(term.path, "type")) holds = same(term.value.text(), inside_->part);
    else if (same(term.path, "primary")) holds = term.value.boolean() == is_primary(*inside_);
    else return cannot("No filter can ask for " + text::quoted(term.path, 100) + " within brackets.");
    return always(holds == (term.op == "eq"));
  }

  bool is_primary(const Mapped& mapped) const { return resource_.find_first(mapped.attribute->name) == &mapped; }

  Result<std::string> of_many(const Term& term, const Attribute& attribute, const std::string& part) {
    if (!part.empty() && !same(part, "value")) return cannot("Ask for the type in brackets: emails[type eq \"work\"].");
    std::string text;
    for (const Mapped& each : resource_.mapped) {
      if (each.attribute != &attribute) continue;
      CALLISTO_TRY(const std::string one, compared(term, each));
      text += (text.empty() ? "(" : " || (") + one + ")";
    }
    return text.empty() ? always(term.op == "ne") : text;
  }

  std::string property_of(const Mapped& mapped) const { return mapped.property->name; }

  Result<std::string> compared(const Term& term, const Mapped& mapped) {
    if (term.kind == Term::Kind::Present || term.value.is_null())
      return property_of(mapped) + (term.op == "eq" ? " == null" : " != null");
    if (mapped.kind == ValueKind::Reference) return by_number(term, property_of(mapped));
    const bool is_boolean = mapped.kind == ValueKind::Boolean;
    const Kind wanted = is_boolean ? Kind::Boolean : Kind::String;
    if (term.value.kind() != wanted || (is_boolean && term.op != "eq" && term.op != "ne"))
      return cannot(text::quoted(term.path, 100) + " is compared with a " +
                    (is_boolean ? "Boolean by eq or ne" : "text"));
    return with_value(term.op, property_of(mapped),
                      is_boolean ? Value(term.value.boolean()) : Value(term.value.text()));
  }

  std::string with_value(const std::string& op, const std::string& property, Value value) {
    query_.given.push_back({{std::move(value)}, false});
    const std::string_view method = method_of(op);
    if (!method.empty()) return property + std::string(method) + "(?)";
    return property + std::string(comparison_of(op)) + "?";
  }

  // What is no number is nobody's key.
  Result<std::string> by_number(const Term& term, const std::string& property) {
    if (term.op != "eq" && term.op != "ne") return cannot(text::quoted(term.path, 100) + " is compared by eq and ne.");
    std::int32_t key = 0;
    const std::string& digits = term.value.text();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), key);
    if (error != std::errc() || end != digits.data() + digits.size()) return always(term.op == "ne");
    return with_value(term.op, property, Value(std::int64_t{key}));
  }

  Result<std::string> of_key(const Term& term) {
    if (term.kind == Term::Kind::Present) return always(true);
    return by_number(term, key_);
  }

  // By the list below the group that its members are in.
  Result<std::string> of_member(const Term& term) {
    for (const catalog::SubResource& list : resource_.entity->sub_resources) {
      if (!resource_.members || list.entity != resource_.members || list.link != resource_.group) continue;
      if (term.kind == Term::Kind::Present) return list.name + ".Any()";
      CALLISTO_TRY(const std::string inner, by_number(term, resource_.member->name));
      return list.name + ".Any(" + inner + ")";
    }
    return cannot("No filter can ask for members: the entity of groups has no list of them.");
  }

  Result<std::string> of_meta(const Term& term, const std::string& part) {
    const bool is_created = same(part, "created");
    if (!is_created && !same(part, "lastModified"))
      return cannot("Of meta, created and lastModified can be asked for.");
    const std::string property(is_created ? catalog::system::created_date : catalog::system::updated_date);
    if (term.kind == Term::Kind::Present) return always(true);
    const auto moment = parse_iso8601(term.value.text());
    if (!moment || !method_of(term.op).empty()) return cannot("meta." + part + " is compared with a date and time.");
    return with_value(term.op, property, Value(*moment));
  }

  const Resource& resource_;
  const std::string key_;
  const Mapped* inside_ = nullptr;  // whose brackets are read
  script::Host::Query query_;
};

}  // namespace

Result<script::Host::Query> query_of(const Resource& resource, const Term& term) { return Emitter(resource).run(term); }

}  // namespace callisto::scim
