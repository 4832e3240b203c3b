#include "engine/api/asked_queries.h"

#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/json/write.h"
#include "engine/query/plan_text.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace callisto::api {
namespace {

constexpr std::string_view numbers_begin = ",\"Asked\":";

const char* kind_of(const query::Plan& plan) {
  if (plan.grouping) return "groups";
  return plan.count ? "count" : plan.skip > 1000 ? "deep page" : "page";
}

double milliseconds(std::uint64_t microseconds) { return static_cast<double>(microseconds) / 1000; }

void raise(std::atomic<std::uint64_t>& most, std::uint64_t value) {
  std::uint64_t known = most.load(std::memory_order_relaxed);
  while (known < value && !most.compare_exchange_weak(known, value, std::memory_order_relaxed)) {}
}

std::uint64_t microseconds_in(const json::Node& line, std::string_view member) {
  const json::Node* node = line.find(member);
  double number = 0;
  if (node) std::from_chars(node->text().data(), node->text().data() + node->text().size(), number);
  return number > 0 && number < 1e15 ? static_cast<std::uint64_t>(number * 1000) : 0;
}

}  // namespace

std::string question_of(const query::Plan& plan) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object().key("Entity").string(plan.entity->name).key("Kind").string(kind_of(plan));
  if (plan.filter) writer.key("Filter").string(query::text_of(plan, *plan.filter, query::ConstantText::Place));
  if (!plan.count && !plan.grouping) writer.key("OrderBy").string(query::order_text(plan));
  if (!plan.joins.empty()) writer.key("Joins").integer(static_cast<std::int64_t>(plan.joins.size()));
  writer.end_object();
  return text.substr(1, text.size() - 2);
}

void AskedQueries::Count::note(std::chrono::microseconds time) {
  const auto took = static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count()));
  asked.fetch_add(1, std::memory_order_relaxed);
  microseconds.fetch_add(took, std::memory_order_relaxed);
  raise(longest, took);
}

std::shared_ptr<AskedQueries::Count> AskedQueries::count_of(const query::Plan& plan) {
  return count_of(question_of(plan));
}

std::shared_ptr<AskedQueries::Count> AskedQueries::count_of(std::string question) {
  const std::lock_guard lock(mutex_);
  if (const auto known = by_question_.find(question); known != by_question_.end()) return known->second;
  if (by_question_.size() >= most) {
    const auto least = std::min_element(by_question_.begin(), by_question_.end(), [](const auto& a, const auto& b) {
      return a.second->microseconds.load() < b.second->microseconds.load();
    });
    by_question_.erase(least);
  }
  return by_question_.emplace(std::move(question), std::make_shared<Count>()).first->second;
}

std::string AskedQueries::text() const {
  std::vector<std::pair<std::string, std::shared_ptr<Count>>> all;
  {
    const std::lock_guard lock(mutex_);
    all.assign(by_question_.begin(), by_question_.end());
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.second->microseconds.load() > b.second->microseconds.load(); });
  std::string text;
  for (const auto& [question, count] : all) {
    if (count->asked == 0) continue;
    text.append("{").append(question).append(numbers_begin).append(std::to_string(count->asked.load()));
    text += ",\"Milliseconds\":";
    json::append_double(text, milliseconds(count->microseconds));
    text += ",\"Longest\":";
    json::append_double(text, milliseconds(count->longest));
    text += "}\n";
  }
  return text;
}

void AskedQueries::add(std::string_view text) {
  for (const std::string_view line : text::split(text, '\n')) {
    const std::size_t end = line.rfind(numbers_begin);
    const auto read = json::parse(std::string(line));
    if (!read || end == line.npos || line.empty() || line.front() != '{') continue;
    const json::Node* asked = read->find("Asked");
    std::uint64_t number = 0;
    if (asked) std::from_chars(asked->text().data(), asked->text().data() + asked->text().size(), number);
    const auto count = count_of(std::string(line.substr(1, end - 1)));
    count->asked += number;
    count->microseconds += microseconds_in(*read, "Milliseconds");
    raise(count->longest, microseconds_in(*read, "Longest"));
  }
}

}  // namespace callisto::api
