#include "engine/scim/protocol/paths.h"

#include "engine/base/text.h"
#include "engine/scim/protocol/refusal.h"

#include <algorithm>

namespace callisto::scim {

namespace {

bool same(std::string_view a, std::string_view b) { return text::equals_ignoring_ascii_case(a, b); }

// Takes a schema's URN off, and the ':' behind it.
bool take_schema(std::string_view& text, std::string_view urn) {
  if (text.size() < urn.size() || !same(text.substr(0, urn.size()), urn)) return false;
  if (text.size() > urn.size() && text[urn.size()] != ':') return false;
  text.remove_prefix(std::min(text.size(), urn.size() + 1));
  return true;
}

Error no_such_path(std::string_view path) {
  return refuse(400, "invalidPath", "There is no attribute " + text::quoted(path, 200) + ".");
}

// What brackets tell: [type eq "work"], [primary eq true], [value eq "7"], and these by "and" or "or".
Result<void> read_brackets(const Term& term, Path& path) {
  if (term.kind == Term::Kind::And || term.kind == Term::Kind::Or) {
    for (const Term& each : term.children) CALLISTO_CHECK(read_brackets(each, path));
    return {};
  }
  const bool is_plain = term.kind == Term::Kind::Compare && term.op == "eq";
  if (is_plain && same(term.path, "type")) path.part = term.value.text();
  else if (is_plain && (same(term.path, "value") || same(term.path, "$ref"))) path.members.push_back(term.value.text());
  else if (!is_plain || !(same(term.path, "primary") || same(term.path, "display")))
    return refuse(400, "invalidFilter", "A path is narrowed by [type eq \"...\"] or [value eq \"...\"] alone.");
  return {};
}

}  // namespace

Named split_name(const Resource& resource, std::string_view path) {
  Named named;
  if (resource.name == "User" && take_schema(path, enterprise_user)) {
    named.attribute = "enterprise";
    const std::size_t dot = std::min(path.find('.'), path.size());
    named.part = path.substr(0, dot);
    return named;
  }
  take_schema(path, resource.schema());
  const std::size_t dot = std::min(path.find('.'), path.size());
  named.attribute = path.substr(0, dot);
  named.part = path.substr(std::min(dot + 1, path.size()));
  if (const Attribute* known = find_attribute(resource.name, named.attribute)) named.attribute = known->name;
  return named;
}

Result<Path> read_path(const Resource& resource, std::string_view text, bool is_change) {
  Path path;
  std::string_view rest = text;
  const bool is_schema = take_schema(rest, resource.schema()) && rest.empty();
  if (is_schema) path.kind = Path::Kind::Resource;
  if (is_schema) return path;
  Term term;
  term.path = text;
  if (text.find('[') != text.npos) {
    auto parsed = parse_filter(text);
    if (!parsed || parsed->kind != Term::Kind::Within) return no_such_path(text);
    term = *std::move(parsed);
  }
  const Named named = split_name(resource, term.path);
  if (same(named.attribute, "members") && resource.name == "Group") path.kind = Path::Kind::Members;
  path.attribute = find_attribute(resource.name, named.attribute);
  if (path.attribute) path.kind = Path::Kind::Attribute;
  if (path.kind == Path::Kind::Elsewhere && !is_known_elsewhere(named.attribute)) return no_such_path(text);
  if (is_change && is_read_only(named.attribute))
    return refuse(400, "mutability", "The attribute " + named.attribute + " is read-only.");
  path.part = named.part;
  if (term.kind == Term::Kind::Within) {
    path.part.clear();  // ".value" behind the brackets is what they hold
    path.has_brackets = true;
    CALLISTO_CHECK(read_brackets(term.children.front(), path));
  } else if (path.attribute && path.attribute->form == Form::Many) {
    path.part.clear();  // emails.value: of whichever there is
  }
  return path;
}

}  // namespace callisto::scim
