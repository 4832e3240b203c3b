#include "engine/api/requests/expand.h"

#include "engine/base/percent.h"
#include "engine/base/text.h"

#include <algorithm>

namespace callisto::api {

namespace {

Error wrong(std::string message, std::string suggestion = {}) {
  return bad_option("$expand", "$expand: " + std::move(message), std::move(suggestion));
}

// What stands before the next `mark` outside of texts and parentheses; `rest` is what stands behind it.
std::string_view take_until(std::string_view& rest, char mark) {
  int depth = 0;
  bool in_text = false;
  std::size_t end = 0;
  for (; end < rest.size() && (rest[end] != mark || in_text || depth > 0); ++end) {
    if (in_text && rest[end] == '\\') ++end;
    else if (rest[end] == '"') in_text = !in_text;
    else if (!in_text) depth += (rest[end] == '(') - (rest[end] == ')');
  }
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return text::trim(taken);
}

Error no_list(std::string_view name, const catalog::Entity& entity) {
  std::vector<std::string_view> names;
  for (const catalog::SubResource& list : entity.sub_resources) names.push_back(list.name);
  if (names.empty()) return wrong("there are no lists below a record of " + entity.name + ".");
  std::string suggestion = text::nearest(name, names);
  std::string message = entity.name + " has no list " + text::quoted(name) + "; it has ";
  for (const std::string_view each : names) message.append(each).append(each == names.back() ? "." : ", ");
  return wrong(std::move(message), std::move(suggestion));
}

// `options`: "$select=A,B;$top=3".
std::string query_of(std::string_view options) {
  std::string query;
  while (!options.empty()) {
    const std::string_view option = take_until(options, ';');
    const std::size_t equals = std::min(option.find('='), option.size());
    if (!option.empty())
      append_field(query, option.substr(0, equals), option.substr(std::min(equals + 1, option.size())));
  }
  return query;
}

std::vector<Expansion> every_list(const catalog::Entity& entity, const records::AccessRules::Limits& access) {
  std::vector<Expansion> all;
  for (const catalog::SubResource& list : entity.sub_resources)
    if (records::may_read(access, *list.entity)) all.push_back({&list, {}});
  return all;
}

Result<Expansion> parse_one(std::string_view item, const catalog::Entity& entity,
                            const records::AccessRules::Limits& access) {
  const std::size_t open = std::min(item.find('('), item.size());
  const std::string_view name = text::trim(item.substr(0, open));
  const catalog::SubResource* list = entity.find_sub_resource(name);
  if (!list) return no_list(name, entity);
  if (!records::may_read(access, *list->entity))
    return forbidden("This session may not read " + list->entity->name + ".");
  if (open == item.size()) return Expansion{list, {}};
  if (!item.ends_with(')')) return wrong("the options of '" + list->name + "' end with ')'.");
  return Expansion{list, query_of(item.substr(open + 1, item.size() - open - 2))};
}

}  // namespace

Result<std::vector<Expansion>> parse_expand(std::string_view text, const catalog::Entity& entity,
                                            const records::AccessRules::Limits& access) {
  if (text == "*") return every_list(entity, access);
  std::vector<Expansion> all;
  do {
    CALLISTO_TRY(Expansion one, parse_one(take_until(text, ','), entity, access));
    const auto is_same = [&](const Expansion& each) { return each.list == one.list; };
    if (std::any_of(all.begin(), all.end(), is_same)) return wrong("'" + one.list->name + "' stands there twice.");
    all.push_back(std::move(one));
  } while (!text.empty());
  return all;
}

}  // namespace callisto::api
