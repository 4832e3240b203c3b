#include "engine/records/examine_due.h"

#include "engine/base/text.h"
#include "engine/records/examine.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <variant>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Entity;

// What a rule asks of a record.
struct Asked {
  std::set<std::string> properties;  // of the record itself
  bool beyond = false;               // and of others
};

void collect(const query::Predicate& predicate, Asked& asked) {
  for (const query::Operand* operand : {&predicate.left, &predicate.right})
    if (const auto* path = std::get_if<query::Path>(operand); path && path->property) {
      const catalog::Property& own = path->hops.empty() ? *path->property : *path->hops.front();
      asked.properties.insert(own.name);
      if (own.mirror_of) asked.properties.insert(own.mirror_of->name);
      asked.beyond = asked.beyond || !path->hops.empty();
    }
  for (const query::Predicate& child : predicate.children) collect(child, asked);
}

bool is_part_of_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string_view after_blanks(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  return text;
}

bool is_assigned(std::string_view rest) {
  rest = after_blanks(rest);
  return rest.starts_with(',') || (rest.starts_with('=') && !rest.starts_with("=="));
}

// record.Name = value, record.Other, record.Name = ..., or the name as a text, which may be used as one.
bool may_write(std::string_view code, const std::string& name) {
  for (std::size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
    const char before = at > 0 ? code[at - 1] : ' ';
    const std::size_t end = at + name.size();
    if (is_part_of_word(before) || (end < code.size() && is_part_of_word(code[end]))) continue;
    if (before == '"' || before == '\'') return true;
    if (before == '.' && is_assigned(code.substr(end))) return true;
  }
  return false;
}

bool has_word(std::string_view code, std::string_view word) {
  for (std::size_t at = code.find(word); at != code.npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_word(code[at - 1])) && (end >= code.size() || !is_part_of_word(code[end]))) return true;
  }
  return false;
}

// The names of the records that its functions are given: function(call, ...).
std::set<std::string> records_of(std::string_view code) {
  constexpr std::string_view head = "function";
  std::set<std::string> names;
  for (std::size_t at = code.find(head); at != code.npos; at = code.find(head, at + 1)) {
    std::string_view rest = after_blanks(code.substr(at + head.size()));
    if (!rest.starts_with('(')) continue;
    rest = after_blanks(rest.substr(1));
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_part_of_word);
    if (end != rest.begin()) names.emplace(rest.begin(), end);
  }
  return names;
}

// Whose argument stands at `at`; empty: it is none, or a parameter of a function that is defined there.
std::string_view called_at(std::string_view code, std::size_t at) {
  int depth = 0;
  while (at > 0) {
    --at;
    if (code[at] == ')') ++depth;
    if (code[at] == '(' && depth-- == 0) break;
    if (code[at] == '{' || code[at] == '}' || code[at] == '=') return {};
  }
  while (at > 0 && std::isspace(static_cast<unsigned char>(code[at - 1])) != 0) --at;
  std::size_t begin = at;
  while (begin > 0 && (is_part_of_word(code[begin - 1]) || code[begin - 1] == '.')) --begin;
  return code.substr(begin, at - begin);
}

// The record goes to a function of another file: unique.check(call, ...).
bool hands_on(std::string_view code, const std::string& record) {
  for (std::size_t at = code.find(record); at != code.npos; at = code.find(record, at + 1)) {
    const std::size_t end = at + record.size();
    if ((at > 0 && is_part_of_word(code[at - 1])) || (end < code.size() && is_part_of_word(code[end]))) continue;
    const std::string_view rest = after_blanks(code.substr(end));
    if (!rest.starts_with(')') && !rest.starts_with(',')) continue;
    const std::string_view called = called_at(code, at);
    const bool is_defined_here =
        called == "function" || code.find("function " + std::string(called) + "(") != code.npos;
    if (!called.empty() && !is_defined_here) return true;
  }
  return false;
}

// By an action of the record's own, by a name that is computed, by a function that gets the record, or elsewhere.
bool may_change_anything(std::string_view code, bool beyond) {
  if (has_word(code, "act")) return true;
  for (std::size_t at = code.find(']'); at != code.npos; at = code.find(']', at + 1))
    if (is_assigned(code.substr(at + 1))) return true;
  if (beyond && has_word(code, "desk")) return true;
  const auto records = records_of(code);
  return std::any_of(records.begin(), records.end(), [&](const std::string& each) { return hands_on(code, each); });
}

// Written with every change, whatever the action does.
bool is_kept_by_engine(const std::string& property) {
  return property == catalog::system::updated_date || property == catalog::system::updated_by ||
         property == catalog::system::version || property == catalog::system::last_history_order;
}

class DueExamination {
 public:
  DueExamination(const Model& model, const Entity& entity, const Action& action)
      : model_(model), entity_(entity), action_(action) {
    const Rule* rule = model.rule(entity, action);
    if (!rule || !rule->due) return;
    collect(*rule->due->filter, asked_);
    if (rule->offered) collect(*rule->offered->filter, asked_);
  }

  bool may_end() const {
    if (std::any_of(asked_.properties.begin(), asked_.properties.end(), is_kept_by_engine)) return true;
    return may_leave() || std::any_of(model_.program->sources.begin(), model_.program->sources.end(),
                                      [&](const script::Source& each) { return concerns(each) && may_end_by(each); });
  }

  std::string properties() const {
    std::string names;
    for (const std::string& each : asked_.properties) names += (names.empty() ? "" : ", ") + each;
    return names;
  }

 private:
  // Into a state that ends it.
  bool may_leave() const {
    if (!entity_.states) return false;
    std::vector<std::int64_t> targets = action_.may_move_to;
    if (action_.moves_to) targets.push_back(*action_.moves_to);
    return std::any_of(targets.begin(), targets.end(), [&](std::int64_t state) {
      return offered_in(model_, entity_, action_, state) == Chance::Never ||
             due_in(model_, entity_, action_, state) == Chance::Never;
    });
  }

  // Its file, and what others add to it.
  bool concerns(const script::Source& source) const {
    return source.file == action_.file ||
           std::filesystem::path(source.file).stem().string().starts_with(action_.name + "+");
  }

  bool may_end_by(const script::Source& source) const {
    const std::string code = without_rules(source.text);
    return may_change_anything(code, asked_.beyond) ||
           std::any_of(asked_.properties.begin(), asked_.properties.end(),
                       [&](const std::string& each) { return may_write(code, each); });
  }

  // What the action asks for names the properties too.
  std::string without_rules(std::string code) const {
    for (const std::string* rule : {&action_.due, &action_.offered})
      for (std::size_t at = rule->empty() ? code.npos : code.find(*rule); at != code.npos; at = code.find(*rule))
        code.erase(at, rule->size());
    return code;
  }

  const Model& model_;
  const Entity& entity_;
  const Action& action_;
  Asked asked_;
};

}  // namespace

void examine_due(const Model& model, catalog::Problems& problems) {
  for (const Model::Due& due : model.due) {
    const Action& action = *due.action;
    const DueExamination examination(model, *due.entity, action);
    if (!action.supported || examination.may_end()) continue;
    problems.add(catalog::place({action.file, action.line}, action.lines, "due"),
                 "action " + text::quoted(action.name) + " of " + due.entity->name +
                     " does nothing that ends 'due', and would be undone each time",
                 "let 'run' set " + (examination.properties().empty() ? "what it asks for" : examination.properties()) +
                     ", move to a state that is not in 'from', or ask for a mark of your own that 'run' sets");
  }
}

}  // namespace callisto::records
