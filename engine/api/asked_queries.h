// AskedQueries: which queries the server was asked, without their values, how often and how long they took;
// `callisto advise` reads it. Bounded: beyond `most` queries the one that took the least time in all is forgotten. Any
// thread.
#pragma once

#include "engine/query/plan.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace callisto::api {

class AskedQueries {
 public:
  static constexpr std::size_t most = 1000;
  struct Count {
    std::atomic<std::uint64_t> asked = 0, microseconds = 0, longest = 0;
    void note(std::chrono::microseconds time);
  };

  // Of the question that the plan is; the same for plans that differ in values alone.
  std::shared_ptr<Count> count_of(const query::Plan& plan);

  // One JSON object a line, by the time that each took in all: {"Entity":"call","Filter":"State == {Lookup State}",
  // "OrderBy":"LoggedDate desc","Kind":"page","Asked":12,"Milliseconds":80.5,"Longest":9.1}.
  std::string text() const;
  void add(std::string_view text);  // what text() gave before; lines that are none are passed over

 private:
  std::shared_ptr<Count> count_of(std::string question);

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Count>, std::less<>> by_question_;
};

// {"Entity":...,"Kind":...} without the braces.
std::string question_of(const query::Plan& plan);

}  // namespace callisto::api
