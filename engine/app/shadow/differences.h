// What differs between two answers to one request, and the kinds of differences of many. Any thread, one Kinds each.
#pragma once

#include "engine/testing/test_server.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace callisto::app {

struct Reply {  // what a request did by one set of rules
  testing::Answer answer;
  std::vector<testing::Raised> raised;
};

struct Difference {
  std::string where;  // "status", "body: State", "body: results[].Name", "event"
  std::string before, after;
};

// Of the rules of today and the candidate's; none: both did the same. Values are cut to a line.
std::vector<Difference> differences(const Reply& today, const Reply& candidate);

// Answers that differ in the same places, of requests to the same route, told once.
class Kinds {
 public:
  // `request`: "PUT call/{id}/close"; `example`: what was asked. `found` is not empty.
  void add(const std::string& request, const std::string& example, const std::vector<Difference>& found);
  std::string text() const;

 private:
  struct Kind {
    std::size_t answers = 0;
    std::string example;
    std::vector<Difference> found;  // of the example
  };
  std::map<std::pair<std::string, std::set<std::string>>, Kind> kinds_;  // by request and places
};

std::string text_of(const std::vector<Difference>& found);  // a line for each place

}  // namespace callisto::app
