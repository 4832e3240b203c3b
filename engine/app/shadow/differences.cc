#include "engine/app/shadow/differences.h"

#include "engine/json/node_text.h"

#include <algorithm>
#include <utility>

namespace callisto::app {

namespace {

using json::Node;

constexpr json::Limits whole_answer{64, 5'000'000};
constexpr std::size_t longest_value = 100, longest_outcome = 240;
const std::string nothing = "not there";

// Cut between characters.
std::string cut(std::string text, std::size_t longest) {
  if (text.size() <= longest) return text;
  while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xc0) == 0x80) --longest;
  return text.substr(0, longest) + "...";
}

std::string value_of(const Node& node) { return cut(json::text_of(node), longest_value); }

std::string items(std::size_t count) { return std::to_string(count) + (count == 1 ? " item" : " items"); }

class Comparison {
 public:
  explicit Comparison(std::vector<Difference>& found) : found_(found) {}

  void compare(const std::string& path, const Node& before, const Node& after) {
    if (before.kind() != after.kind()) return add(path, value_of(before), value_of(after));
    if (before.kind() == Node::Kind::Object) return compare_members(path, before, after);
    if (before.kind() == Node::Kind::Array) return compare_items(path, before, after);
    if (before.text() != after.text() || before.boolean() != after.boolean())
      add(path, value_of(before), value_of(after));
  }

 private:
  void compare_members(const std::string& path, const Node& before, const Node& after) {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const json::Member& member : before.members()) {
      const Node* const other = after.find(member.name);
      if (other) compare(prefix + member.name, member.value, *other);
      else add(prefix + member.name, value_of(member.value), nothing);
    }
    for (const json::Member& member : after.members())
      if (!before.find(member.name)) add(prefix + member.name, nothing, value_of(member.value));
  }

  void compare_items(const std::string& path, const Node& before, const Node& after) {
    const auto& a = before.items();
    const auto& b = after.items();
    if (a.size() != b.size()) return add(path, items(a.size()), items(b.size()));
    for (std::size_t i = 0; i < a.size(); ++i) compare(path + "[]", a[i], b[i]);
  }

  void add(const std::string& path, std::string before, std::string after) {
    found_.push_back({path.empty() ? "body" : "body: " + path, std::move(before), std::move(after)});
  }

  std::vector<Difference>& found_;
};

// The status, with what an error says.
std::string outcome_of(const testing::Answer& answer) {
  std::string text = std::to_string(answer.status);
  const auto body = answer.status < 400 ? Result<Node>(Node()) : json::parse(answer.body, whole_answer);
  if (!body) return text;
  if (const std::string& message = json::string_of(*body, "Message"); !message.empty()) text += " " + message;
  if (const Node* const errors = body->find("Errors"); errors && errors->items().size() > 1)
    for (const Node& each : errors->items())
      text += " " + json::string_of(each, "Property") + ": " + json::string_of(each, "Message");
  return text;
}

void compare_bodies(const testing::Answer& today, const testing::Answer& candidate, std::vector<Difference>& found) {
  if (today.body == candidate.body) return;
  const auto before = json::parse(today.body, whole_answer), after = json::parse(candidate.body, whole_answer);
  if (before && after) return Comparison(found).compare("", *before, *after);
  found.push_back(
      {"body", std::to_string(today.body.size()) + " bytes", std::to_string(candidate.body.size()) + " bytes"});
}

std::multiset<std::string> names_of(const std::vector<testing::Raised>& raised) {
  std::multiset<std::string> names;
  for (const testing::Raised& each : raised) names.insert(each.event + " of " + each.entity);
  return names;
}

void compare_events(const Reply& today, const Reply& candidate, std::vector<Difference>& found) {
  const auto before = names_of(today.raised), after = names_of(candidate.raised);
  std::vector<std::string> gone, come;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(gone));
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(come));
  for (std::string& each : gone) found.push_back({"event: " + each, "raised", "not raised"});
  for (std::string& each : come) found.push_back({"event: " + each, "not raised", "raised"});
}

}  // namespace

std::vector<Difference> differences(const Reply& today, const Reply& candidate) {
  std::vector<Difference> found;
  const std::string before = outcome_of(today.answer), after = outcome_of(candidate.answer);
  if (before != after) found.push_back({"status", cut(before, longest_outcome), cut(after, longest_outcome)});
  else compare_bodies(today.answer, candidate.answer, found);
  compare_events(today, candidate, found);
  return found;
}

void Kinds::add(const std::string& request, const std::string& example, const std::vector<Difference>& found) {
  std::set<std::string> places;
  for (const Difference& each : found) places.insert(each.where);
  Kind& kind = kinds_[{request, std::move(places)}];
  if (++kind.answers == 1) kind = {1, example, found};
}

std::string Kinds::text() const {
  std::string text;
  for (const auto& [key, kind] : kinds_)
    text += key.first + "   " + std::to_string(kind.answers) + (kind.answers == 1 ? " answer, " : " answers, ") +
            "as in " + kind.example + "\n" + text_of(kind.found);
  return text;
}

std::string text_of(const std::vector<Difference>& found) {
  std::string text;
  std::set<std::string> told;  // a list has a place once, in however many of its items
  for (const Difference& each : found)
    if (told.insert(each.where).second) text += "    " + each.where + ": " + each.before + " -> " + each.after + "\n";
  return text;
}

}  // namespace callisto::app
