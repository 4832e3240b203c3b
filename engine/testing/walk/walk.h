// Walk: whether any sequence of actions leads a record of a desk under test into a state. Every action that the record
// offers to one of the sessions is tried with every input of walk_inputs.h, and each try is undone. A record that looks
// as it did before, after as few actions, is not tried again; what its actions change elsewhere is not compared. Inside
// of the desk's spec, on its thread.
#pragma once

#include "engine/testing/test_server.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace callisto::testing {

struct WalkOptions {
  std::vector<std::size_t> sessions;  // whose actions, in any order
  std::vector<std::int64_t> targets;  // states
  std::set<std::string> without;      // actions that are left out
  std::string where;                  // a filter that a record in such a state must satisfy to count; empty: none
  std::size_t depth = 6;              // most actions in a row
};

class Walk {
 public:
  Walk(TestServer& desk, const WalkOptions& options) : desk_(desk), options_(options) {}  // which outlive it

  // The actions that lead there, the fewest, each as people read it; nothing where none do. An error where it would
  // take too many tries, or a script breaks.
  Result<std::optional<std::vector<std::string>>> find(const Key& record);

 private:
  static constexpr std::size_t most_tries = 20'000;

  Result<bool> look(const Key& record, std::size_t left);
  Result<bool> attempt(const Key& record, std::size_t session, const std::string& action, const script::Data& body,
                       std::size_t left);
  Result<bool> is_there(const Key& record);

  TestServer& desk_;
  const WalkOptions& options_;
  std::map<std::string, std::size_t> seen_;  // how the record looked, and how many actions were left then
  std::vector<std::string> path_;
  std::size_t tries_ = 0;
  bool is_cut_off_ = false;  // something was left for a longer walk
};

}  // namespace callisto::testing
